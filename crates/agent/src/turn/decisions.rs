//! Takes the person's answers to questions. One that was answered before leads to nothing: the model has
//! been told, and is not asked to speak of it once more.

use aileron_contract::text::{Answer, Message};
use aileron_contract::{CallId, ErrorType};
use aileron_orchestrator::Person;

use super::{Halt, Turn, failed};
use crate::agent::{Decision, Watch};
use crate::event::{Before, Event, FailCode};

const NOT_CONFIRMED: &str =
    "That answer does not count: the question is not open in this conversation.";
const APPROVED_BEFORE: &str = "(This was answered before: it was approved, and is not done again.)";
const NOT_APPROVED_BEFORE: &str = "(This was answered before: it was not approved.)";

/// Whether there is anything to tell the model.
pub(super) enum Decided {
    Now,
    /// All of it was decided before.
    Before,
}

impl Turn {
    pub(super) async fn decide(
        &mut self,
        decisions: Vec<Decision>,
        by: &Person,
        watch: &mut Watch,
    ) -> Result<Decided, Halt> {
        self.recall_evidence();
        self.tell(Event::Began { turn: self.number }).await?;
        let (mut counted, mut known) = (false, Vec::new());
        for Decision { token, approve } in decisions {
            if let Some(answer) = self.decided_before(&token) {
                known.push(self.tell_decided(&answer).await?);
                continue;
            }
            match self.confirm(&token, approve, by, watch).await {
                Ok(resolution) => {
                    counted = true;
                    self.take_resolution(resolution).await?;
                }
                Err(error) => {
                    self.tell(Event::NotConfirmed { token, why: error.to_string() }).await?;
                }
            }
        }
        match (counted, known.first()) {
            (true, _) => Ok(Decided::Now),
            (false, Some(before)) => self.say_decided(*before).await.map(|()| Decided::Before),
            (false, None) => {
                Err(Halt::Failed(failed(FailCode::NotConfirmed, NOT_CONFIRMED, String::new())))
            }
        }
    }

    /// The call that a question was about.
    pub(super) fn asked_about(&self, token: &str) -> Option<CallId> {
        let asked = |answer: &&Answer| {
            let request = answer.response.failure()?.confirmation_request.as_ref()?;
            (request.token == token).then(|| answer.call_id.clone())
        };
        let answers = self.history.said().iter().rev().filter_map(|said| match &said.message {
            Message::Results { answers } => Some(answers),
            Message::Person { .. } | Message::Model { .. } | Message::Late { .. } => None,
        });
        answers.flatten().find_map(|answer| asked(&answer))
    }

    /// What the call that a question was about has led to, if the model was told.
    fn decided_before(&self, token: &str) -> Option<Answer> {
        let call_id = self.asked_about(token)?;
        self.history.said().iter().rev().find_map(|said| match &said.message {
            Message::Late { answer } if answer.call_id == call_id => Some(answer.clone()),
            _ => None,
        })
    }

    async fn tell_decided(&self, answer: &Answer) -> Result<Before, Halt> {
        let kind = answer.response.failure().map(|error| error.kind);
        let before = match kind {
            Some(ErrorType::Denied) => Before::NotApproved,
            Some(_) | None => Before::Approved,
        };
        self.tell(Event::DecidedBefore { call_id: answer.call_id.clone(), before }).await?;
        self.tell_answer(answer).await?;
        Ok(before)
    }

    /// Said to the person alone: it is no part of the history.
    async fn say_decided(&self, before: Before) -> Result<(), Halt> {
        let sentence = match before {
            Before::Approved => APPROVED_BEFORE,
            Before::NotApproved => NOT_APPROVED_BEFORE,
        };
        self.tell(Event::StepBegan { context_tokens: 0 }).await?;
        self.tell(Event::Text(sentence.to_owned())).await?;
        self.tell(Event::StepEnded).await
    }
}
