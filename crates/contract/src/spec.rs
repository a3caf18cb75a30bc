//! The typed contents of `schema.json`.

use std::collections::BTreeMap;

use semver::Version;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::id::ToolId;
use crate::mode::{Mode, Modes};

/// The contract of one tool: its parameters and how it may be used.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ToolSpec {
    pub tool_id: ToolId,
    pub version: Version,
    pub description: String,
    pub category: Category,
    pub side_effects: SideEffects,
    pub idempotent: bool,
    pub requires_confirmation: bool,
    pub allowed_modes: Modes,
    pub latency_budget_ms: u64,
    /// JSON Schema 2020-12 of the arguments.
    pub parameters: Value,
    /// JSON Schema 2020-12 of `data`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub returns: Option<Value>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub capabilities: Vec<String>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub mode_limits: BTreeMap<Mode, BTreeMap<String, ModeLimit>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout_ms: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rate_limit: Option<RateLimit>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub permissions: Option<Permissions>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub availability: Option<Availability>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confirmation: Option<Confirmation>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub speech: Option<Speech>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub on_interrupt: Option<OnInterrupt>,
    /// JSON Pointers into the arguments or `data`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub redact: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_result_chars: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub runtime: Option<HandlerRuntime>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub execution: Option<Execution>,
}

impl ToolSpec {
    /// The effect of a barge-in on a running call, given or default.
    pub fn on_interrupt(&self) -> OnInterrupt {
        self.on_interrupt.unwrap_or(match self.side_effects {
            SideEffects::Writes => OnInterrupt::Continue,
            SideEffects::None | SideEffects::ReadOnly => OnInterrupt::Cancel,
        })
    }

    /// Where the handler runs, given or default.
    pub fn runtime(&self) -> HandlerRuntime {
        self.runtime.unwrap_or_default()
    }

    /// How a call is answered, given or default.
    pub fn execution(&self) -> Execution {
        self.execution.unwrap_or_default()
    }

    /// The hard deadline, given or default.
    pub fn timeout_ms(&self) -> u64 {
        self.timeout_ms.unwrap_or(self.latency_budget_ms.saturating_mul(4))
    }
}

/// The category of a tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Category {
    Retrieval,
    Action,
    Utility,
}

impl Category {
    /// The name in `schema.json`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Retrieval => "retrieval",
            Self::Action => "action",
            Self::Utility => "utility",
        }
    }
}

/// The side effects of a tool, weakest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SideEffects {
    None,
    ReadOnly,
    Writes,
}

impl SideEffects {
    /// The name in `schema.json`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::ReadOnly => "read_only",
            Self::Writes => "writes",
        }
    }
}

/// Tighter bounds on one parameter in one mode. An argument beyond them is clamped, never refused.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ModeLimit {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub minimum: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub maximum: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_length: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_items: Option<u64>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub exclude: Vec<Value>,
}

/// How often a tool may be called.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RateLimit {
    pub calls: u64,
    pub window_ms: u64,
    pub per: RateScope,
}

/// Which calls a rate limit counts together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RateScope {
    Conversation,
    User,
    Tool,
}

/// The permissions that a caller needs.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Permissions {
    #[serde(default)]
    pub requires_auth: bool,
    #[serde(default)]
    pub scopes: Vec<String>,
}

/// The condition under which a tool is declared and callable.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Availability {
    /// CEL over `mode`, `user` and `conversation`.
    pub condition: String,
}

/// When and how the person is asked.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Confirmation {
    /// CEL over `args`, `mode` and `user`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub when: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub preview: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ttl_seconds: Option<u64>,
}

/// The sentences spoken around a slow call in voice.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Speech {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub preamble: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub filler: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub filler_after_ms: Option<u64>,
}

/// The effect of a barge-in on a running call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OnInterrupt {
    Continue,
    Cancel,
    Detach,
}

/// Where a handler that is not native runs.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "lowercase")]
pub enum HandlerRuntime {
    /// JavaScript without file system, processes or packages.
    #[default]
    Sandbox,
    /// A Node.js worker process: trusted code with packages.
    Node,
    /// A Python worker process: trusted code with packages.
    Python,
}

impl HandlerRuntime {
    /// The name in `schema.json`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Sandbox => "sandbox",
            Self::Node => "node",
            Self::Python => "python",
        }
    }
}

/// How a call is answered.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Execution {
    /// With its result.
    #[default]
    Foreground,
    /// At once with the id of a task; the result follows when it is ready.
    Background,
}
