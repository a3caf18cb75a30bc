//! What the person takes back: an answer they want once more, words they want to put otherwise.
//!
//! A call and its results go together. An answer that came late to a call that stays, stays too. What
//! was done cannot be taken back, so a place before it is none to go back to.

use std::collections::BTreeSet;

use aileron_contract::spec::SideEffects;
use aileron_contract::text::{ChatMessage, ToolResultMessage};
use aileron_contract::{CallId, ErrorType, ToolCall, ToolResponse};
use aileron_runtime::Registry;
use serde_json::json;

use super::{LoggedMessage, RETRACTED, TurnHistory, call};
use crate::agent::UserMessage;

impl TurnHistory {
    /// Where the person's words of this id are.
    pub(crate) fn place_of(&self, id: &str) -> Option<usize> {
        self.said.iter().rposition(|said| said.id.as_deref() == Some(id))
    }

    /// Where the person's last words are.
    pub(crate) fn last_words(&self) -> Option<usize> {
        self.said.iter().rposition(|said| matches!(said.message, ChatMessage::Person { .. }))
    }

    /// The person's words at a place.
    pub(crate) fn words_at(&self, place: usize) -> Option<UserMessage> {
        match self.said.get(place)? {
            LoggedMessage { message: ChatMessage::Person { text }, id, .. } => {
                Some(UserMessage { text: text.clone(), id: id.clone() })
            }
            _ => None,
        }
    }

    /// Takes back what was said from a place on.
    pub(crate) fn take_back(&mut self, from: usize, now: u64) {
        let Some(since) = self.numbers.get(from).copied() else { return };
        self.append(json!({ RETRACTED: since }), now);
        self.leave_out(since);
    }

    /// Leaves out what was taken back.
    pub(super) fn leave_out(&mut self, since: u64) {
        let gone = self.numbers.iter().zip(&self.said).filter(|(number, _)| **number >= since);
        let calls: BTreeSet<CallId> =
            gone.flat_map(|(_, said)| calls(said)).map(|call| call.call_id.clone()).collect();
        let stays = |said: &LoggedMessage| match &said.message {
            ChatMessage::Late { answer } => !calls.contains(&answer.call_id),
            ChatMessage::Person { .. }
            | ChatMessage::Model { .. }
            | ChatMessage::Results { .. } => false,
        };
        self.retain(|number, said| number < since || stays(said));
    }

    /// A tool that did something from a place on, or may have: its effect would outlive its mention.
    pub(crate) fn done_since(&self, from: usize, registry: &Registry) -> Option<String> {
        let gone = self.said.get(from..).unwrap_or_default();
        let writes = |call: &&ToolCall| {
            let tool = registry.tool(&call.tool_id);
            tool.is_some_and(|tool| tool.spec().side_effects == SideEffects::Writes)
        };
        let mut made = gone.iter().flat_map(calls).filter(writes);
        made.find(|call| !was_left_undone(gone, &call.call_id)).map(|call| call.tool_id.clone())
    }

    /// The tokens of the questions that were put from a place on.
    pub(crate) fn asked_since(&self, from: usize) -> Vec<String> {
        let gone = self.said.get(from..).unwrap_or_default().iter();
        let requests = gone.flat_map(answers).filter_map(|answer| {
            answer.response.failure()?.confirmation_request.as_ref().map(|it| it.token.clone())
        });
        requests.collect()
    }
}

fn calls(said: &LoggedMessage) -> impl Iterator<Item = &ToolCall> {
    let parts = match &said.message {
        ChatMessage::Model { parts, .. } => parts.as_slice(),
        ChatMessage::Person { .. } | ChatMessage::Results { .. } | ChatMessage::Late { .. } => &[],
    };
    parts.iter().filter_map(call)
}

fn answers(said: &LoggedMessage) -> &[ToolResultMessage] {
    match &said.message {
        ChatMessage::Results { answers } => answers,
        ChatMessage::Late { answer } => std::slice::from_ref(answer),
        ChatMessage::Person { .. } | ChatMessage::Model { .. } => &[],
    }
}

/// Whether all answers to a call, of which there is one at least, say that nothing was done.
fn was_left_undone(gone: &[LoggedMessage], call_id: &CallId) -> bool {
    let mut given = gone.iter().flat_map(answers).filter(|answer| answer.call_id == *call_id);
    let undone = |answer: &ToolResultMessage| match &answer.response {
        ToolResponse::Success { .. } => false,
        ToolResponse::Failure { error, .. } => {
            !error.partial_side_effects && error.kind != ErrorType::OutcomeUnknown
        }
    };
    given.next().is_some_and(undone) && given.all(undone)
}
