//! The index as of one commit.

use std::path::Path;
use std::sync::Arc;

use aileron_contract::kb::{Namespace, Record};

use crate::embed::Embedder;
use crate::error::KbError;
use crate::records::{IndexModel, RecordsReader, ShardEntry};
use crate::search::{Records, RecordsError, Results, SearchQuery, Searcher, ShardsByNamespace};
use crate::shard::{self, Shard, ShardExpectation};
use crate::shards;

#[derive(Debug, Default)]
pub(super) struct Index {
    pub(super) generation: u64,
    pub(super) model: Option<IndexModel>,
    pub(super) entries: Vec<ShardEntry>,
    pub(super) shards: ShardsByNamespace,
}

impl Index {
    /// Opens the index that the reader sees; shards that `known` has open are reused.
    pub(super) fn open(
        folder: &Path,
        reader: &RecordsReader,
        known: &Self,
    ) -> Result<Self, KbError> {
        let (model, entries) = (reader.model()?, entries(reader)?);
        let dim = model.as_ref().map(|model| model.dim);
        let open = |entry: &ShardEntry| match known.shard(entry) {
            Some(shard) => Ok(shard),
            None => open(folder, entry, dim).map(Arc::new),
        };
        let opened: Result<Vec<Arc<Shard>>, KbError> = entries.iter().map(open).collect();
        let shards = ShardsByNamespace::new(opened?);
        Ok(Self { generation: reader.generation()?, model, entries, shards })
    }

    fn shard(&self, wanted: &ShardEntry) -> Option<Arc<Shard>> {
        let place = self.entries.iter().position(|entry| entry == wanted)?;
        self.shards.all().get(place).cloned()
    }

    /// The shards that `known` does not have.
    pub(super) fn unlike(&self, known: &Self) -> Vec<ShardEntry> {
        let has = |entry: &ShardEntry| known.entries.iter().any(|other| other.name == entry.name);
        self.entries.iter().filter(|entry| !has(entry)).cloned().collect()
    }

    /// Searches by words, and by meaning if the index and the embedder have the same model.
    pub(super) fn search(
        &self,
        reader: &RecordsReader,
        embedder: Option<&dyn Embedder>,
        request: &SearchQuery<'_>,
    ) -> Result<Results, KbError> {
        let embedder = match (&self.model, embedder) {
            (Some(model), Some(given)) if model.name != given.model().name => {
                let (index, given) = (model.name.clone(), given.model().name.clone());
                return Err(KbError::OtherModel { index, given });
            }
            (Some(_), given) => given,
            (None, _) => None,
        };
        let searcher = Searcher { shards: &self.shards, embedder, records: reader };
        Ok(searcher.search(request)?)
    }

    /// The rows of at most `most` records that share words with a name.
    pub(super) fn rows_sharing_words(
        &self,
        reader: &RecordsReader,
        name: &str,
        namespaces: &[Namespace],
        most: usize,
    ) -> Result<Vec<u64>, KbError> {
        let searcher = Searcher { shards: &self.shards, embedder: None, records: reader };
        Ok(searcher.rows_sharing_words(name, namespaces, most)?)
    }
}

impl Records for RecordsReader {
    fn record(&self, row: u64) -> Result<Option<Record>, RecordsError> {
        Ok(RecordsReader::record(self, row)?)
    }

    fn row_of(&self, id: &str, namespaces: &[Namespace]) -> Result<Option<u64>, RecordsError> {
        Ok(RecordsReader::row_of(self, id, namespaces)?)
    }

    fn types(&self, namespaces: &[Namespace]) -> Result<Vec<String>, RecordsError> {
        let types =
            namespaces.iter().map(|namespace| RecordsReader::types(self, *namespace, MOST_TYPES));
        let mut types = types.collect::<Result<Vec<_>, _>>()?.concat();
        types.sort();
        types.dedup();
        Ok(types)
    }
}

/// The most types that are listed of a namespace.
const MOST_TYPES: usize = 1_000;

/// The shards of the index, if it is in the format of this version.
pub(super) fn entries(reader: &RecordsReader) -> Result<Vec<ShardEntry>, KbError> {
    match reader.index_format()? {
        Some(shard::FORMAT) => reader.shards(),
        found => {
            let found = found.map_or("an earlier one".to_owned(), |format| format.to_string());
            let why = format!("expected an index of format {}, found {found}", shard::FORMAT);
            Err(KbError::DamagedIndex { why })
        }
    }
}

fn open(folder: &Path, entry: &ShardEntry, dim: Option<usize>) -> Result<Shard, KbError> {
    let expected = ShardExpectation { namespace: entry.namespace, passages: entry.passages, dim };
    Ok(Shard::open(&shards::path(folder, &entry.name), &expected, &entry.dead)?)
}

/// Checks every byte of the index against its checksums.
pub(super) fn verify(folder: &Path, entries: &[ShardEntry]) -> Result<(), KbError> {
    let paths = entries.iter().map(|entry| shards::path(folder, &entry.name));
    paths.into_iter().try_for_each(|path| Ok(Shard::verify(&path)?))
}
