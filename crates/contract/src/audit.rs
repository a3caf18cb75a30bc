//! The audit record: what happened to one call, linked to the record before it by a hash. The store
//! writes the records.

mod chain;
mod outcome;
mod trail;

use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use chain::{ChainBreak, Link};
pub use outcome::{Outcome, OutcomeError};
pub use trail::{Measure, StepResult, TrailStep};

use crate::error::ErrorType;
use crate::hash::ContentHash;
use crate::id::{CallId, ConversationId, UserId};
use crate::mode::Mode;
use crate::spec::Category;

/// The facts about one finished call, already redacted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AuditEntry {
    /// When the call began, in milliseconds since the Unix epoch.
    pub time: u64,
    pub conversation: ConversationId,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user: Option<UserId>,
    pub mode: Mode,
    pub turn: u64,
    pub call_id: CallId,
    /// The name in the call, so that a call of an unknown tool is recorded too.
    pub tool_id: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tool_version: Option<String>,
    /// The category of the tool; absent for an unknown tool, and in records of older versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub category: Option<Category>,
    pub registry_version: String,
    pub outcome: Outcome,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<ErrorType>,
    /// Whether the call may be retried; only if this differs from the default of its error type.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub retryable: Option<bool>,
    /// Milliseconds.
    pub duration: u64,
    pub attempts: u32,
    pub args: Value,
    /// Absent if there is no result or it is too large; `result_bytes` tells the two apart.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<Value>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result_bytes: Option<u64>,
    /// The policy that decided about the call and its number; every policy if the settings say so.
    /// Empty for a call that passed, and in records of older versions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub trail: Vec<TrailStep>,
}

/// An entry with its position in the hash chain.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AuditRecord {
    /// 1 for the first record, then without a gap.
    pub seq: u64,
    #[serde(flatten)]
    pub entry: AuditEntry,
    /// The hash of the record before.
    pub previous: ContentHash,
    /// The hash of the canonical JSON of all other fields.
    pub hash: ContentHash,
}

impl AuditRecord {
    /// Reads a record from its hashed text and its hash, without verifying the hash.
    pub fn from_parts(body: &str, hash: &str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(&Self::json_from_parts(body, hash))
    }

    /// The JSON text of a record, from its hashed text and its hash.
    pub fn json_from_parts(body: &str, hash: &str) -> String {
        let rest = body.strip_prefix('{').unwrap_or(body);
        format!("{{\"hash\":\"{hash}\",{rest}")
    }
}

#[cfg(test)]
#[path = "audit_tests.rs"]
mod tests;
