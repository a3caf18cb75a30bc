//! A knowledge base in a folder: searched by many at once, changed by one.
//!
//! Every answer is of one moment: records and index of the same commit. What another
//! process commits is seen by the next question.

mod index;
mod nearby;
mod stats;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use aileron_contract::kb::{Fetched, Missing, Namespace, Record};

use self::index::Index;
pub use self::stats::{KindCount, Stats};
use crate::change::{Change, Start};
use crate::embed::Embedder;
use crate::error::KbError;
use crate::records::{self, Reader, ShardEntry};
use crate::search::{Request, Results};
use crate::shard;

/// Connections that are kept open for the next question, so that what a rush opens does not stay.
const MOST_IDLE: usize = 32;

/// The knowledge base in one folder.
#[derive(Debug)]
pub struct KnowledgeBase {
    folder: PathBuf,
    embedder: Option<Arc<dyn Embedder>>,
    /// Connections that nobody uses at the moment.
    readers: Mutex<Vec<Reader>>,
    index: Mutex<Arc<Index>>,
    /// What reading every byte of the index found wrong.
    suspicion: Arc<Mutex<Option<KbError>>>,
    mending: Mutex<()>,
}

impl KnowledgeBase {
    /// The knowledge base in this folder; nothing is read yet, and there need not be one.
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

    /// Whether there is a knowledge base in the folder.
    pub fn exists(&self) -> bool {
        records::exist(&self.folder)
    }

    /// Begins a change; the knowledge base is made if there is none.
    pub fn begin(&self, start: Start) -> Result<Change<'_>, KbError> {
        Change::begin(&self.folder, self.embedder.as_deref(), start)
    }

    /// Begins a change that says what it would do and does nothing.
    pub fn rehearse(&self) -> Result<Change<'_>, KbError> {
        Change::rehearse(&self.folder)
    }

    /// Opens the index ahead of the first question.
    pub fn open(&self) -> Result<(), KbError> {
        self.ask(|_, _| Ok(()))
    }

    /// The records that answer a request, best first.
    pub fn search(&self, request: &Request<'_>) -> Result<Results, KbError> {
        self.ask(|reader, index| index.search(reader, self.embedder.as_deref(), request))
    }

    /// The records of these ids in these namespaces, in the order asked. What is missing there
    /// comes with the closest ids that are there.
    pub fn read(&self, ids: &[String], namespaces: &[Namespace]) -> Result<Fetched, KbError> {
        self.ask(|reader, index| {
            let mut fetched = Fetched::default();
            for id in ids {
                let row = reader.row_of(id, namespaces)?;
                match row.map(|row| reader.record(row)).transpose()?.flatten() {
                    Some(record) => fetched.records.push(record),
                    None => {
                        let closest = nearby::ids(reader, index, id, namespaces)?;
                        fetched.missing.push(Missing { id: id.clone(), closest });
                    }
                }
            }
            Ok(fetched)
        })
    }

    /// Shows every record, by id.
    pub fn each(&self, show: impl FnMut(Record) -> Result<(), KbError>) -> Result<(), KbError> {
        self.moment(|reader| reader.each(show))
    }

    /// What there is, in figures.
    pub fn stats(&self) -> Result<Stats, KbError> {
        self.ask(|reader, index| stats::gather(&self.folder, reader, index))
    }

    /// Reads every byte of records and index, and says what is wrong with them. An index of an
    /// earlier version is not wrong: it is made again first.
    pub fn verify(&self) -> Result<(), KbError> {
        if self.moment(Reader::index_format)? != Some(shard::FORMAT) {
            self.open()?;
        }
        self.moment(|reader| {
            reader.verify()?;
            index::verify(&self.folder, &index::entries(reader)?)
        })
    }

    /// Answers from records and index of one moment.
    fn ask<T>(&self, answer: impl Fn(&Reader, &Index) -> Result<T, KbError>) -> Result<T, KbError> {
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

    /// What a connection reads in here is of one moment.
    fn moment<T>(&self, read: impl FnOnce(&Reader) -> Result<T, KbError>) -> Result<T, KbError> {
        let free = lock(&self.readers).pop();
        let reader = free.map_or_else(|| Reader::open(&self.folder), Ok)?;
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
    fn current(&self, reader: &Reader) -> Result<Arc<Index>, KbError> {
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

    /// Reads every byte of shards that were just opened, while the first questions are answered:
    /// to open a shard is to trust its bytes.
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

    /// Makes the index again from the records, unless what looked like damage was a change
    /// by another process that deleted what it no longer needs.
    fn mend(&self, why: String) -> Result<(), KbError> {
        let _one_at_a_time = lock(&self.mending);
        let whole = self.moment(|reader| {
            self.current(reader)?;
            index::verify(&self.folder, &index::entries(reader)?)
        });
        if whole.is_ok() {
            return Ok(());
        }
        let model = self.moment(Reader::model)?.map(|model| model.name);
        if model != self.embedder.as_ref().map(|embedder| embedder.model().name.clone()) {
            return Err(KbError::DamagedIndex { why });
        }
        self.begin(Start::Rebuild)?.commit()
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
