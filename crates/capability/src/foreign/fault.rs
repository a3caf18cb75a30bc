//! How a call of a handler in another language can fail.

use std::fmt;

use aileron_contract::ErrorType;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::host::HostFault;
use crate::handler::Quarantine;

/// Why a call has no result.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum HandlerFault {
    /// The tool threw a `ToolError`, a class of its own or the one from `aileron`.
    Thrown(Box<ThrownToolError>),
    /// The tool did not catch the fault of a capability.
    Capability(Box<UncaughtFault>),
    /// The tool threw another value, or its promise never settled.
    Error { name: String, message: String, stack: String },
    /// The memory limit was reached. A literal `throw null` looks the same.
    OutOfMemory,
    /// The CPU time limit was reached.
    CpuDeadline,
    /// The call's own deadline passed.
    Deadline,
    /// The caller gave up.
    Cancelled,
    /// The result is longer than the limit.
    ResultTooLarge,
    /// The result is not JSON; the text is the reason.
    BadResult(String),
    /// Calls of the tool block threads beyond all limits; this call was refused and did not run.
    Quarantined(Quarantine),
    /// The engine has no thread or process for the call, so it did not run.
    EngineLost,
    /// No worker process could be had for this reason, so the call did not run.
    NoWorker(String),
    /// The thread or worker that ran the call was lost before it finished. Its side effects are unknown.
    LostMidway,
    /// The worker process ended before the call. The call's side effects are unknown.
    WorkerEnded(WorkerEnd),
}

/// How a worker process ended.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WorkerEnd {
    /// The reason, in fixed text.
    pub why: String,
    /// Its last output, which may quote any data.
    pub output: String,
}

impl fmt::Display for WorkerEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.output.is_empty() {
            true => f.write_str(&self.why),
            false => write!(f, "{} after it wrote: {}", self.why, self.output),
        }
    }
}

/// A thrown `ToolError`. Fields that the tool omitted are absent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ThrownToolError {
    #[serde(rename = "type")]
    pub kind: ErrorType,
    pub message: String,
    #[serde(default)]
    pub retryable: Option<bool>,
    #[serde(default)]
    pub partial_side_effects: Option<bool>,
    #[serde(default)]
    pub idempotency_required: Option<bool>,
    #[serde(default)]
    pub suggestion: Option<String>,
    #[serde(default)]
    pub details: Option<Value>,
}

/// The fault of a capability that a tool did not catch, and the stack where the capability was called.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct UncaughtFault {
    pub fault: HostFault,
    #[serde(default)]
    pub stack: String,
}

impl HandlerFault {
    /// An error that the engine found in the tool's behaviour.
    pub fn error(name: &str, message: impl Into<String>) -> Self {
        Self::Error { name: name.into(), message: message.into(), stack: String::new() }
    }
}

impl fmt::Display for HandlerFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Thrown(thrown) => write!(f, "{}: {}", thrown.kind.as_str(), thrown.message),
            Self::Capability(uncaught) => {
                write!(f, "{}: {}", uncaught.fault.code, uncaught.fault.message)
            }
            Self::Error { name, message, .. } => write!(f, "{name}: {message}"),
            Self::OutOfMemory => f.write_str("the memory limit was reached"),
            Self::CpuDeadline => f.write_str("the processor time was used up"),
            Self::Deadline => f.write_str("the deadline passed"),
            Self::Cancelled => f.write_str("the call was cancelled"),
            Self::ResultTooLarge => f.write_str("the result is longer than the limit"),
            Self::BadResult(why) => write!(f, "the result is no JSON: {why}"),
            Self::Quarantined(quarantine) => quarantine.fmt(f),
            Self::EngineLost => f.write_str("the engine has nothing left to run the call on"),
            Self::NoWorker(why) => write!(f, "no worker process for the call: {why}"),
            Self::WorkerEnded(end) => end.fmt(f),
            Self::LostMidway => {
                f.write_str("the thread or worker that ran this call was lost before it finished")
            }
        }
    }
}

impl std::error::Error for HandlerFault {}
