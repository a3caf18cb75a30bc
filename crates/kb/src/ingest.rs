//! Reads files into the knowledge base, as one change.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::change::{Change, PutOutcome};
use crate::error::KbError;
use crate::load::{self, BytesRead, LoadItem, LoadedRecord, RejectedRecord};

/// Whether records that their file no longer has are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MissingRecords {
    /// They are kept and reported.
    Keep,
    Remove,
}

/// Receives the events of an ingest.
pub trait IngestObserver {
    /// Reading begins; `progress` can be asked at any time.
    fn begin(&mut self, _progress: BytesRead) {}

    /// A record was added or changed, or is unchanged.
    fn put(&mut self, _id: &str, _put: PutOutcome) {}

    fn refused(&mut self, _refusal: &RejectedRecord) {}

    fn skipped(&mut self, _file: &Path) {}

    /// Everything is read; the index is being written.
    fn committing(&mut self) {}
}

/// The result of an ingest.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct IngestReport {
    pub added: u64,
    pub changed: u64,
    pub unchanged: u64,
    pub removed: u64,
    pub refused: u64,
    pub skipped: u64,
    /// Ids of records that their files no longer contain.
    pub gone: Vec<String>,
}

/// Reads files and folders into a change and commits it. If a file cannot be read to its end, the
/// records that came from it earlier are kept.
pub fn run(
    mut change: Change<'_>,
    paths: &[PathBuf],
    gone: MissingRecords,
    observer: &mut dyn IngestObserver,
) -> Result<IngestReport, KbError> {
    let mut report = IngestReport::default();
    let mut flawed = HashSet::new();
    let reader = load::read(paths);
    observer.begin(reader.progress());
    for item in reader {
        match item {
            LoadItem::Record(loaded) => report.take(&mut change, loaded, observer)?,
            LoadItem::Refused(refusal) => {
                report.refused += 1;
                observer.refused(&refusal);
                flawed.insert(source(&refusal.place.file));
            }
            LoadItem::Skipped(file) => {
                report.skipped += 1;
                observer.skipped(&file);
            }
        }
    }
    report.gone = missing(&change, paths, &flawed)?;
    if gone == MissingRecords::Remove {
        report.remove(&mut change)?;
    }
    observer.committing();
    change.commit()?;
    Ok(report)
}

impl IngestReport {
    fn take(
        &mut self,
        change: &mut Change<'_>,
        loaded: LoadedRecord,
        observer: &mut dyn IngestObserver,
    ) -> Result<(), KbError> {
        let id = loaded.record.id.clone();
        let put = change.put(loaded.record, &source(&loaded.place.file))?;
        match put {
            PutOutcome::Added => self.added += 1,
            PutOutcome::Changed => self.changed += 1,
            PutOutcome::Unchanged => self.unchanged += 1,
        }
        observer.put(&id, put);
        Ok(())
    }

    fn remove(&mut self, change: &mut Change<'_>) -> Result<(), KbError> {
        for id in &self.gone {
            self.removed += u64::from(change.remove(id)?);
        }
        Ok(())
    }
}

/// Records that came from these paths earlier and were not read this time. Records of a file or
/// folder that could not be read are not among them.
fn missing(
    change: &Change<'_>,
    paths: &[PathBuf],
    flawed: &HashSet<String>,
) -> Result<Vec<String>, KbError> {
    let mut gone = Vec::new();
    for root in paths.iter().map(|path| source(path)) {
        let unseen = change.unseen(&root)?.into_iter();
        let kept = |file: &str| {
            Path::new(file)
                .ancestors()
                .any(|part| part.to_str().is_some_and(|part| flawed.contains(part)))
        };
        gone.extend(unseen.filter(|(_, file)| !kept(file)).map(|(id, _)| id));
    }
    gone.sort();
    gone.dedup();
    Ok(gone)
}

/// The absolute name of a file, so that it does not depend on the working directory. A deleted file
/// is named as it was given.
fn source(file: &Path) -> String {
    let full = fs::canonicalize(file).or_else(|_| std::path::absolute(file));
    full.unwrap_or_else(|_| file.to_owned()).to_string_lossy().into_owned()
}

#[cfg(test)]
#[path = "ingest_tests.rs"]
mod tests;
