//! A store in memory: the same answers as on disk, gone with the process.
//!
//! Records are hashed when they are read or when `expire` runs, so that a call costs a few map
//! operations. Call `expire` regularly: it also bounds memory.

mod audit;
mod background_tasks;
mod rates;
mod reserved;
mod store;
mod tables;

use std::sync::{Arc, Mutex, MutexGuard};

use aileron_contract::{Outcome, ToolResponse};

use self::audit::{AuditMemory, UnchainedEntry};
use self::tables::Tables;
use crate::blocks::Blocks;
use crate::call::{CallScope, CallStart};
use crate::error::StoreError;
use crate::ledger::{CallStatus, TicketIssuer};
use crate::ledger_cache::{DiskCheck, EntryBacking, EntryWrite, LedgerCache};
use crate::pending_write::PendingWrite;
use crate::retention::Retention;
use crate::shared_once::lock;

/// How many entries one round of expiry or pruning removes of each kind.
pub(crate) const ROUND: usize = 1000;

/// How many conversations one round forgets: each may have a long log.
pub(crate) const FEW: usize = 50;

/// How many audit records are kept by default.
const AUDIT_LIMIT: usize = 100_000;

/// State in memory.
#[derive(Debug, Clone)]
pub struct MemoryStore(Arc<MemoryInner>);

#[derive(Debug)]
struct MemoryInner {
    cache: LedgerCache,
    blocks: Blocks,
    audit: Arc<AuditMemory>,
    tables: Mutex<Tables>,
    retention: Mutex<Option<Retention>>,
}

impl Default for MemoryStore {
    fn default() -> Self {
        Self::new()
    }
}

impl MemoryStore {
    /// An empty store that keeps the newest 100,000 audit records.
    pub fn new() -> Self {
        Self::with_audit_limit(AUDIT_LIMIT)
    }

    /// An empty store that keeps this many audit records.
    pub fn with_audit_limit(records: usize) -> Self {
        Self(Arc::new(MemoryInner {
            cache: LedgerCache::new(EntryBacking::None),
            blocks: Blocks::default(),
            audit: Arc::new(AuditMemory::new(records)),
            tables: Mutex::default(),
            retention: Mutex::default(),
        }))
    }

    fn tables<T>(&self, use_them: impl FnOnce(&mut Tables) -> T) -> PendingWrite<T> {
        PendingWrite::done(use_them(&mut lock(&self.0.tables)))
    }

    fn record(&self, call: Arc<CallStart>, outcome: Outcome, answer: Arc<ToolResponse>) {
        self.0.audit.push(UnchainedEntry { call, outcome, answer: Some(answer) });
    }
}

impl MemoryInner {
    /// Enters a call unless it is known; returns the status of a known call.
    fn claim(&self, call: &Arc<CallStart>) -> Option<CallStatus> {
        self.cache.claim(call, DiskCheck::DiskToo, EntryWrite::Immediate).known()
    }

    /// Fails if the scope's lease belongs to a former owner.
    fn check_owner(&self, scope: &CallScope) -> Result<MutexGuard<'_, Tables>, StoreError> {
        let tables = lock(&self.tables);
        match tables.is_owner(&scope.conversation, &scope.lease) {
            true => Ok(tables),
            false => Err(StoreError::not_owner(&scope.conversation)),
        }
    }
}

impl TicketIssuer for MemoryInner {
    fn dropped(&self, call: &Arc<CallStart>, outcome: Outcome) {
        self.cache.abandon(call);
        self.audit.push(UnchainedEntry { call: call.clone(), outcome, answer: None });
    }
}

#[cfg(test)]
#[path = "memory_tests.rs"]
mod tests;
