//! Counts and sizes of a knowledge base.

use std::fs;
use std::path::Path;

use serde::Serialize;

use super::index::Index;
use crate::error::KbError;
use crate::records::RecordsReader;

/// Counts and sizes of a knowledge base.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Stats {
    pub records: u64,
    pub passages: u64,
    pub kinds: Vec<KindCount>,
    /// The embedding model; none when search is by words alone.
    pub model: Option<String>,
    pub shards: usize,
    /// Records in the index that were changed or removed since.
    pub dead: u64,
    pub index_bytes: u64,
    pub total_bytes: u64,
    /// How many changes were committed.
    pub generation: u64,
}

/// How many records of a type a namespace has.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct KindCount {
    pub namespace: String,
    #[serde(rename = "type")]
    pub kind: String,
    pub records: u64,
}

pub(super) fn gather(
    folder: &Path,
    reader: &RecordsReader,
    index: &Index,
) -> Result<Stats, KbError> {
    let count = |(namespace, kind, records)| KindCount { namespace, kind, records };
    let kinds: Vec<KindCount> = reader.kinds()?.into_iter().map(count).collect();
    Ok(Stats {
        records: kinds.iter().map(|count| count.records).sum(),
        passages: index.entries.iter().map(|entry| u64::from(entry.passages)).sum(),
        kinds,
        model: index.model.as_ref().map(|model| model.name.clone()),
        shards: index.entries.len(),
        dead: index.entries.iter().map(|entry| entry.dead.len() as u64).sum(),
        index_bytes: index.shards.all().iter().map(|shard| shard.bytes()).sum(),
        total_bytes: size(folder),
        generation: index.generation,
    })
}

/// The bytes of all files below a folder; a file that vanishes meanwhile is not counted.
fn size(path: &Path) -> u64 {
    let entries = fs::read_dir(path).into_iter().flatten().flatten();
    let bytes = entries.map(|entry| match entry.metadata() {
        Ok(found) if found.is_dir() => size(&entry.path()),
        Ok(found) => found.len(),
        Err(_) => 0,
    });
    bytes.sum()
}
