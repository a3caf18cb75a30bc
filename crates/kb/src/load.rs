//! Files become records: Markdown with front matter, text, HTML, JSON, JSON lines and CSV, one
//! record at a time, however large the files and folders are.
//!
//! `load/draft.rs` defines the meaning of the fields. Storing the records is left to the caller.

mod csv;
mod draft;
mod element;
mod front_matter;
mod html;
mod input;
mod json;
mod lines;
mod markdown;
mod plain;
mod reader;
mod seen;
mod walk;

use std::fmt;
use std::path::{Path, PathBuf};

use aileron_contract::kb::Record;
use serde_json::{Map, Value};

pub use draft::slug;
pub use reader::{BytesRead, RecordReader};

/// The most bytes that one line, row or element of a file may have. A record within its own
/// limits fits, even with all its text escaped.
pub const MAX_ENTRY_BYTES: usize = 32 << 20;

/// Reads records from files, and from all files in folders. Files come in the order of the paths,
/// folders in the order of their names; hidden files and folders are left out. A folder is read
/// once, also if several links lead to it.
pub fn read(paths: &[PathBuf]) -> RecordReader {
    RecordReader::new(paths)
}

/// How much there is to read, by the sizes of the files. A file whose size cannot be read is not
/// counted; reading it reports why.
pub fn survey(paths: &[PathBuf]) -> Survey {
    let mut survey = Survey::default();
    for found in walk::FileWalk::new(paths) {
        if let walk::WalkEntry::File { metadata, .. } = found {
            survey.files += 1;
            survey.bytes += metadata.len();
        }
    }
    survey
}

/// How much there is to read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Survey {
    pub files: u64,
    pub bytes: u64,
}

/// One result of reading.
#[derive(Debug, Clone, PartialEq)]
pub enum LoadItem {
    Record(LoadedRecord),
    Refused(RejectedRecord),
    /// A file in a folder that holds no records by its name, or a folder that was read already.
    Skipped(PathBuf),
}

/// A valid record, and its position.
#[derive(Debug, Clone, PartialEq)]
pub struct LoadedRecord {
    pub record: Record,
    pub place: SourceLine,
}

/// Something that is no record, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RejectedRecord {
    pub place: SourceLine,
    pub reason: String,
}

impl fmt::Display for RejectedRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.reason)
    }
}

/// A line of a file, counted from 1, or the whole of a file or folder.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct SourceLine {
    pub file: PathBuf,
    pub line: Option<u64>,
}

impl SourceLine {
    fn whole(file: &Path) -> Self {
        Self { file: file.to_owned(), line: None }
    }
}

impl fmt::Display for SourceLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "{}:{line}", self.file.display()),
            None => write!(f, "{}", self.file.display()),
        }
    }
}

/// The format of a file, by the extension of its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FileFormat {
    Markdown,
    Text,
    Html,
    JsonLines,
    Json,
    Csv,
}

/// The extensions as an error message lists them.
const ENDINGS: &str = ".md, .markdown, .txt, .html, .htm, .jsonl, .ndjson, .json or .csv";

impl FileFormat {
    fn of(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "md" | "markdown" => Some(Self::Markdown),
            "txt" => Some(Self::Text),
            "html" | "htm" => Some(Self::Html),
            "jsonl" | "ndjson" => Some(Self::JsonLines),
            "json" => Some(Self::Json),
            "csv" => Some(Self::Csv),
            _ => None,
        }
    }

    /// The `source_type` of a record that names none.
    const fn source_type(self) -> &'static str {
        match self {
            Self::Markdown => "markdown",
            Self::Text => "text",
            Self::Html => "html",
            Self::JsonLines => "jsonl",
            Self::Json => "json",
            Self::Csv => "csv",
        }
    }
}

/// The fields of one record as a file has them, and the line where they begin.
#[derive(Debug)]
struct RecordDraft {
    line: u64,
    fields: Map<String, Value>,
}

/// Why a part of a file is no record.
#[derive(Debug)]
struct RecordFlaw {
    line: Option<u64>,
    reason: String,
}

impl RecordFlaw {
    fn at(line: u64, reason: impl Into<String>) -> Self {
        Self { line: Some(line), reason: reason.into() }
    }

    fn whole(reason: impl Into<String>) -> Self {
        Self { line: None, reason: reason.into() }
    }

    fn unreadable(line: u64, error: &std::io::Error) -> Self {
        Self::at(line, format!("the file could not be read any further: {error}"))
    }

    fn too_large(line: u64, what: &str, limit: usize) -> Self {
        Self::at(line, format!("expected {what} of at most {limit} bytes, found a longer one"))
    }
}

type Entry = Result<RecordDraft, RecordFlaw>;

#[cfg(test)]
#[path = "load_tests.rs"]
pub(crate) mod tests;
