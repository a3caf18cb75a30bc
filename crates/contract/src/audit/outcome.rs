//! How a call ended, as one word to filter by.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// How a call ended. Written as one text: `completed`, `refused:budgets`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Outcome {
    /// The handler returned a result or an error.
    Completed,
    /// A policy refused the call before the handler ran.
    Refused(Cow<'static, str>),
    /// A duplicate of an earlier call with another id: answered with the stored result, the handler
    /// did not run.
    Replayed,
    Cancelled,
    TimedOut,
    /// The person denied the call or did not answer in time.
    Denied,
    /// A newer call replaced it.
    Superseded,
    Panicked,
    /// The process ended before the call did.
    ProcessDied,
}

const REFUSED: &str = "refused";

impl Outcome {
    /// Refused by the policy of this name.
    pub const fn refused_by(policy: &'static str) -> Self {
        Self::Refused(Cow::Borrowed(policy))
    }

    /// The word without the policy: `refused` for every refusal.
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Completed => "completed",
            Self::Refused(_) => REFUSED,
            Self::Replayed => "replayed",
            Self::Cancelled => "cancelled",
            Self::TimedOut => "timed_out",
            Self::Denied => "denied",
            Self::Superseded => "superseded",
            Self::Panicked => "panicked",
            Self::ProcessDied => "process_died",
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(policy) => write!(f, "{REFUSED}:{policy}"),
            other => f.write_str(other.word()),
        }
    }
}

impl From<Outcome> for String {
    fn from(outcome: Outcome) -> Self {
        outcome.to_string()
    }
}

impl FromStr for Outcome {
    type Err = OutcomeError;

    fn from_str(text: &str) -> Result<Self, OutcomeError> {
        if let Some(policy) = text.strip_prefix("refused:").filter(|policy| !policy.is_empty()) {
            return Ok(Self::Refused(Cow::Owned(policy.to_owned())));
        }
        let plain = [
            Self::Completed,
            Self::Replayed,
            Self::Cancelled,
            Self::TimedOut,
            Self::Denied,
            Self::Superseded,
            Self::Panicked,
            Self::ProcessDied,
        ];
        let found = plain.into_iter().find(|outcome| outcome.word() == text);
        found.ok_or_else(|| OutcomeError { found: text.chars().take(80).collect() })
    }
}

impl TryFrom<String> for Outcome {
    type Error = OutcomeError;

    fn try_from(text: String) -> Result<Self, OutcomeError> {
        text.parse()
    }
}

/// A text that is no outcome.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutcomeError {
    found: String,
}

impl fmt::Display for OutcomeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "an outcome must be completed, refused:<policy>, replayed, cancelled, timed_out, \
             denied, superseded, panicked or process_died, found {:?}",
            self.found
        )
    }
}

impl std::error::Error for OutcomeError {}
