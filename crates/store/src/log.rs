//! The message log of a conversation, as the store keeps it: entries are appended in order and
//! never changed. The store does not interpret their content.

use std::sync::Arc;

use serde_json::Value;

/// One entry of a conversation's log.
#[derive(Debug, Clone, PartialEq)]
pub struct LogEntry {
    /// 1 for the first of a conversation, one more each time.
    pub seq: u64,
    /// When it was added, by the caller's clock.
    pub time: u64,
    pub body: Arc<Value>,
}

/// The result of adding entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AppendResult {
    /// Added; this is the number of the last entry of the log.
    At(u64),
    /// Another writer added entries first: this is the number of the last one. Nothing was written.
    Conflict { found: u64 },
}
