//! The records, in SQLite: the source of truth that the index is built from.
//!
//! One transaction changes records and the list of index shards together, so a reader sees both as
//! they were before or both as they are after. Each version of a record has its own row number; row
//! numbers grow and are never reused.

mod read;
mod schema;
mod write;

use std::path::Path;

use aileron_contract::kb::Namespace;

pub(crate) use self::read::RecordsReader;
pub(crate) use self::write::{RecordsWriter, WriteOutcome};

/// Whether there are records in this folder, of any format.
pub(crate) fn exist(folder: &Path) -> bool {
    folder.join(schema::FILE).exists()
}

/// One shard of the index, as the list of shards has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ShardEntry {
    /// The folder's name; never reused.
    pub(crate) name: String,
    /// The namespace of all its records.
    pub(crate) namespace: Namespace,
    pub(crate) passages: u32,
    pub(crate) first_row: u64,
    pub(crate) last_row: u64,
    /// Rows in it that are no longer records, ascending.
    pub(crate) dead: Vec<u64>,
    pub(crate) records: u64,
}

/// The model of the index's vectors.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct IndexModel {
    pub(crate) name: String,
    pub(crate) dim: usize,
}

#[cfg(test)]
#[path = "records_tests.rs"]
mod tests;
