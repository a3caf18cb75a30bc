//! The events of a conversation, for the person, a page or a metric.

mod line;
mod mask;

use std::fmt;
use std::sync::Arc;

use aileron_capability::conversation::Level;
use aileron_contract::audit::TrailStep;
use aileron_contract::envelope::{Clamp, ConfirmationRequest};
use aileron_contract::{
    CallId, ConversationId, Intent, Mode, Outcome, TaskStatus, ToolResponse, UserId,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::state::{EndReason, StateEffect, StateError};

/// Something that happened. The values of secrets, and those that a tool hides, are already
/// removed.
#[derive(Debug, Clone, PartialEq)]
pub enum ConversationEvent {
    /// A conversation began.
    Began { mode: Mode },
    /// The conversation changed its mode.
    ModeChanged { mode: Mode },
    /// The conversation is over.
    Ended { reason: EndReason },
    /// A turn began with input of the person.
    TurnBegan { turn: u64, mode: Mode, input: InputKind },
    /// The policies have decided about a call.
    Decided(Arc<DecidedEvent>),
    /// A handler begins to run.
    Started { call_id: CallId, tool: String },
    /// A handler failed and is run again, at this time.
    Retrying { call_id: CallId, at: u64 },
    /// A handler reports its progress.
    Progress { call_id: CallId, update: Value },
    /// A handler shows a piece of its result before the result is complete. Pieces are numbered
    /// from 0 on; a missing number is a piece that was left out.
    Partial { call_id: CallId, index: u64, data: Value },
    /// A call became a task, or a task has ended. The answer of its call is `Answered`, before the end.
    Task { task_id: String, call_id: CallId, tool: String, status: TaskStatus },
    /// A call has its answer, from its handler or from a policy.
    Answered { outcome: Outcome, answer: Arc<ToolResponse> },
    /// The person is asked to approve something.
    ConfirmationRequested(Box<ConfirmationRequest>),
    /// The person was not understood, or their answer could not be stored, so that they are asked
    /// again.
    ConfirmationRepeated { preview: String },
    /// The confirmation is closed and needs no answer.
    ConfirmationClosed { token_id: String, how: ConfirmationOutcome, channel: AnswerChannel },
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

/// A decision about a call.
#[derive(Debug, Clone, PartialEq)]
pub struct DecidedEvent {
    pub call_id: CallId,
    pub tool: String,
    /// The turn in which the call was made.
    pub turn: u64,
    /// The arguments that it runs with, or those that were rejected.
    pub args: Value,
    pub clamped: Vec<Clamp>,
    /// Every policy that it met, the deciding one last; all steps of an admitted call are passes.
    pub trail: Vec<TrailStep>,
}

/// The kind of input that began a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InputKind {
    Written,
    Spoken,
}

/// The channel through which a confirmation was closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AnswerChannel {
    /// The person clicked on a page or chose in a terminal.
    Click,
    /// A program sent the person's answer over HTTP.
    Http,
    /// The person spoke.
    Speech,
    /// The person retracted it in writing.
    Text,
    /// The person did not answer in time.
    Timeout,
    /// A newer confirmation replaced it.
    Replaced,
    /// The conversation ended.
    End,
}

impl AnswerChannel {
    /// The name in lists and events.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Click => "click",
            Self::Http => "http",
            Self::Speech => "speech",
            Self::Text => "text",
            Self::Timeout => "timeout",
            Self::Replaced => "replaced",
            Self::End => "end",
        }
    }

    /// Whether the person themselves decided.
    pub const fn is_of_person(self) -> bool {
        matches!(self, Self::Click | Self::Http | Self::Speech | Self::Text)
    }
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

/// The conversation that an event belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EventSource<'a> {
    pub conversation: &'a ConversationId,
    /// The person; `None` if they did not sign in.
    pub user: Option<&'a UserId>,
    pub registry_version: &'a str,
}

/// Receives the events of conversations. Called in the middle of a call: it must not block.
pub trait Observer: Send + Sync + fmt::Debug {
    /// Something happened in a conversation.
    fn on_event(&self, source: EventSource<'_>, event: ConversationEvent);

    /// Whether the observer wants events; otherwise none is built.
    fn is_enabled(&self) -> bool {
        true
    }
}

/// Observes nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoopObserver;

impl Observer for NoopObserver {
    fn on_event(&self, _: EventSource<'_>, _: ConversationEvent) {}

    fn is_enabled(&self) -> bool {
        false
    }
}
