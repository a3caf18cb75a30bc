//! The steps of the person: typing, speaking and clicking.

use aileron_contract::{CallId, Mode, UserId};
use aileron_orchestrator::{ConversationEvent, Person};
use aileron_rehearsal::StepResult;
use aileron_script::ConfirmationRef;
use serde_json::json;

use super::{Channel, Made, Player, expect_word};
use crate::client::Client;
use crate::conformance::backstage::{PATIENCE, heard, late_in};
use crate::conformance::stage::token;
use crate::conformance::transport::Clicking;

impl Player {
    pub(super) async fn says(&mut self, text: &str, played: &StepResult) -> Made {
        self.hears_out().await?;
        let late = self.backstage.late();
        self.backstage.control().hear(text).map_err(|error| error.to_string())?;
        self.spoken_to(text, late, played).await
    }

    pub(super) async fn writes(&mut self, text: &str, played: &StepResult) -> Made {
        self.hears_out().await?;
        let late = self.backstage.late();
        let body = json!({ "id": self.talk.id, "message": text });
        match &mut self.channel {
            Channel::Voice(listener) => {
                listener.say(json!({ "type": "text", "text": text })).await;
            }
            Channel::Text(writing) => {
                let stage = self.stage.as_ref().unwrap();
                let house = stage.house(&self.talk.person);
                writing.post(&house.address, &token(&self.talk.person), &body);
            }
            Channel::None => return Err("nobody is connected".to_owned()),
        }
        self.spoken_to(text, late, played).await
    }

    /// A model that is in the middle of a sentence is cut short; any other comes to the end of its turn.
    async fn hears_out(&mut self) -> Made {
        if self.is_speaking { Ok(()) } else { self.rest().await }
    }

    /// The model is asked with these words, and with the results of what they decided.
    async fn spoken_to(&mut self, text: &str, late: usize, played: &StepResult) -> Made {
        self.talk.turns += 1;
        self.said.push(format!("{} person: {text}", self.talk.turns));
        self.backstage.asked(|scene| heard(scene, text)).await?;
        self.lets_go()?;
        if let Channel::Voice(_) = self.channel {
            let began = tokio::time::timeout(PATIENCE, self.turn_has_begun()).await;
            began.map_err(|_| format!("turn {} does not begin", self.talk.turns))?;
            return self.was_told_late(late, played.answers.len()).await;
        }
        self.note();
        Ok(())
    }

    /// The model receives this many results as text, after those that it received before.
    async fn was_told_late(&mut self, before: usize, more: usize) -> Made {
        if more == 0 {
            return Ok(());
        }
        let count = before + more;
        self.backstage.was_told_late(count).await?;
        let here = count - self.late_before;
        self.backstage.asked(|scene| late_in(scene) >= here).await
    }

    /// The next request to the server has to find the turn begun.
    async fn turn_has_begun(&self) {
        let orchestrator = &self.stage().orchestrator;
        loop {
            let glance = orchestrator.look(&self.talk.id, &self.talk.person).await.unwrap();
            if glance.is_some_and(|glance| glance.turn >= self.talk.turns) {
                return;
            }
            tokio::task::yield_now().await;
        }
    }

    pub(super) async fn clicks(
        &mut self,
        who: Option<&str>,
        approve: bool,
        question: &ConfirmationRef,
        played: &StepResult,
    ) -> Made {
        let token = self.token(question).ok_or("no question")?;
        if let Some(who) = who {
            return self.somebody_clicks(who, &token, approve).await;
        }
        match self.channel {
            Channel::Voice(_) => self.clicks_in_voice(&token, approve, question, played).await,
            Channel::Text(_) => self.clicks_in_text(&token, approve, question, played).await,
            Channel::None => Err("nobody is connected".to_owned()),
        }
    }

    async fn clicks_in_voice(
        &mut self,
        token: &str,
        approve: bool,
        question: &ConfirmationRef,
        played: &StepResult,
    ) -> Made {
        let late = self.backstage.late();
        let Channel::Voice(listener) = &mut self.channel else { return Ok(()) };
        if *question != ConfirmationRef::Forged && !self.is_resumed {
            listener.was_told(token).await?;
        }
        listener.catch_up();
        listener.say(json!({ "type": "confirm", "token": token, "approve": approve })).await;
        if is_refused(played) {
            let error = listener.expect(&["error"]).await?;
            return expect_word("confirmation_refused", error["code"].as_str().unwrap_or_default());
        }
        self.was_told_late(late, played.answers.len()).await
    }

