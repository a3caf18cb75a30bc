//! The report of a replay.

use std::fmt;

use aileron_contract::envelope::Clamp;
use aileron_contract::{CallId, ErrorType, Outcome};
use serde::Serialize;

/// A conversation that was replayed.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Replay {
    /// The version of the registry the conversation was held with.
    #[serde(rename = "registryThen")]
    pub then: String,
    /// The version of the registry it was replayed against.
    #[serde(rename = "registryNow")]
    pub now: String,
    /// Every recorded call, in the order of evaluation.
    pub calls: Vec<ReplayedCall>,
}

/// One call with the recorded and the replayed decision.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ReplayedCall {
    /// The number of its record.
    pub seq: u64,
    pub turn: u64,
    pub time: u64,
    pub call_id: CallId,
    pub tool_id: String,
    pub outcome: Outcome,
    pub then: ReplayDecision,
    pub now: ReplayDecision,
    pub differs: bool,
    /// Why the replayed decision may be wrong.
    pub doubts: Vec<&'static str>,
}

/// The decision of the policies about a call.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "decision", rename_all = "snake_case")]
pub enum ReplayDecision {
    /// It may run. The record does not contain clamped arguments.
    Run {
        #[serde(skip_serializing_if = "Vec::is_empty")]
        clamped: Vec<Clamp>,
    },
    /// The person is asked.
    Ask,
    Refuse {
        policy: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        error: Option<ErrorType>,
        #[serde(skip_serializing_if = "Option::is_none")]
        message: Option<String>,
    },
    /// The person declined, did not answer, or was asked something else. That is not decided again.
    Denied,
}

impl Replay {
    /// The calls with a different decision.
    pub fn differing(&self) -> impl Iterator<Item = &ReplayedCall> {
        self.calls.iter().filter(|call| call.differs)
    }

    /// The calls whose records do not contain enough facts.
    pub fn doubtful(&self) -> impl Iterator<Item = &ReplayedCall> {
        self.calls.iter().filter(|call| !call.doubts.is_empty())
    }
}

impl ReplayDecision {
    /// Whether two decisions about the same arguments differ. Messages are compared where they name
    /// faults of the arguments.
    pub(super) fn differs_from(&self, then: &Self) -> bool {
        match (self, then) {
            (Self::Run { clamped }, Self::Run { .. }) => !clamped.is_empty(),
            (
                Self::Refuse { policy, error, message },
                Self::Refuse { policy: policy_then, error: error_then, message: message_then },
            ) => {
                let known = message.as_ref().zip(message_then.as_ref());
                let reworded = known.is_some_and(|(now, then)| now != then);
                policy != policy_then || error != error_then || (policy == "arguments" && reworded)
            }
            (Self::Ask, Self::Ask) | (Self::Denied, Self::Denied) => false,
            _ => true,
        }
    }
}

impl fmt::Display for ReplayDecision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Run { clamped } => {
                f.write_str("let through")?;
                let brought = |Clamp { pointer, from, to }: &Clamp| {
                    write!(f, ", {pointer} brought from {from} to {to}")
                };
                clamped.iter().try_for_each(brought)
            }
            Self::Ask => f.write_str("put to the person"),
            Self::Denied => f.write_str("denied by the person"),
            Self::Refuse { policy, error, message } => {
                write!(f, "refused by {policy}")?;
                error.iter().try_for_each(|error| write!(f, " ({})", error.as_str()))?;
                message.iter().try_for_each(|message| write!(f, ": {message}"))
            }
        }
    }
}
