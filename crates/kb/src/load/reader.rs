//! One record after the other: the walk gives a file, the file its entries, an entry its record.

use std::fmt;
use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use jiff::Timestamp;

use super::csv::Table;
use super::draft::{self, Defaults};
use super::element::Elements;
use super::input::TextInput;
use super::lines::Lines;
use super::seen::SeenIds;
use super::walk::{FileWalk, WalkEntry};
use super::{
    Entry, FileFormat, LoadItem, LoadedRecord, RecordFlaw, RejectedRecord, SourceLine, html,
    markdown, plain,
};

/// How many bytes of the files are done. Clones share one count, so that one thread may watch while
/// another reads.
#[derive(Debug, Clone, Default)]
pub struct BytesRead(Arc<AtomicU64>);

impl BytesRead {
    /// The bytes done so far; all of the survey's when everything was read.
    pub fn bytes(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }

    pub(super) fn add(&self, bytes: usize) {
        self.0.fetch_add(bytes as u64, Ordering::Relaxed);
    }

    fn set(&self, bytes: u64) {
        self.0.store(bytes, Ordering::Relaxed);
    }
}

/// Reads records from files. Its items come in the order of the files and of the lines in them.
#[derive(Debug)]
pub struct RecordReader {
    walk: FileWalk,
    seen: SeenIds,
    progress: BytesRead,
    open: Option<OpenFile>,
}

/// The file that is being read.
struct OpenFile {
    path: PathBuf,
    defaults: Defaults,
    entries: Box<dyn Iterator<Item = Entry> + Send>,
    /// The progress once the file is done, however much of it was read.
    end: u64,
}

impl fmt::Debug for OpenFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Open").field("path", &self.path).finish_non_exhaustive()
    }
}

impl RecordReader {
    pub(super) fn new(paths: &[PathBuf]) -> Self {
        Self {
            walk: FileWalk::new(paths),
            seen: SeenIds::default(),
            progress: BytesRead::default(),
            open: None,
        }
    }

    /// The progress of reading, which another thread may watch.
    pub fn progress(&self) -> BytesRead {
        self.progress.clone()
    }

    /// The next entry of the file that is open, as an item.
    fn entry(&mut self) -> Option<LoadItem> {
        let open = self.open.as_mut()?;
        let Some(entry) = open.entries.next() else {
            self.progress.set(open.end);
            self.open = None;
            return None;
        };
        Some(match entry.and_then(|draft| load(open, &mut self.seen, draft)) {
            Ok(loaded) => LoadItem::Record(loaded),
            Err(flaw) => LoadItem::Refused(refusal(&open.path, flaw)),
        })
    }

    fn found(&mut self, found: WalkEntry) -> Option<LoadItem> {
        match found {
            WalkEntry::Skipped(path) => Some(LoadItem::Skipped(path)),
            WalkEntry::Refused(refusal) => Some(LoadItem::Refused(refusal)),
            WalkEntry::File { path, format, metadata } => {
                self.start(path, format, &metadata);
                None
            }
        }
    }

    fn start(&mut self, path: PathBuf, format: FileFormat, metadata: &Metadata) {
        let end = self.progress.bytes() + metadata.len();
        let entries = entries(&path, format, self.progress());
        let defaults = defaults(&path, format, metadata);
        self.open = Some(OpenFile { path, defaults, entries, end });
    }
}

impl Iterator for RecordReader {
    type Item = LoadItem;

    fn next(&mut self) -> Option<LoadItem> {
        loop {
            if let Some(item) = self.entry() {
                return Some(item);
            }
            let found = self.walk.next()?;
            if let Some(item) = self.found(found) {
                return Some(item);
            }
        }
    }
}

fn entries(
    path: &Path,
    format: FileFormat,
    progress: BytesRead,
) -> Box<dyn Iterator<Item = Entry> + Send> {
    let input = match TextInput::open(path, progress) {
        Ok(input) => input,
        Err(flaw) => return Box::new(std::iter::once(Err(flaw))),
    };
    match format {
        FileFormat::Markdown => Box::new(std::iter::once(markdown::draft(input, path))),
        FileFormat::Text => Box::new(std::iter::once(plain::draft(input, path))),
        FileFormat::Html => Box::new(std::iter::once(html::draft(input, path))),
        FileFormat::JsonLines => Box::new(Lines::new(input)),
        FileFormat::Json => Box::new(Elements::new(input)),
        FileFormat::Csv => Box::new(Table::new(input)),
    }
}

fn defaults(path: &Path, format: FileFormat, metadata: &Metadata) -> Defaults {
    let name = match format {
        FileFormat::Markdown | FileFormat::Text | FileFormat::Html => {
            path.file_stem().map(|stem| stem.to_string_lossy().into_owned())
        }
        FileFormat::JsonLines | FileFormat::Json | FileFormat::Csv => None,
    };
    // Whole seconds: copies between file systems round fractions of a second.
    let written = metadata.modified().ok().and_then(|time| Timestamp::try_from(time).ok());
    let written = written.and_then(|time| Timestamp::from_second(time.as_second()).ok());
    let last_updated = written.map(|time| time.to_string());
    Defaults { name, source_type: format.source_type(), last_updated }
}

fn load(
    open: &OpenFile,
    seen: &mut SeenIds,
    draft: super::RecordDraft,
) -> Result<LoadedRecord, RecordFlaw> {
    let line = draft.line;
    let record = draft::record(draft.fields, &open.defaults)
        .map_err(|reason| RecordFlaw::at(line, reason))?;
    match seen.insert(&record.id, &open.path, line) {
        Ok(()) => Ok(LoadedRecord {
            record,
            place: SourceLine { file: open.path.clone(), line: Some(line) },
        }),
        Err(first) => Err(RecordFlaw::at(line, twice(&record.id, &first))),
    }
}

fn twice(id: &str, first: &SourceLine) -> String {
    format!(
        "`id`: expected every id once, found {id:?} a second time; the first is at {first}: give one of them another `id`"
    )
}

fn refusal(path: &Path, flaw: RecordFlaw) -> RejectedRecord {
    RejectedRecord {
        place: SourceLine { file: path.to_owned(), line: flaw.line },
        reason: flaw.reason,
    }
}

#[cfg(test)]
#[path = "reader_tests.rs"]
mod tests;