    async fn clicks_in_text(
        &mut self,
        token: &str,
        approve: bool,
        question: &ConfirmationRef,
        played: &StepResult,
    ) -> Made {
        self.rest().await?;
        let clicking = self.over(Mode::Text).clicking();
        let id = self.talk.id.clone();
        let credentials = crate::conformance::stage::token(&self.talk.person);
        let address = self.stage().house(&self.talk.person).address.clone();
        let Channel::Text(writing) = &mut self.channel else { return Ok(()) };
        if *question != ConfirmationRef::Forged {
            writing.was_told(token)?;
        }
        let body = match clicking {
            Clicking::Confirmations => {
                json!({ "id": id, "confirmations": [{ "token": token, "approve": approve }] })
            }
            Clicking::Approvals => writing.approval(&id, token, approve)?,
        };
        writing.post(&address, &credentials, &body);
        if is_refused(played) {
            let ended = writing.ended().await;
            return match ended.contains("does not count") {
                true => Ok(()),
                false => Err(format!("a click that does not count was answered {ended}")),
            };
        }
        if played.answers.iter().all(|(_, answer)| answer.meta().replayed) {
            return self.was_decided_before(played).await;
        }
        let wanted = self.backstage.late_when_asked() + played.answers.len();
        self.backstage.asked(|scene| late_in(scene) >= wanted).await?;
        self.note();
        Ok(())
    }

    /// In text, a resolved confirmation is not reported to the model again; the page gets the
    /// resolution.
    async fn was_decided_before(&mut self, played: &StepResult) -> Made {
        let Channel::Text(writing) = &mut self.channel else { return Ok(()) };
        let ended = writing.ended().await;
        self.repeated.extend((0..played.answers.len()).map(|at| (played.line, at)));
        match ended.contains("data-decided") && ended.contains("it was approved") {
            true => Ok(()),
            false => Err(format!("a second click was answered {ended}")),
        }
    }

    /// Another person tries over the API: they have no page that shows the confirmation.
    async fn somebody_clicks(&self, who: &str, asked: &str, approve: bool) -> Made {
        let by = Person::known(UserId::new(who).unwrap());
        let house = self.stage().house(&by);
        let credentials = format!("Bearer {}", token(&by));
        let client =
            Client::new(house.address.parse().unwrap()).with("authorization", &credentials);
        let path = format!("/v1/conversations/{}/confirmations/{asked}", self.talk.id);
        let answer = client.post(&path, json!({ "approve": approve })).await;
        if (400..500).contains(&answer.status) { Ok(()) } else { Err(format!("{answer:?}")) }
    }

    /// The questions so far, by the call they are about. An answer may hide what it is about; the
    /// question itself is for the person and does not.
    pub(super) fn tokens(&self) -> Vec<(Option<CallId>, String)> {
        let events = self.watcher.events();
        let asked = events.iter().filter_map(|(_, event)| match event {
            ConversationEvent::ConfirmationRequested(request) => Some(request.token.clone()),
            _ => None,
        });
        let about = |token: &String| {
            events.iter().find_map(|(_, event)| match event {
                ConversationEvent::Answered { answer, .. } => {
                    let request = answer.failure()?.confirmation_request.as_ref()?;
                    (request.token == *token).then(|| answer.meta().call_id.clone())
                }
                _ => None,
            })
        };
        asked.map(|token| (about(&token), token)).collect()
    }

    fn token(&self, question: &ConfirmationRef) -> Option<String> {
        let tokens = self.tokens();
        let newest = tokens.last().map(|(_, token)| token.clone());
        match question {
            ConfirmationRef::Newest => newest,
            ConfirmationRef::Of(call) => {
                let found = tokens.iter().rev().find(|(about, _)| about.as_ref() == Some(call));
                found.map(|(_, token)| token.clone())
            }
            ConfirmationRef::Forged => newest.map(|token| flipped(&token)),
        }
    }
}

/// Whether the click did not count.
fn is_refused(played: &StepResult) -> bool {
    played.words.iter().any(|word| word.chars().all(|c| c.is_ascii_uppercase() || c == '_'))
}

/// The token with its last character changed.
fn flipped(token: &str) -> String {
    let (rest, last) = token.split_at(token.len() - 1);
    format!("{rest}{}", if last == "A" { "B" } else { "A" })
}
