//! Durable state behind one trait, `Store`: the execution ledger, confirmations, blocks, counters
//! of rate limits, conversations with their transcript log, tasks, and the audit log.
//!
//! [`SqliteStore`] keeps it in a file that several processes of one machine may share;
//! [`MemoryStore`] gives the same answers without a disk, and one test suite checks both. Policies
//! belong to the orchestrator; this crate reads no clock.
//!
//! - **Reads and writes.** Calls are answered from memory (`ledger_cache`). One thread writes to the disk;
//!   many operations share one fsync, and an operation without a waiter costs a push to a queue. A
//!   write is durable before it runs and again before it is answered, and so is the resolution of a
//!   confirmation. An approved call starts in the transaction that resolves its confirmation; a
//!   rate limit is counted in a separate transaction. A write that is queued behind another one is
//!   only in memory: it has not started. Records of reads are written at the next tick (25 ms), so
//!   a killed process may lose the records of reads that it answered since its last commit; a read
//!   that runs longer is entered, and the next process that opens the store records it as
//!   `process_died`. Each open store holds a lock on its own file, so a dead process is
//!   distinguished from a slow one at once.
//! - **Ownership.** A conversation has one owner at a time (`lease`, `sqlite/leases`). A process
//!   that wants it marks its row; the owner checks at every tick, revokes its own lease, writes all
//!   its decisions, and releases it. Leases are not stolen from a live process. The epoch grows
//!   with each owner: a write starts only under the newest epoch, and `acquire` changes the
//!   version, so that no save of a former owner succeeds. A trigger keeps an ended conversation
//!   ended.
//! - **Retention.** Old data is removed in bounded steps (`expire`, `prune_audit`,
//!   `forget_conversations`) when turns begin. `retention` counts only time during which processes
//!   ran, because the wall clock may jump.
//! - **Damage.** `sqlite/commits` counts commits in the database and in a file beside it, so that a
//!   truncated or replaced database is detected when it is opened. `artifacts` stores the
//!   registries of conversations.
//! - **Audit.** `AuditLog` reads the log page by page while other processes write it; `Stats`
//!   computes statistics from records without keeping them. A block takes effect in memory before
//!   it is on disk.

#[cfg(test)]
extern crate self as aileron_store;

pub mod artifacts;
pub mod audit;
mod blocks;
pub mod call;
pub mod document;
pub mod error;
pub mod key;
pub mod lease;
pub mod ledger;
mod ledger_cache;
pub mod log;
pub mod memory;
pub mod pending_write;
pub mod rate;
mod retention;
mod shared_once;
pub mod sqlite;
pub mod stats;
pub mod store;
pub mod tasks;

#[cfg(test)]
#[path = "../tests/it/sample.rs"]
mod sample;

pub use artifacts::Artifacts;
pub use audit::{ANY_ERROR, AuditFilter, AuditStream, ChainReport, PruneResult};
pub use blocks::Block;
pub use call::{CallContent, CallScope, CallStart, ToolStamp};
pub use document::{
    ConfirmationFilter, DecidedConfirmation, ExpiryResult, ForgetResult, OwnerFilter,
    PendingConfirmation, RecentCursor, SaveResult, StoredConversation, Summary, TakeRecord,
    TakeResult,
};
pub use error::StoreError;
pub use lease::{AcquireResult, ExpectedState, Lease};
pub use ledger::{
    AbandonedCall, BeginConfirmedResult, BeginResult, CallCompleter, CallStatus, CallWait, Ticket,
};
pub use log::{AppendResult, LogEntry};
pub use memory::MemoryStore;
pub use pending_write::PendingWrite;
pub use rate::{CountResult, Counter};
pub use retention::RetentionCheck;
pub use sqlite::{AuditLog, SqliteOptions, SqliteStore};
pub use stats::{Distribution, Figures, Stats};
pub use store::Store;
pub use tasks::{
    StoredTask, TaskChange, TaskCounts, TaskCursor, TaskEnd, TaskFilter, TaskState, TaskStore,
};
