//! The door: beginning a conversation, taking one up, moving and leaving it.

use aileron_contract::{ConversationId, Mode, UserId};
use aileron_orchestrator::Person;
use aileron_rehearsal::{StepResult, toolset};
use aileron_script::Tools;
use serde_json::{Value, json};

use super::writing::Writing;
use super::{Channel, Made, Player, Talk, expect_word};
use crate::client::{Answer, Client};
use crate::conformance::listener::Listener;
use crate::conformance::stage::token;

impl Player {
    /// Connects the person to a conversation, or to one that begins, and says what the door said.
    pub(super) async fn connect(&mut self, id: Option<ConversationId>) -> String {
        let house = self.stage().house(&self.talk.person);
        let token = Some(token(&self.talk.person)).filter(|token| !token.is_empty());
        let mut start = json!({ "type": "start", "provider": self.over(Mode::Voice).name() });
        if let Some(id) = &id {
            start["conversationId"] = json!(id);
        }
        let mut listener = Listener::start(&house.address, token.as_deref(), start).await;
        let answer = match listener.expect(&["ready", "error", "timeout"]).await {
            Ok(answer) => answer,
            Err(why) => return why,
        };
        if answer["type"] != "ready" {
            return word(&answer).to_owned();
        }
        self.is_resumed = id.is_some();
        self.talk.id = serde_json::from_value(answer["conversationId"].clone()).unwrap();
        self.talk.mode = Mode::Voice;
        let before = std::mem::replace(&mut self.channel, Channel::Voice(listener));
        self.others.push(before);
        self.returned.clear();
        self.made.clear();
        self.late_before = self.backstage.late();
        "ok".to_owned()
    }

    pub(super) async fn opens(
        &mut self,
        who: &str,
        mode: Mode,
        other: Option<&str>,
        played: &StepResult,
    ) -> Made {
        let own =
            self.people.iter().find(|one| one.id.as_ref().is_some_and(|id| id.as_str() == who));
        let person = own.cloned().unwrap_or_else(|| Person::known(UserId::new(who).unwrap()));
        let wanted = played.words.first().copied().unwrap_or("ok");
        if self.started.is_empty() && wanted == "ok" {
            self.rest().await?;
        }
        let before = self.talk.clone();
        let id = other.is_none().then(|| before.id.clone());
        let turns = if id.is_some() { before.turns } else { 0 };
        self.talk = Talk { person, turns, ..before.clone() };
        let found = match mode {
            Mode::Voice => self.connect(id).await,
            Mode::Text => self.take_up(id, wanted).await,
        };
        if found != "ok" {
            self.talk = before;
        }
        expect_word(wanted, &found)
    }

    /// Goes on with a conversation in writing, or begins one. The door opens with the first message;
    /// where it is to stay shut, one is sent to see that it does.
    async fn take_up(&mut self, id: Option<ConversationId>, wanted: &str) -> String {
        let id = id.unwrap_or_else(|| {
            ConversationId::new(format!("conversation-{}", self.others.len() + 2)).unwrap()
        });
        if wanted != "ok" {
            return self.knock(&id).await;
        }
        if self.talk.mode == Mode::Voice {
            self.backstage.is_back_in_writing();
        }
        self.talk.id = id;
        self.talk.mode = Mode::Text;
        let before = std::mem::replace(&mut self.channel, Channel::Text(Writing::default()));
        self.others.push(before);
        self.returned.clear();
        self.made.clear();
        "ok".to_owned()
    }

    /// Writes to a conversation that should not let the person in. One that does never answers, since
    /// the model is not told what to say, and the script does not come to an end.
    async fn knock(&self, id: &ConversationId) -> String {
        let message = json!({ "id": id, "message": "Hello", "stream": false });
        let answer = self.client().post("/api/chat", message).await;
        match answer.status {
            404 => "NOT_YOURS".to_owned(),
            _ => answer.code(),
        }
    }

    pub(super) async fn moves(&mut self, mode: Mode) -> Made {
        self.rest().await?;
        let path = format!("/v1/conversations/{}/mode", self.talk.id);
        let moved = self.client().put(&path, json!({ "mode": mode })).await;
        if moved.status != 200 {
            return Err(format!("{moved:?}"));
        }
        let id = Some(self.talk.id.clone());
        let word = match mode {
            Mode::Voice => self.connect(id).await,
            Mode::Text => self.take_up(id, "ok").await,
        };
        expect_word("ok", &word)
    }

    pub(super) async fn leaves(&mut self) -> Made {
        self.rest().await?;
        match &mut self.channel {
            Channel::Voice(listener) => listener.stop().await,
            Channel::Text(_) | Channel::None => {
                let path = format!("/v1/conversations/{}", self.talk.id);
                expect_status(&self.client().delete(&path).await)
            }
        }
    }

    /// The person hangs up; the server notices.
    pub(super) async fn hang_up(&mut self) -> Made {
        let channel = std::mem::replace(&mut self.channel, Channel::None);
        if let Channel::Voice(listener) = channel {
            listener.hang_up().await;
            self.stage().house(&self.talk.person).app.voice().drained().await;
        }
        Ok(())
    }

    /// Another process over the same store.
    pub(super) async fn restart(&mut self, tools: Tools, played: &StepResult) -> Made {
        self.rest().await?;
        self.hang_up().await?;
        self.others.clear();
        if let Some(stage) = self.stage.take() {
            stage.close().await;
        }
        let registry = match tools {
            Tools::Same => &self.terms.registry,
            Tools::Other => &toolset::OTHER,
        };
        self.stage = Some(self.open_stage(registry).await);
        let id = Some(self.talk.id.clone());
        let wanted = played.words.first().copied().unwrap_or("ok");
        let found = match self.talk.mode {
            Mode::Voice => self.connect(id).await,
            Mode::Text => self.take_up(id, wanted).await,
        };
        expect_word(wanted, &found)
    }

    /// Asks the API as the person who talks.
    pub(super) fn client(&self) -> Client {
        let house = self.stage().house(&self.talk.person);
        let client = Client::new(house.address.parse().unwrap());
        match token(&self.talk.person) {
            none if none.is_empty() => client,
            token => client.with("authorization", &format!("Bearer {token}")),
        }
    }
}

fn expect_status(answer: &Answer) -> Made {
    if answer.status < 300 { Ok(()) } else { Err(format!("{answer:?}")) }
}

/// The refusal of a voice session, in the vocabulary of the scripts.
fn word(refusal: &Value) -> &str {
    match refusal["code"].as_str() {
        None => "BLOCKED",
        Some("unknown_conversation") => "NOT_YOURS",
        Some("other_mode") => "OTHER_MODE",
        Some("registry_gone") => "REGISTRY_GONE",
        Some("conversation_ended") => "ENDED",
        Some(other) => other,
    }
}
