//! The records, in SQLite: the truth that the index is made from.
//!
//! One transaction changes records and the list of index shards together, so
//! whoever reads sees both as they were before or both as they are after. A
//! version of a record has a row of its own; rows grow and are never used twice.

mod read;
mod schema;
mod write;

use std::path::Path;

use aileron_contract::kb::Namespace;

pub(crate) use self::read::Reader;
pub(crate) use self::write::{Stored, Writer};

/// Whether there are records in this folder, of whatever format.
pub(crate) fn exist(folder: &Path) -> bool {
    folder.join(schema::FILE).exists()
}

/// One part of the index, as the records know it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ShardEntry {
    /// The folder's name; never used twice.
    pub(crate) name: String,
    /// Of all its records.
    pub(crate) namespace: Namespace,
    pub(crate) passages: u32,
    pub(crate) first_row: u64,
    pub(crate) last_row: u64,
    /// Rows in it that are no longer records, ascending.
    pub(crate) dead: Vec<u64>,
    pub(crate) records: u64,
}

/// Which vectors an index has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct IndexModel {
    pub(crate) name: String,
    pub(crate) dim: usize,
}

#[cfg(test)]
#[path = "records_tests.rs"]
mod tests;
