//! The knowledge base: records from files, an index on disk, hybrid search.
//!
//! `records` is the truth, in SQLite; a `shard` is an immutable part of the index
//! over them, made by `ingest` and read by `search`. It knows nothing of tools,
//! conversations or permissions.

mod bitmap;
pub mod embed;
pub mod load;
mod passage;
pub mod record;
mod vectors;
