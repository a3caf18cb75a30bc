//! Retracts messages: for an answer to regenerate, or a message to edit.
//!
//! A call and its results are retracted together. A late result of a call that stays, stays too. An effect
//! cannot be retracted, so the history never goes back to before a call that had one.

use std::collections::BTreeSet;

use aileron_contract::spec::SideEffects;
use aileron_contract::text::{ChatMessage, ToolResultMessage};
use aileron_contract::{CallId, ErrorType, ToolCall, ToolResponse};
use aileron_runtime::Registry;
use serde_json::json;

use super::{LoggedMessage, RETRACTED, TurnHistory, call};
use crate::agent::UserMessage;

impl TurnHistory {
    /// The index of the person's message of this id.
    pub(crate) fn place_of(&self, id: &str) -> Option<usize> {
        self.said.iter().rposition(|said| said.id.as_deref() == Some(id))
    }

    /// The index of the person's last message.
    pub(crate) fn last_words(&self) -> Option<usize> {
        self.said.iter().rposition(|said| matches!(said.message, ChatMessage::Person { .. }))
    }

    /// The person's message at an index.
    pub(crate) fn words_at(&self, place: usize) -> Option<UserMessage> {
        match self.said.get(place)? {
            LoggedMessage { message: ChatMessage::Person { text }, id, .. } => {
                Some(UserMessage { text: text.clone(), id: id.clone() })
            }
            _ => None,
        }
    }

    /// Retracts the messages from an index on.
    pub(crate) fn take_back(&mut self, from: usize, now: u64) {
        let Some(since) = self.numbers.get(from).copied() else { return };
        self.append(json!({ RETRACTED: since }), now);
        self.leave_out(since);
    }

    /// Removes retracted messages.
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

    /// A tool that had, or may have had, an effect from an index on.
    pub(crate) fn done_since(&self, from: usize, registry: &Registry) -> Option<String> {
        let gone = self.said.get(from..).unwrap_or_default();
        let writes = |call: &&ToolCall| {
            let tool = registry.tool(&call.tool_id);
            tool.is_some_and(|tool| tool.spec().side_effects == SideEffects::Writes)
        };
        let mut made = gone.iter().flat_map(calls).filter(writes);
        made.find(|call| !was_left_undone(gone, &call.call_id)).map(|call| call.tool_id.clone())
    }

    /// The tokens of the confirmations that were requested from an index on.
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

/// Whether a call has results and all of them say that it had no effect.
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
