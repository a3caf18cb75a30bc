//! Runs the calls of a message, and sends the events of the conversation to the reader meanwhile.

use std::pin::pin;
use std::sync::Arc;

use aileron_contract::text::{ChatMessage, ToolResultMessage};
use aileron_contract::{CallId, ToolCall, ToolResponse};
use aileron_orchestrator::state::StateEffect;
use aileron_orchestrator::token::id_of;
use aileron_orchestrator::{ConfirmError, ConversationEvent as Happened, Person, Resolution};
use futures_util::{FutureExt, StreamExt};

use super::{TurnAbort, TurnRun};
use crate::agent::EventStream;
use crate::event::TurnEvent;

impl TurnRun {
    /// Runs calls. If the reader leaves, these calls are interrupted by their tools' `onInterrupt`, and
    /// waited for.
    pub(super) async fn make(
        &mut self,
        calls: Vec<ToolCall>,
        watch: &mut EventStream,
    ) -> Vec<ToolResultMessage> {
        let names: Vec<_> =
            calls.iter().map(|call| (call.call_id.clone(), call.tool_id.clone())).collect();
        let conversation = self.conversation.clone();
        let own: Vec<_> = names.iter().map(|(call_id, _)| call_id.clone()).collect();
        let responses = self.meanwhile(conversation.call(calls), watch, (&own, None)).await;
        let answer = |((call_id, tool_id), response): ((CallId, String), Arc<ToolResponse>)| {
            ToolResultMessage { call_id, tool_id, response: (*response).clone() }
        };
        let answers: Vec<_> = names.into_iter().zip(responses).map(answer).collect();
        answers.iter().for_each(|answer| self.take_evidence(answer));
        answers
    }

    /// Resolves a confirmation with the person's answer.
    pub(super) async fn confirm(
        &mut self,
        token: &str,
        approve: bool,
        by: &Person,
        watch: &mut EventStream,
    ) -> Result<Resolution, ConfirmError> {
        let conversation = self.conversation.clone();
        let own: Vec<_> = approved_call_id(token).into_iter().collect();
        let asked = self.asked_about(token);
        self.meanwhile(conversation.confirm(token, approve, by), watch, (&own, asked)).await
    }

    /// Waits for the calls of `own`, and sends the events of the conversation to the reader meanwhile. An
    /// approved call, the only one, is shown under the id `asked` that the model gave it. If the reader
    /// leaves, only these calls are interrupted: other clients run calls in the same conversation too.
    async fn meanwhile<T>(
        &self,
        work: impl Future<Output = T>,
        watch: &mut EventStream,
        (own, asked): (&[CallId], Option<CallId>),
    ) -> T {
        let asked = own.first().zip(asked.as_ref());
        let mut work = pin!(work);
        let mut stopped = pin!(self.stop.cancelled().fuse());
        let mut is_watched = true;
        loop {
            tokio::select! {
                done = &mut work => {
                    while let Some(Some(event)) = watch.next().now_or_never() {
                        self.send_conversation_event(event, asked).await;
                    }
                    return done;
                }
                () = &mut stopped => self.conversation.cancel(own),
                event = watch.next(), if is_watched => match event {
                    Some(event) => self.send_conversation_event(event, asked).await,
                    None => is_watched = false,
                },
            }
        }
    }

    async fn send_conversation_event(&self, event: Happened, asked: Option<(&CallId, &CallId)>) {
        let named = |call_id: CallId| match asked {
            Some((approved, asked)) if *approved == call_id => asked.clone(),
            _ => call_id,
        };
        let event = match event {
            Happened::Started { call_id, .. } => TurnEvent::Started { call_id: named(call_id) },
            Happened::Progress { call_id, update } => {
                TurnEvent::Progress { call_id: named(call_id), update }
            }
            Happened::Partial { call_id, index, data } => {
                TurnEvent::Partial { call_id: named(call_id), index, data }
            }
            Happened::Task { task_id, call_id, status, .. } => {
                TurnEvent::Task { task_id, call_id: named(call_id), status }
            }
            Happened::Message { call_id, message } => {
                TurnEvent::Message { call_id: named(call_id), message }
            }
            Happened::Effect(StateEffect::Nothing) => return,
            Happened::Effect(effect) => TurnEvent::Effect(effect),
            _ => return,
        };
        // The work continues without a reader.
        let _ = self.send_event(event).await;
    }

    pub(super) async fn send_answers(
        &self,
        answers: &[ToolResultMessage],
    ) -> Result<(), TurnAbort> {
        for answer in answers {
            self.send_answer(answer).await?;
        }
        Ok(())
    }

    pub(super) async fn send_answer(&self, answer: &ToolResultMessage) -> Result<(), TurnAbort> {
        let (call_id, tool_id) = (answer.call_id.clone(), answer.tool_id.clone());
        let request =
            answer.response.failure().and_then(|error| error.confirmation_request.as_ref());
        if let Some(request) = request {
            let (call_id, request) = (call_id.clone(), Box::new(request.clone()));
            return self.send_event(TurnEvent::Asked { call_id, request }).await;
        }
        let answer = Box::new(self.conversation.shown(&answer.response));
        self.send_event(TurnEvent::Answered { call_id, tool_id, answer }).await
    }

    /// Takes the evidence of earlier steps of this turn.
    pub(super) fn recall_evidence(&mut self) {
        let said = self.history.said().iter().filter(|said| said.turn == self.number);
        let answers: Vec<_> = said
            .flat_map(|said| match &said.message {
                ChatMessage::Results { answers } => answers.clone(),
                ChatMessage::Late { answer } => vec![answer.clone()],
                ChatMessage::Person { .. } | ChatMessage::Model { .. } => Vec::new(),
            })
            .collect();
        answers.iter().for_each(|answer| self.take_evidence(answer));
    }

    fn take_evidence(&mut self, answer: &ToolResultMessage) {
        if let Some(tool) = self.conversation.registry().tool(&answer.tool_id) {
            self.evidence.add(tool, &self.conversation.shown(&answer.response));
        }
    }
}

/// The id that the approved call of a confirmation runs under.
fn approved_call_id(token: &str) -> Option<CallId> {
    CallId::new(format!("{}{}", CallId::APPROVED_PREFIX, id_of(token)?)).ok()
}
