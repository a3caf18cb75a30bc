//! Durable state behind one trait: the execution ledger, confirmations, blocks,
//! conversations, what was said in them, and the audit log.
//!
//! [`SqliteStore`] keeps it in a file that several processes of one machine may
//! share; [`MemoryStore`] gives the same answers without a disk. What a policy
//! makes of those answers is the orchestrator's business.

#[cfg(test)]
extern crate self as aileron_store;

pub mod artifacts;
pub mod audit;
mod blocks;
pub mod call;
pub mod commit;
pub mod document;
pub mod error;
mod front;
pub mod key;
pub mod lease;
pub mod ledger;
pub mod log;
pub mod memory;
pub mod rate;
mod retention;
mod slot;
pub mod sqlite;
pub mod stats;
pub mod store;

#[cfg(test)]
#[path = "../tests/it/sample.rs"]
mod sample;

pub use artifacts::Artifacts;
pub use audit::{AuditFilter, AuditStream, Pruned, Verified};
pub use blocks::Block;
pub use call::{CallContent, CallStart, Scope, ToolStamp};
pub use commit::Commit;
pub use document::{Document, Expired, Forgotten, Pending, Saved, Summary, Taken};
pub use error::StoreError;
pub use lease::{Acquired, Lease};
pub use ledger::{AbandonedCall, Answering, Begun, Confirmed, Known, Running, Ticket};
pub use log::{Appended, LogEntry};
pub use memory::MemoryStore;
pub use rate::{Counted, Counter};
pub use retention::Look;
pub use sqlite::{AuditLog, SqliteOptions, SqliteStore};
pub use stats::{Distribution, Figures, Stats};
pub use store::Store;
