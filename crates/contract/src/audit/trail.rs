//! The trail of a decision: which policy decided what about a call, and by which number.

use std::borrow::Cow;
use std::fmt;

use serde::{Deserialize, Serialize};

/// The result of one policy about a call. Members are declared in canonical order, because records
/// are hashed as they are written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrailStep {
    /// The number it decided by, if it counts something.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub measure: Option<Measure>,
    /// The policy, as `refused:<policy>` names it.
    pub policy: Cow<'static, str>,
    pub result: StepResult,
}

/// The result of a policy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StepResult {
    Passed,
    Refused,
    /// The policy could not decide, for example because the store did not answer. The call is refused.
    Undecided,
    /// The person has to approve the call.
    Asked,
    /// The call was made before; its stored result is returned.
    Duplicate,
}

/// How much of a limit was used when a policy decided.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Measure {
    pub limit: u32,
    /// The counted thing: `calls`, `identical calls`.
    pub of: Cow<'static, str>,
    pub used: u32,
}

impl StepResult {
    /// The word that records and events use.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Refused => "refused",
            Self::Undecided => "undecided",
            Self::Asked => "asked",
            Self::Duplicate => "duplicate",
        }
    }
}

impl fmt::Display for TrailStep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.policy, self.result.as_str())?;
        let measure =
            |Measure { of, used, limit }: &Measure| write!(f, " ({used} of {limit} {of})");
        self.measure.iter().try_for_each(measure)
    }
}
