//! Brings what files hold into the knowledge base, as one change.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::change::{Change, Put};
use crate::error::KbError;
use crate::load::{self, Item, Loaded, Progress, Refusal};

/// What is done with records whose file no longer has them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gone {
    /// They stay, and are reported.
    Keep,
    Remove,
}

/// Is told what happens while it happens.
pub trait Observer {
    /// Reading begins; `progress` can be asked at any time.
    fn begin(&mut self, _progress: Progress) {}

    /// A record was taken in or found to be the same.
    fn put(&mut self, _id: &str, _put: Put) {}

    fn refused(&mut self, _refusal: &Refusal) {}

    fn skipped(&mut self, _file: &Path) {}

    /// All is read; the index is being written.
    fn committing(&mut self) {}
}

/// What an ingest did.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Report {
    pub added: u64,
    pub changed: u64,
    pub unchanged: u64,
    pub removed: u64,
    pub refused: u64,
    pub skipped: u64,
    /// Ids of records that no longer are in the files they came from.
    pub gone: Vec<String>,
}

/// Reads files and folders into a change and commits it. A file that cannot be read as a
/// whole takes nothing away: what it had stays.
pub fn run(
    mut change: Change<'_>,
    paths: &[PathBuf],
    gone: Gone,
    observer: &mut dyn Observer,
) -> Result<Report, KbError> {
    let mut report = Report::default();
    let mut flawed = HashSet::new();
    let reader = load::read(paths);
    observer.begin(reader.progress());
    for item in reader {
        match item {
            Item::Record(loaded) => report.take(&mut change, loaded, observer)?,
            Item::Refused(refusal) => {
                report.refused += 1;
                observer.refused(&refusal);
                flawed.insert(source(&refusal.place.file));
            }
            Item::Skipped(file) => {
                report.skipped += 1;
                observer.skipped(&file);
            }
        }
    }
    report.gone = missing(&change, paths, &flawed)?;
    if gone == Gone::Remove {
        report.remove(&mut change)?;
    }
    observer.committing();
    change.commit()?;
    Ok(report)
}

impl Report {
    fn take(
        &mut self,
        change: &mut Change<'_>,
        loaded: Loaded,
        observer: &mut dyn Observer,
    ) -> Result<(), KbError> {
        let id = loaded.record.id.clone();
        let put = change.put(loaded.record, &source(&loaded.place.file))?;
        match put {
            Put::Added => self.added += 1,
            Put::Changed => self.changed += 1,
            Put::Unchanged => self.unchanged += 1,
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

/// Records that came from these paths and were not there this time. What stood in, or below,
/// something that could not be read is not known to be gone.
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

/// The name of a file whichever folder one stands in. What is deleted has no other name than
/// the one it is asked by.
fn source(file: &Path) -> String {
    let full = fs::canonicalize(file).or_else(|_| std::path::absolute(file));
    full.unwrap_or_else(|_| file.to_owned()).to_string_lossy().into_owned()
}

#[cfg(test)]
#[path = "ingest_tests.rs"]
mod tests;
