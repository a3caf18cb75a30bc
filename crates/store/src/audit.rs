//! Reading the audit log: the filter for records, and the reports of verifying and pruning.

mod entry;

use aileron_contract::audit::Link;
use aileron_contract::{AuditEntry, AuditRecord, CallId, ConversationId, UserId};

pub(crate) use entry::{entry, unfinished};

use crate::error::StoreError;

/// In a filter: every call that failed, whatever its error.
pub const ANY_ERROR: &str = "any";

/// Which records to read, oldest first. Every condition that is set must hold.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AuditFilter {
    /// Calls that began at this time or later.
    pub since: Option<u64>,
    /// Calls that began before this time.
    pub until: Option<u64>,
    pub conversation: Option<ConversationId>,
    /// Providers choose call ids, so two conversations may have the same.
    pub call_id: Option<CallId>,
    pub turn: Option<u64>,
    pub tool: Option<String>,
    pub user: Option<UserId>,
    /// `refused` means every refusal, `refused:loops` those of one policy.
    pub outcome: Option<String>,
    /// The type of the error, or [`ANY_ERROR`].
    pub error: Option<String>,
    /// The first sequence number to read; to continue, pass the last one read plus one.
    pub from: u64,
    pub limit: Option<usize>,
}

impl AuditFilter {
    /// Whether an entry matches. Ignores `from` and the limit.
    pub fn matches(&self, entry: &AuditEntry) -> bool {
        let outcome = |wanted: &String| {
            *wanted == entry.outcome.word() || *wanted == entry.outcome.to_string()
        };
        let error = |wanted: &String| {
            entry.error.is_some_and(|found| wanted == ANY_ERROR || wanted == found.as_str())
        };
        self.since.is_none_or(|since| entry.time >= since)
            && self.until.is_none_or(|until| entry.time < until)
            && self.conversation.as_ref().is_none_or(|wanted| *wanted == entry.conversation)
            && self.call_id.as_ref().is_none_or(|wanted| *wanted == entry.call_id)
            && self.turn.is_none_or(|turn| turn == entry.turn)
            && self.tool.as_ref().is_none_or(|wanted| *wanted == entry.tool_id)
            && self.user.as_ref().is_none_or(|wanted| Some(wanted) == entry.user.as_ref())
            && self.outcome.as_ref().is_none_or(outcome)
            && self.error.as_ref().is_none_or(error)
    }
}

/// Records as they are read. An item may block the thread to read a page; no lock is held between
/// items.
pub type AuditStream = Box<dyn Iterator<Item = Result<AuditRecord, StoreError>> + Send>;

/// The result of verifying the whole chain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChainReport {
    /// How many records were checked.
    pub records: u64,
    /// The link that the first checked record refers to: the last pruned record, or the genesis.
    pub base: Link,
    /// The newest record. Keep it elsewhere to notice a log that was cut off and rewritten.
    pub head: Link,
}

/// The result of one round of pruning.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PruneResult {
    pub records: usize,
    /// The link that the oldest remaining record refers to.
    pub base: Link,
    /// Whether the round reached its limit, so that another round may remove more.
    pub more: bool,
}
