//! A knowledge base in a folder: many threads search it concurrently, one process changes it.
//!
//! Every answer is a snapshot: its records and its index belong to the same commit. The next
//! request sees a commit of another process.

mod index;
mod nearby;
mod stats;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use aileron_contract::kb::{FetchedRecords, MissingRecord, Namespace, Record};

use self::index::Index;
pub use self::stats::{KindCount, Stats};
use crate::change::{Change, IndexStart};
use crate::embed::Embedder;
use crate::error::KbError;
use crate::records::{self, RecordsReader, ShardEntry};
use crate::search::{Results, SearchQuery};
use crate::shard;

/// Idle connections that are kept open; a burst of requests opens more, which are closed again.
const MOST_IDLE: usize = 32;

/// The knowledge base in one folder.
#[derive(Debug)]
pub struct KnowledgeBase {
    folder: PathBuf,
    embedder: Option<Arc<dyn Embedder>>,
    /// Connections that are open and not in use.
    readers: Mutex<Vec<RecordsReader>>,
    index: Mutex<Arc<Index>>,
    /// The damage that the verification in the background found.
    suspicion: Arc<Mutex<Option<KbError>>>,
    mending: Mutex<()>,
}

impl KnowledgeBase {
    /// The knowledge base in this folder. Nothing is read yet, and the folder need not exist.
    pub fn at(folder: impl Into<PathBuf>, embedder: Option<Arc<dyn Embedder>>) -> Self {
        Self {
            folder: folder.into(),
            embedder,
            readers: Mutex::default(),
            index: Mutex::default(),
            suspicion: Arc::default(),
            mending: Mutex::default(),
        }
    }

    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Whether the folder holds a knowledge base.
    pub fn exists(&self) -> bool {
        records::exist(&self.folder)
    }

    /// Begins a change; creates the knowledge base if there is none.
    pub fn begin(&self, start: IndexStart) -> Result<Change<'_>, KbError> {
        Change::begin(&self.folder, self.embedder.as_deref(), start)
    }

    /// Begins a dry run: a change that reports what it would do and writes nothing.
    pub fn rehearse(&self) -> Result<Change<'_>, KbError> {
        Change::rehearse(&self.folder)
    }

    /// Opens the index ahead of the first request.
    pub fn open(&self) -> Result<(), KbError> {
        self.ask(|_, _| Ok(()))
    }

    /// The records that answer a request, best first.
    pub fn search(&self, request: &SearchQuery<'_>) -> Result<Results, KbError> {
        self.ask(|reader, index| index.search(reader, self.embedder.as_deref(), request))
    }

    /// The records of these ids in these namespaces, in the order of the ids. An id that no record
    /// has is listed with up to three similar ids of the same namespaces.
    pub fn read(
        &self,
        ids: &[String],
        namespaces: &[Namespace],
    ) -> Result<FetchedRecords, KbError> {
        self.ask(|reader, index| {
            let mut fetched = FetchedRecords::default();
            for id in ids {
                let row = reader.row_of(id, namespaces)?;
                match row.map(|row| reader.record(row)).transpose()?.flatten() {
                    Some(record) => fetched.records.push(record),
                    None => {
                        let closest = nearby::ids(reader, index, id, namespaces)?;
                        fetched.missing.push(MissingRecord { id: id.clone(), closest });
                    }
                }
            }
            Ok(fetched)
        })
    }

    /// Passes every record to `show`, ordered by id.
    pub fn each(&self, show: impl FnMut(Record) -> Result<(), KbError>) -> Result<(), KbError> {
        self.moment(|reader| reader.each(show))
    }

    /// Counts and sizes.
    pub fn stats(&self) -> Result<Stats, KbError> {
        self.ask(|reader, index| stats::gather(&self.folder, reader, index))
    }

    /// Reads every byte of records and index and reports the first damage. An index of an earlier
    /// format is not damage: it is rebuilt first.
    pub fn verify(&self) -> Result<(), KbError> {
        if self.moment(RecordsReader::index_format)? != Some(shard::FORMAT) {
            self.open()?;
        }
        self.moment(|reader| {
            reader.verify()?;
            index::verify(&self.folder, &index::entries(reader)?)
        })
    }

    /// Answers from one snapshot of records and index; rebuilds a damaged index and tries again.
    fn ask<T>(
        &self,
        answer: impl Fn(&RecordsReader, &Index) -> Result<T, KbError>,
    ) -> Result<T, KbError> {
        let suspicion = lock(&self.suspicion).take();
        let found = suspicion
            .map_or_else(|| self.moment(|reader| answer(reader, &*self.current(reader)?)), Err);
        match found {
            Err(KbError::DamagedIndex { why }) => {
                self.mend(why)?;
                self.moment(|reader| answer(reader, &*self.current(reader)?))
            }
            found => found,
        }
    }

    /// Runs `read` in one read transaction, so that everything it reads belongs to one snapshot.
    fn moment<T>(
        &self,
        read: impl FnOnce(&RecordsReader) -> Result<T, KbError>,
    ) -> Result<T, KbError> {
        let free = lock(&self.readers).pop();
        let reader = free.map_or_else(|| RecordsReader::open(&self.folder), Ok)?;
        reader.begin()?;
        let read = read(&reader);
        reader.end()?;
        let mut idle = lock(&self.readers);
        if idle.len() < MOST_IDLE {
            idle.push(reader);
        }
        read
    }

    /// The index of the commit that the reader sees.
    fn current(&self, reader: &RecordsReader) -> Result<Arc<Index>, KbError> {
        let generation = reader.generation()?;
        let known = lock(&self.index).clone();
        if known.generation == generation {
            return Ok(known);
        }
        let index = Arc::new(Index::open(&self.folder, reader, &known)?);
        *lock(&self.index) = index.clone();
        self.inspect(index.unlike(&known))?;
        Ok(index)
    }

    /// Verifies shards that were just opened, in the background: opening a shard checks the lengths
    /// of its files and not their bytes.
    fn inspect(&self, entries: Vec<ShardEntry>) -> Result<(), KbError> {
        let (folder, suspicion) = (self.folder.clone(), self.suspicion.clone());
        let read = move || {
            if let Err(error) = index::verify(&folder, &entries) {
                *lock(&suspicion) = Some(error);
            }
        };
        thread::Builder::new().name("aileron-kb".to_owned()).spawn(read)?;
        Ok(())
    }

    /// Rebuilds the index from the records, unless the index is whole after all: another process may
    /// have replaced shards and deleted the old ones.
    fn mend(&self, why: String) -> Result<(), KbError> {
        let _one_at_a_time = lock(&self.mending);
        let whole = self.moment(|reader| {
            self.current(reader)?;
            index::verify(&self.folder, &index::entries(reader)?)
        });
        if whole.is_ok() {
            return Ok(());
        }
        let model = self.moment(RecordsReader::model)?.map(|model| model.name);
        if model != self.embedder.as_ref().map(|embedder| embedder.model().name.clone()) {
            return Err(KbError::DamagedIndex { why });
        }
        self.begin(IndexStart::Rebuild)?.commit()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
#[path = "base_tests.rs"]
mod tests;

#[cfg(test)]
#[path = "base/nearby_tests.rs"]
mod nearby_tests;

#[cfg(test)]
#[path = "base/privacy_tests.rs"]
mod privacy_tests;
