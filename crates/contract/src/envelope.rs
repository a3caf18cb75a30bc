//! The response envelope of every call.

use serde::ser::SerializeStruct;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use crate::error::ErrorType;
use crate::id::{CallId, ToolId};
use crate::intent::Intent;
use crate::task::TaskMeta;

/// The version of this envelope, stamped on every response.
pub const RESPONSE_SCHEMA_VERSION: &str = "1.0.0";

/// The outcome of one call.
#[derive(Debug, Clone, PartialEq)]
pub enum ToolResponse {
    Success { data: Value, intents: Vec<Intent>, meta: Meta },
    Failure { error: Failure, meta: Meta },
}

/// A failed call, described for the model, the person and the audit record.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Failure {
    #[serde(rename = "type")]
    pub kind: ErrorType,
    pub message: String,
    pub retryable: bool,
    pub partial_side_effects: bool,
    pub idempotency_required: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suggestion: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub details: Option<Value>,
    #[serde(default, rename = "confirmation_request", skip_serializing_if = "Option::is_none")]
    pub confirmation_request: Option<ConfirmationRequest>,
}

impl Failure {
    /// A failure before the handler ran: retryable as the error table says, no side effects.
    pub fn new(kind: ErrorType, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
            retryable: kind.retryable(),
            partial_side_effects: false,
            idempotency_required: false,
            suggestion: None,
            details: None,
            confirmation_request: None,
        }
    }
}

/// The call that the person is asked to approve.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ConfirmationRequest {
    pub token: String,
    /// Milliseconds since the Unix epoch.
    pub expires: u64,
    pub tool: ToolId,
    pub args: Value,
    pub preview: String,
}

/// The tool, the registry version and the duration of a call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Meta {
    /// The name in the call, so that a response about an unknown tool can name it.
    pub tool_id: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool_version: Option<String>,
    pub registry_version: String,
    pub response_schema_version: String,
    pub call_id: CallId,
    /// Milliseconds.
    pub duration: u64,
    pub attempts: u32,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub replayed: bool,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub clamped: Vec<Clamp>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub over_budget: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub truncated: bool,
    /// Sentences for the author about actions of the handler without the effect that the author
    /// expects. The model does not receive them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// Set if the call became a task.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub task: Option<TaskMeta>,
}

/// An argument that a mode limit reduced.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Clamp {
    /// JSON Pointer into the arguments.
    pub pointer: String,
    pub from: Value,
    pub to: Value,
}

impl ToolResponse {
    /// The metadata of the call.
    pub fn meta(&self) -> &Meta {
        match self {
            Self::Success { meta, .. } | Self::Failure { meta, .. } => meta,
        }
    }

    /// The metadata of the call, to be changed.
    pub fn meta_mut(&mut self) -> &mut Meta {
        match self {
            Self::Success { meta, .. } | Self::Failure { meta, .. } => meta,
        }
    }

    /// The same answer, as one of a task.
    #[must_use]
    pub fn of_task(mut self, task: TaskMeta) -> Self {
        self.meta_mut().task = Some(task);
        self
    }

    /// The failure, if the call failed.
    pub fn failure(&self) -> Option<&Failure> {
        match self {
            Self::Success { .. } => None,
            Self::Failure { error, .. } => Some(error),
        }
    }
}

/// The flat form on the wire, where `ok` tells the two outcomes apart.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Wire {
    ok: bool,
    #[serde(default)]
    data: Option<Value>,
    #[serde(default)]
    intents: Option<Vec<Intent>>,
    #[serde(default)]
    error: Option<Failure>,
    meta: Meta,
}

impl Serialize for ToolResponse {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Success { data, intents, meta } => {
                let mut wire = serializer.serialize_struct("ToolResponse", 4)?;
                wire.serialize_field("ok", &true)?;
                wire.serialize_field("data", data)?;
                wire.serialize_field("intents", intents)?;
                wire.serialize_field("meta", meta)?;
                wire.end()
            }
            Self::Failure { error, meta } => {
                let mut wire = serializer.serialize_struct("ToolResponse", 3)?;
                wire.serialize_field("ok", &false)?;
                wire.serialize_field("error", error)?;
                wire.serialize_field("meta", meta)?;
                wire.end()
            }
        }
    }
}

impl<'de> Deserialize<'de> for ToolResponse {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let wire = Wire::deserialize(deserializer)?;
        match wire {
            Wire { ok: true, data, intents, error: None, meta } => Ok(Self::Success {
                data: data.unwrap_or(Value::Null),
                intents: intents.unwrap_or_default(),
                meta,
            }),
            Wire { ok: false, data: None, intents: None, error: Some(error), meta } => {
                Ok(Self::Failure { error, meta })
            }
            _ => Err(serde::de::Error::custom(
                "expected `ok: true` with `data`, or `ok: false` with `error` alone",
            )),
        }
    }
}

#[cfg(test)]
#[path = "envelope_tests.rs"]
mod tests;
