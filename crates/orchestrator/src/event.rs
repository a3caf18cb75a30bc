//! The events of a conversation, for the person, a page or a metric.

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

/// Something that happened. The values of secrets, and those that a tool hides, are already
/// removed.
#[derive(Debug, Clone, PartialEq)]
pub enum ConversationEvent {
    /// The policies have decided about a call. Contains every policy that it met, the deciding one
    /// last; all steps of an admitted call are passes.
    Decided { call_id: CallId, tool: String, trail: Vec<TrailStep> },
    /// A handler begins to run.
    Started { call_id: CallId, tool: String },
    /// A handler reports its progress.
    Progress { call_id: CallId, update: Value },
    /// A call has its answer, from its handler or from a policy.
    Answered { outcome: Outcome, answer: Box<ToolResponse> },
    /// The person is asked to approve something.
    ConfirmationRequested(Box<ConfirmationRequest>),
    /// The person was not understood, or their answer could not be stored, so that they are asked
    /// again.
    ConfirmationRepeated { preview: String },
    /// The confirmation is closed and needs no answer.
    ConfirmationClosed { token_id: String, how: ConfirmationOutcome },
    /// A message of a handler to the person.
    Message { call_id: CallId, message: Value },
    /// A note of a handler for the log.
    Note { call_id: CallId, event: String, details: Value },
    /// A handler wrote to its console.
    Log { call_id: CallId, level: Level, text: String },
    /// The state of the conversation changed, and the transport has to act on it.
    Effect(StateEffect),
    /// An intent of a handler does not fit the conversation's state.
    IntentRefused { call_id: CallId, intent: Intent, why: StateError },
    /// A defect of a handler or of a condition, for the maintainer of the tool. May quote values,
    /// unless the tool hides anything.
    Defect { call_id: CallId, tool: String, what: String },
}

/// How a confirmation was closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ConfirmationOutcome {
    Approved,
    Declined,
    Expired,
    /// Another confirmation replaced it, or the person changed their mind.
    Superseded,
}

impl ConfirmationOutcome {
    /// The name in records, events and the API.
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

    /// Whether the observer wants events; otherwise none is built.
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
