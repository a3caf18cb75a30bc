//! The events of a turn for its reader, with redacted fields removed.

use std::fmt;

use aileron_contract::envelope::ConfirmationRequest;
use aileron_contract::transport::Usage;
use aileron_contract::{CallId, TaskStatus, ToolResponse};
use aileron_orchestrator::state::StateEffect;
use aileron_store::StoreError;
use serde_json::Value;

use crate::citation::CitationSource;
use crate::history::HistoryError;

/// An event of a turn. Redacted fields are removed.
#[derive(Debug, Clone, PartialEq)]
pub enum TurnEvent {
    /// The turn of this number has begun, or continues.
    Began { turn: u64 },
    /// A request is sent to the model. `None` for a step without a model request.
    StepBegan { context: Option<ContextTokens> },
    /// More text of the answer.
    Text(String),
    /// More text of the model's reasoning.
    Reasoning(String),
    /// The model has begun to write a call.
    CallBegun { call_id: CallId, tool_id: String },
    /// A call is complete, with its arguments.
    Called { call_id: CallId, tool_id: String, args: Value },
    /// A handler starts to run.
    Started { call_id: CallId },
    /// A handler reports progress.
    Progress { call_id: CallId, update: Value },
    /// A handler shows a piece of its result before the result is complete.
    Partial { call_id: CallId, index: u64, data: Value },
    /// A call became a task, or a task has ended.
    Task { task_id: String, call_id: CallId, status: TaskStatus },
    /// A handler has a message for the person.
    Message { call_id: CallId, message: Value },
    /// The person is asked to confirm a call; answered with [`crate::Agent::confirm`].
    Asked { call_id: CallId, request: Box<ConfirmationRequest> },
    /// A call has its result, from its handler or from a policy. A call with a confirmation gets another result
    /// when the confirmation is resolved.
    Answered { call_id: CallId, tool_id: String, answer: Box<ToolResponse> },
    /// The person's answer to a confirmation was refused.
    NotConfirmed { token: String, why: String },
    /// The confirmation was resolved before, so another answer has no effect. The result of the call is sent
    /// once more.
    DecidedBefore { call_id: CallId, before: EarlierDecision },
    /// An effect outside of the turn: voice starts, the person is blocked.
    Effect(StateEffect),
    /// The token usage of one reply.
    Usage(Usage),
    /// The model's message is complete.
    StepEnded,
    /// The records that the answer cites, each of them evidence of this turn.
    Sources(Vec<CitationSource>),
    /// The last event of a turn that was completed.
    Finished(TurnOutcome),
    /// The last event of a turn that failed.
    Failed(TurnFailure),
}

/// The estimated tokens of a model request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ContextTokens {
    pub instructions: usize,
    pub declarations: usize,
    pub history: usize,
}

impl ContextTokens {
    pub const fn new(instructions: usize, declarations: usize, history: usize) -> Self {
        Self { instructions, declarations, history }
    }

    pub const fn total(self) -> usize {
        self.instructions + self.declarations + self.history
    }
}

/// How a confirmation was resolved before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EarlierDecision {
    Approved,
    /// The person declined, or did not answer in time.
    NotApproved,
}

impl EarlierDecision {
    /// The name for programs.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Approved => "approved",
            Self::NotApproved => "not_approved",
        }
    }
}

/// How a turn was completed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TurnOutcome {
    /// The model has answered.
    Answered,
    /// The answer was cut off at the maximum length.
    Length,
    /// The provider's content filter withheld the answer.
    Withheld,
    /// The model still issued calls at the last step.
    StepLimit,
}

/// Why a turn failed, with a sentence for the person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TurnFailure {
    pub code: TurnFailureCode,
    pub sentence: &'static str,
    /// For the log. It may quote the request.
    pub detail: String,
}

/// Why a turn failed, for programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TurnFailureCode {
    ModelUnavailable,
    ModelBusy,
    /// The provider refuses the request.
    ModelRefused,
    /// Another process answers the conversation.
    HistoryConflict,
    HistoryUnwritable,
    /// No confirmation was resolved.
    NotConfirmed,
}

impl TurnFailureCode {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::ModelUnavailable => "MODEL_UNAVAILABLE",
            Self::ModelBusy => "MODEL_BUSY",
            Self::ModelRefused => "MODEL_REFUSED",
            Self::HistoryConflict => "HISTORY_CONFLICT",
            Self::HistoryUnwritable => "HISTORY_UNWRITABLE",
            Self::NotConfirmed => "NOT_CONFIRMED",
        }
    }
}

impl fmt::Display for TurnFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.sentence)
    }
}

/// Why a turn was not begun.
#[derive(Debug)]
pub enum TurnError {
    /// Another turn of the same conversation runs.
    Busy,
    /// A call among the messages to retract had an effect.
    Done { tool_id: String },
    /// There is no message to answer again.
    NothingSaid,
    /// The history cannot be read.
    History(HistoryError),
}

impl fmt::Display for TurnError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Busy => f.write_str(
                "another message of this conversation is still being answered; wait for it or stop it",
            ),
            Self::Done { tool_id } => write!(
                f,
                "this cannot be taken back: `{tool_id}` was done in it; write what you want instead"
            ),
            Self::NothingSaid => {
                f.write_str("there is nothing to answer once more; send the person's message")
            }
            Self::History(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for TurnError {}

impl From<HistoryError> for TurnError {
    fn from(error: HistoryError) -> Self {
        Self::History(error)
    }
}

impl From<StoreError> for TurnError {
    fn from(error: StoreError) -> Self {
        Self::History(HistoryError::Store(error))
    }
}
