//! Reading the audit log: which records, and what verifying them found.

mod entry;

use aileron_contract::audit::Link;
use aileron_contract::{AuditEntry, AuditRecord, CallId, ConversationId, UserId};

pub(crate) use entry::{entry, unfinished};

use crate::error::StoreError;

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
    pub tool: Option<String>,
    pub user: Option<UserId>,
    /// `refused` means every refusal, `refused:loops` those of one policy.
    pub outcome: Option<String>,
    /// The first sequence number to look at; the last one read plus one goes on from there.
    pub from: u64,
    pub limit: Option<usize>,
}

impl AuditFilter {
    /// Whether an entry fits, place and limit aside.
    pub fn matches(&self, entry: &AuditEntry) -> bool {
        let outcome = |wanted: &String| {
            *wanted == entry.outcome.word() || *wanted == entry.outcome.to_string()
        };
        self.since.is_none_or(|since| entry.time >= since)
            && self.until.is_none_or(|until| entry.time < until)
            && self.conversation.as_ref().is_none_or(|wanted| *wanted == entry.conversation)
            && self.call_id.as_ref().is_none_or(|wanted| *wanted == entry.call_id)
            && self.tool.as_ref().is_none_or(|wanted| *wanted == entry.tool_id)
            && self.user.as_ref().is_none_or(|wanted| Some(wanted) == entry.user.as_ref())
            && self.outcome.as_ref().is_none_or(outcome)
    }
}

/// Records as they are read. Blocks the thread now and then; holds no lock in between.
pub type AuditStream = Box<dyn Iterator<Item = Result<AuditRecord, StoreError>> + Send>;

/// What a walk along the whole chain found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChainReport {
    /// How many records were checked.
    pub records: u64,
    /// What the first of them is linked to: the last record that was pruned, or the genesis.
    pub base: Link,
    /// The newest record. Keep it elsewhere to notice a log that was cut off and rewritten.
    pub head: Link,
}

/// What one round of pruning removed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PruneResult {
    pub records: usize,
    /// What the oldest remaining record is linked to.
    pub base: Link,
    /// Whether the round was full, so that another would find more.
    pub more: bool,
}
