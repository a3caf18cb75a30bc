//! One change of the knowledge base: records and index together, atomic. Until it is committed,
//! every other reader sees the state before it.

mod compact;
mod indexer;

use std::path::{Path, PathBuf};

use aileron_contract::kb::{Namespace, Record};
use tempfile::TempDir;

use self::indexer::Indexer;
use crate::embed::Embedder;
use crate::error::KbError;
use crate::record::content_hash;
use crate::records::{self, IndexModel, RecordsWriter, ShardEntry, WriteOutcome};
use crate::{shard, shards};

/// A change in progress. Dropping it without [`Change::commit`] discards it.
#[derive(Debug)]
pub struct Change<'a> {
    folder: PathBuf,
    writer: RecordsWriter,
    /// None in a dry run.
    indexer: Option<Indexer<'a>>,
    touched: bool,
    /// The temporary folder of a dry run where there is no knowledge base yet.
    _scratch: Option<TempDir>,
}

/// The outcome of putting a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PutOutcome {
    Added,
    Changed,
    Unchanged,
}

/// Whether the index is extended, or rebuilt from all records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IndexStart {
    Continue,
    Rebuild,
}

impl<'a> Change<'a> {
    /// Begins a change of the knowledge base in this folder, which is created if there is none.
    pub(crate) fn begin(
        folder: &Path,
        embedder: Option<&'a dyn Embedder>,
        start: IndexStart,
    ) -> Result<Self, KbError> {
        let writer = RecordsWriter::begin(folder)?;
        shards::sweep(folder, &writer.reader().shards()?);
        let model = embedder.map(Embedder::model);
        let model = model.map(|model| IndexModel { name: model.name.clone(), dim: model.dim });
        let same = writer.reader().model()? == model;
        let current = writer.reader().index_format()? == Some(shard::FORMAT);
        let empty = writer.reader().is_empty()?;
        let mut change = Self {
            folder: folder.to_owned(),
            indexer: Some(Indexer::new(folder, embedder)?),
            writer,
            touched: false,
            _scratch: None,
        };
        match start {
            IndexStart::Continue if same && current => {}
            IndexStart::Continue if !same && !empty => {
                return Err(other_model(&change.writer, model));
            }
            _ => change.rebuild(model.as_ref())?,
        }
        Ok(change)
    }

    /// Begins a dry run: a change that reports what it would do and writes nothing.
    pub(crate) fn rehearse(folder: &Path) -> Result<Self, KbError> {
        let scratch = match records::exist(folder) {
            true => None,
            false => Some(TempDir::new()?),
        };
        let folder = scratch.as_ref().map_or(folder, TempDir::path).to_owned();
        let writer = RecordsWriter::begin(&folder)?;
        Ok(Self { folder, writer, indexer: None, touched: false, _scratch: scratch })
    }

    fn rebuild(&mut self, model: Option<&IndexModel>) -> Result<(), KbError> {
        self.touched = true;
        self.writer.set_model(model)?;
        self.writer.set_index_format(shard::FORMAT)?;
        let old = self.writer.reader().shards()?;
        self.replace(&old, 0..=i64::MAX as u64, None)
    }

    /// Replaces these shards by new ones over the records of these rows, of one namespace or of
    /// all.
    fn replace(
        &mut self,
        old: &[ShardEntry],
        rows: std::ops::RangeInclusive<u64>,
        namespace: Option<Namespace>,
    ) -> Result<(), KbError> {
        old.iter().try_for_each(|shard| self.writer.drop_shard(&shard.name))?;
        let (writer, Some(indexer)) = (&self.writer, &mut self.indexer) else { return Ok(()) };
        writer.reader().each_of(rows, namespace, |row, record| indexer.add(writer, row, record))?;
        indexer.close(writer)
    }

    /// Merges shards where that is due, each namespace by itself: the layout of one namespace does
    /// not depend on another.
    fn compact(&mut self, namespace: Namespace) -> Result<(), KbError> {
        loop {
            let mut shards = self.writer.reader().shards()?;
            shards.retain(|shard| shard.namespace == namespace);
            let Some(run) = compact::choose(&shards) else { return Ok(()) };
            self.replace(&run.shards, run.rows(), Some(namespace))?;
        }
    }

    /// Adds a record, or replaces the one with its id.
    pub fn put(&mut self, record: Record, source: &str) -> Result<PutOutcome, KbError> {
        let (row, put) = match self.writer.put(&record, &content_hash(&record), source)? {
            WriteOutcome::Unchanged => return Ok(PutOutcome::Unchanged),
            WriteOutcome::Added { row } => (row, PutOutcome::Added),
            WriteOutcome::Changed { row } => (row, PutOutcome::Changed),
        };
        self.touched = true;
        if let Some(indexer) = &mut self.indexer {
            indexer.add(&self.writer, row, record)?;
        }
        Ok(put)
    }

    /// Removes a record; false if there was none.
    pub fn remove(&mut self, id: &str) -> Result<bool, KbError> {
        let removed = self.writer.remove(id)?;
        self.touched |= removed;
        Ok(removed)
    }

    /// Records that came from this file or folder in an earlier change and were not put in
    /// this one: ids, each with its file.
    pub fn unseen(&self, root: &str) -> Result<Vec<(String, String)>, KbError> {
        self.writer.unseen(root)
    }

    /// Makes the change durable and visible. If nothing differs, nothing is written.
    pub fn commit(mut self) -> Result<(), KbError> {
        let Some(indexer) = &mut self.indexer else { return Ok(()) };
        indexer.close(&self.writer)?;
        Namespace::ALL.into_iter().try_for_each(|namespace| self.compact(namespace))?;
        if self.touched {
            let kept = self.writer.reader().shards()?;
            shards::sync(&self.folder)?;
            self.writer.commit()?;
            shards::sweep(&self.folder, &kept);
        }
        Ok(())
    }
}

fn other_model(writer: &RecordsWriter, given: Option<IndexModel>) -> KbError {
    let name = |model: Option<IndexModel>| model.map_or("no model".to_owned(), |model| model.name);
    match writer.reader().model() {
        Ok(index) => KbError::OtherModel { index: name(index), given: name(given) },
        Err(error) => error,
    }
}
