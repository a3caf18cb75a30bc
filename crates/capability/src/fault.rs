//! Faults of a capability, and the errors that the model gets for them.

use std::fmt;

use aileron_contract::ErrorType;
use serde::{Deserialize, Serialize};

use crate::outcome::ToolError;

/// Why a capability did not carry out a request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CapabilityFault {
    pub code: FaultCode,
    pub message: String,
    /// Effects that happened before the fault and were not undone, as text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left_behind: Option<String>,
    /// Whether the message is fixed text without quoted data, so that it may be logged for a tool
    /// that hides values.
    #[serde(default)]
    pub is_diagnosis: bool,
}

impl CapabilityFault {
    /// A fault with its reason.
    pub fn new(code: FaultCode, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), left_behind: None, is_diagnosis: false }
    }

    /// A fault of the configuration of the tool or the installation, in fixed text without quoted
    /// data.
    pub fn diagnosis(code: FaultCode, message: impl Into<String>) -> Self {
        Self { is_diagnosis: true, ..Self::new(code, message) }
    }

    /// The same fault, after an effect that was not undone.
    #[must_use]
    pub fn leaving(self, what: &str) -> Self {
        Self { left_behind: Some(what.to_owned()), ..self }
    }
}

impl fmt::Display for CapabilityFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for CapabilityFault {}

/// The kinds of faults that a handler can distinguish.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum FaultCode {
    /// No answer in time; the requested effect may have happened.
    Timeout,
    /// Not reachable, or not configured.
    Unavailable,
    RateLimit,
    Auth,
    Conflict,
    /// Understood, and refused.
    Refused,
    /// Answered with an unusable response; the requested effect may have happened.
    Unusable,
}

impl FaultCode {
    const ALL: [Self; 7] = [
        Self::Timeout,
        Self::Unavailable,
        Self::RateLimit,
        Self::Auth,
        Self::Conflict,
        Self::Refused,
        Self::Unusable,
    ];

    /// The code of that name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|code| code.as_str() == name)
    }

    /// The name that JavaScript handlers see as `error.code`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Timeout => "TIMEOUT",
            Self::Unavailable => "UNAVAILABLE",
            Self::RateLimit => "RATE_LIMIT",
            Self::Auth => "AUTH",
            Self::Conflict => "CONFLICT",
            Self::Refused => "REFUSED",
            Self::Unusable => "UNUSABLE",
        }
    }
}

/// Added to the message when a write may have happened.
const OPEN: &str = "it may have happened all the same";

impl CapabilityFault {
    /// The failure of a call that changes nothing outside. `what` completes "could not ...".
    pub fn while_reading(self, what: &str) -> ToolError {
        let error = ToolError::new(self.code.error_type(), format!("could not {what}: {self}"));
        if self.is_diagnosis { error.diagnosed(self.message) } else { error }
    }

    /// The failure of a call that may change something outside. After a timeout or an unusable
    /// answer, the outcome is unknown, so the failure is not retryable. The message includes
    /// effects that were not undone.
    pub fn while_writing(self, what: &str) -> ToolError {
        match (self.code, &self.left_behind) {
            (FaultCode::Timeout | FaultCode::Unusable, _) => {
                let message = format!("could not {what}: {self}; {OPEN}");
                let error = ToolError::new(self.code.error_type(), message);
                error.retryable(false).with_partial_side_effects()
            }
            (_, Some(left)) => {
                let message = format!("could not {what}: {self}; {left}");
                ToolError::new(self.code.error_type(), message).with_partial_side_effects()
            }
            (_, None) => self.while_reading(what),
        }
    }
}

impl FaultCode {
    /// The error type for the model.
    pub const fn error_type(self) -> ErrorType {
        match self {
            Self::Timeout | Self::Unavailable => ErrorType::Transient,
            Self::RateLimit => ErrorType::RateLimit,
            Self::Auth => ErrorType::Auth,
            Self::Conflict => ErrorType::Conflict,
            Self::Refused | Self::Unusable => ErrorType::Permanent,
        }
    }
}

/// The failure for a read, when the handler adds no message.
impl From<CapabilityFault> for ToolError {
    fn from(fault: CapabilityFault) -> Self {
        let error = Self::new(fault.code.error_type(), fault.message.clone());
        if fault.is_diagnosis { error.diagnosed(fault.message) } else { error }
    }
}

#[cfg(test)]
#[path = "fault_tests.rs"]
mod tests;
