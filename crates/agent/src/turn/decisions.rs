//! Takes the person's answers to confirmations. An answer to a resolved confirmation has no effect: the model
//! already has the result, and is not asked to reply to it again.

use aileron_contract::text::{ChatMessage, ToolResultMessage};
use aileron_contract::{CallId, ErrorType};
use aileron_orchestrator::Person;

use super::failures::failed;
use super::{TurnAbort, TurnRun};
use crate::agent::{ConfirmationAnswer, EventStream};
use crate::event::{EarlierDecision, TurnEvent, TurnFailureCode};

const NOT_CONFIRMED: &str =
    "That answer does not count: the question is not open in this conversation.";
const APPROVED_BEFORE: &str = "(This was answered before: it was approved, and is not done again.)";
const NOT_APPROVED_BEFORE: &str = "(This was answered before: it was not approved.)";

/// Whether there are new results for the model.
pub(super) enum ResolutionNews {
    New,
    /// All confirmations were resolved before.
    Known,
}

impl TurnRun {
    pub(super) async fn decide(
        &mut self,
        decisions: Vec<ConfirmationAnswer>,
        by: &Person,
        watch: &mut EventStream,
    ) -> Result<ResolutionNews, TurnAbort> {
        self.recall_evidence();
        self.send_event(TurnEvent::Began { turn: self.number }).await?;
        let (mut counted, mut known) = (false, Vec::new());
        for ConfirmationAnswer { token, approve } in decisions {
            if let Some(answer) = self.decided_before(&token) {
                known.push(self.send_decided(&answer).await?);
                continue;
            }
            match self.confirm(&token, approve, by, watch).await {
                Ok(resolution) => {
                    counted = true;
                    self.take_resolution(resolution).await?;
                }
                Err(error) => {
                    self.send_event(TurnEvent::NotConfirmed { token, why: error.to_string() })
                        .await?;
                }
            }
        }
        match (counted, known.first()) {
            (true, _) => Ok(ResolutionNews::New),
            (false, Some(before)) => {
                self.send_earlier_decision(*before).await.map(|()| ResolutionNews::Known)
            }
            (false, None) => Err(TurnAbort::Failed(failed(
                TurnFailureCode::NotConfirmed,
                NOT_CONFIRMED,
                String::new(),
            ))),
        }
    }

    /// The call of a confirmation.
    pub(super) fn asked_about(&self, token: &str) -> Option<CallId> {
        let asked = |answer: &&ToolResultMessage| {
            let request = answer.response.failure()?.confirmation_request.as_ref()?;
            (request.token == token).then(|| answer.call_id.clone())
        };
        let answers = self.history.said().iter().rev().filter_map(|said| match &said.message {
            ChatMessage::Results { answers } => Some(answers),
            ChatMessage::Person { .. } | ChatMessage::Model { .. } | ChatMessage::Late { .. } => {
                None
            }
        });
        answers.flatten().find_map(|answer| asked(&answer))
    }

    /// The result of the call of a confirmation, if the model has it.
    fn decided_before(&self, token: &str) -> Option<ToolResultMessage> {
        let call_id = self.asked_about(token)?;
        self.history.said().iter().rev().find_map(|said| match &said.message {
            ChatMessage::Late { answer } if answer.call_id == call_id => Some(answer.clone()),
            _ => None,
        })
    }

    async fn send_decided(&self, answer: &ToolResultMessage) -> Result<EarlierDecision, TurnAbort> {
        let kind = answer.response.failure().map(|error| error.kind);
        let before = match kind {
            Some(ErrorType::Denied) => EarlierDecision::NotApproved,
            Some(_) | None => EarlierDecision::Approved,
        };
        self.send_event(TurnEvent::DecidedBefore { call_id: answer.call_id.clone(), before })
            .await?;
        self.send_answer(answer).await?;
        Ok(before)
    }

    /// Sent to the reader only; it is not part of the history.
    async fn send_earlier_decision(&self, before: EarlierDecision) -> Result<(), TurnAbort> {
        let sentence = match before {
            EarlierDecision::Approved => APPROVED_BEFORE,
            EarlierDecision::NotApproved => NOT_APPROVED_BEFORE,
        };
        self.send_event(TurnEvent::StepBegan { context: None }).await?;
        self.send_event(TurnEvent::Text(sentence.to_owned())).await?;
        self.send_event(TurnEvent::StepEnded).await
    }
}
