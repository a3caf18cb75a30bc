//! What the person, a page or a metric may see of a conversation as it happens.

mod line;
mod mask;

use std::fmt;

use aileron_capability::conversation::Level;
use aileron_contract::audit::TrailStep;
use aileron_contract::envelope::ConfirmationRequest;
use aileron_contract::{CallId, ConversationId, Intent, Outcome, ToolResponse};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::state::{StateEffect, StateError};

/// Something that happened. What a tool wants hidden and the values of secrets are hidden already.
#[derive(Debug, Clone, PartialEq)]
pub enum ConversationEvent {
    /// The policies have decided about a call. With every policy that it met, the deciding one last; a
    /// call that passed has only passes.
    Decided { call_id: CallId, tool: String, trail: Vec<TrailStep> },
    /// A handler begins to run.
    Started { call_id: CallId, tool: String },
    /// A handler says how far it has come.
    Progress { call_id: CallId, update: Value },
    /// A call has its answer, from its handler or from a policy.
    Answered { outcome: Outcome, answer: Box<ToolResponse> },
    /// The person is asked to approve something.
    ConfirmationRequested(Box<ConfirmationRequest>),
    /// The person was not understood, or what they said could not be kept, and they are asked once
    /// more.
    ConfirmationRepeated { preview: String },
    /// The confirmation needs no answer any more.
    ConfirmationClosed { token_id: String, how: ConfirmationOutcome },
    /// A handler has something for the person.
    Message { call_id: CallId, message: Value },
    /// A handler leaves a note for the log.
    Note { call_id: CallId, event: String, details: Value },
    /// A handler wrote to its console.
    Log { call_id: CallId, level: Level, text: String },
    /// The state of the conversation changed, and something is to be done about it.
    Effect(StateEffect),
    /// What a handler asked for does not fit the conversation's state.
    IntentRefused { call_id: CallId, intent: Intent, why: StateError },
    /// A defect of a handler or of a rule, for those who maintain it. May quote what it met, unless
    /// the tool hides anything.
    Defect { call_id: CallId, tool: String, what: String },
}

/// How a question was closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ConfirmationOutcome {
    Approved,
    Declined,
    Expired,
    /// Another question took its place, or the person changed their mind.
    Superseded,
}

impl ConfirmationOutcome {
    /// As records, events and the API say.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Approved => "approved",
            Self::Declined => "declined",
            Self::Expired => "expired",
            Self::Superseded => "superseded",
        }
    }
}

/// Receives the events of conversations. Called in the middle of a call: it must not block.
pub trait Observer: Send + Sync + fmt::Debug {
    /// Something happened in a conversation.
    fn on_event(&self, conversation: &ConversationId, event: ConversationEvent);

    /// Whether events are wanted; otherwise none is built.
    fn is_enabled(&self) -> bool {
        true
    }
}

/// Observes nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoopObserver;

impl Observer for NoopObserver {
    fn on_event(&self, _: &ConversationId, _: ConversationEvent) {}

    fn is_enabled(&self) -> bool {
        false
    }
}
