//! What a turn tells whoever reads it, piece by piece, as the person may see it.

use std::fmt;

use aileron_contract::envelope::ConfirmationRequest;
use aileron_contract::transport::Usage;
use aileron_contract::{CallId, ToolResponse};
use aileron_orchestrator::state::StateEffect;
use aileron_store::StoreError;
use serde_json::Value;

use crate::citation::CitationSource;
use crate::history::HistoryError;

/// Something that happened in a turn. What a tool wants hidden is hidden already.
#[derive(Debug, Clone, PartialEq)]
pub enum TurnEvent {
    /// The turn of this number goes on, or has begun.
    Began { turn: u64 },
    /// The model is asked. It is sent about this many tokens: instructions, declarations and
    /// history. A step in which no model is asked has none.
    StepBegan { context_tokens: usize },
    /// More words of the answer.
    Text(String),
    /// More words of how the model gets there.
    Reasoning(String),
    /// The model has begun to write a call.
    CallBegun { call_id: CallId, tool_id: String },
    /// A call is complete, with the arguments the model chose.
    Called { call_id: CallId, tool_id: String, args: Value },
    /// A handler begins to run.
    Started { call_id: CallId },
    /// A handler says how far it has come.
    Progress { call_id: CallId, update: Value },
    /// A handler has something for the person.
    Message { call_id: CallId, message: Value },
    /// The person is asked about a call; it is answered with [`crate::Agent::confirm`].
    Asked { call_id: CallId, request: Box<ConfirmationRequest> },
    /// A call has its answer, from its handler or from a policy. A call that was asked about has
    /// another one when the person has answered.
    Answered { call_id: CallId, tool_id: String, answer: Box<ToolResponse> },
    /// The person's answer to a question does not count.
    NotConfirmed { token: String, why: String },
    /// The question was answered before, and nothing comes of another answer. The call's own answer
    /// is told once more.
    DecidedBefore { call_id: CallId, before: EarlierDecision },
    /// Something is to be done outside: voice begins, the person is blocked.
    Effect(StateEffect),
    /// What the model used for one reply.
    Usage(Usage),
    /// The model's message is complete.
    StepEnded,
    /// The records that the answer rests on, each of them evidence of this turn.
    Sources(Vec<CitationSource>),
    /// The last event of a turn that came to an end.
    Finished(TurnOutcome),
    /// The last event of one that did not.
    Failed(TurnFailure),
}

/// What was decided when a question was answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EarlierDecision {
    Approved,
    /// The person said no, or nothing in time.
    NotApproved,
}

impl EarlierDecision {
    /// For programs.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Approved => "approved",
            Self::NotApproved => "not_approved",
        }
    }
}

/// How a turn came to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TurnOutcome {
    /// The model has answered.
    Answered,
    /// The answer was cut off at the longest length.
    Length,
    /// The provider withheld the answer.
    Withheld,
    /// The model still wanted to make calls at the last step.
    StepLimit,
}

/// Why a turn did not come to an end, in a sentence for the person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TurnFailure {
    pub code: TurnFailureCode,
    pub sentence: &'static str,
    /// For the log. It may quote what was sent.
    pub detail: String,
}

/// Why a turn did not come to an end, for programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TurnFailureCode {
    ModelUnavailable,
    ModelBusy,
    /// The provider does not take the request as it is.
    ModelRefused,
    /// Another process answers the conversation.
    HistoryConflict,
    HistoryUnwritable,
    /// No question was answered.
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
    /// Another turn of the same conversation is under way.
    Busy,
    /// Something was done in what is to be taken back.
    Done { tool_id: String },
    /// There are no words to be answered once more.
    NothingSaid,
    /// What was said so far cannot be read.
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
