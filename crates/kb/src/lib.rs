//! The knowledge base: records from files, an index on disk, hybrid search.
//!
//! `records` holds the records, in SQLite, and is the source of truth; a `shard` is an immutable
//! part of the index over them. A `change` writes both, `base` answers from both. The crate knows
//! nothing of tools, conversations or permissions.

mod base;
mod bitmap;
mod cache;
mod change;
pub mod embed;
mod error;
mod fuse;
pub mod ingest;
pub mod load;
mod passage;
mod query;
pub mod record;
mod records;
mod search;
mod shard;
mod shards;
mod snippet;
mod vectors;
mod words;

pub use self::base::{KindCount, KnowledgeBase, Stats};
pub use self::change::{Change, Put, Start};
pub use self::error::KbError;
pub use self::fuse::Exactness;
pub use self::search::{
    Detail, Expansion, Explanation, Ranked, Request, Results, TermShare, WordShare,
};
pub use self::snippet::Snippet;
