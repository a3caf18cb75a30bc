//! Why a request to the knowledge base failed.

use std::fmt;
use std::io;
use std::path::PathBuf;

use crate::embed::EmbedError;
use crate::search::SearchError;
use crate::shard::{BuildError, DamagedShard};

/// Why a request failed, by the remedy that the caller has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KbError {
    /// There is no knowledge base, and the request does not create one.
    Missing { path: PathBuf },
    /// The file is not a knowledge base.
    NotOurs { path: PathBuf, why: String },
    /// A later version of Aileron wrote it.
    Newer { path: PathBuf, found: i64, known: i64 },
    /// Another process is writing.
    Busy { path: PathBuf },
    /// The index holds the vectors of one model, and another one was given.
    OtherModel { index: String, given: String },
    /// The index is damaged; the records are whole.
    DamagedIndex { why: String },
    /// The records themselves cannot be read.
    DamagedRecords { why: String },
    /// The disk failed: full, read-only, gone.
    Disk { why: String },
    /// A text could not be embedded.
    Embedding(EmbedError),
    /// The query or its filters are invalid.
    Query { why: String },
}

impl fmt::Display for KbError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing { path } => write!(
                f,
                "there is no knowledge base at {}; make one with `aileron kb ingest`",
                path.display()
            ),
            Self::NotOurs { path, why } => {
                write!(f, "{} is not a knowledge base: {why}; name another folder", path.display())
            }
            Self::Newer { path, found, known } => write!(
                f,
                "{} has format {found}, this Aileron knows up to {known}; \
                 use the Aileron that wrote it or a later one",
                path.display()
            ),
            Self::Busy { path } => {
                write!(f, "another process is writing to {}; wait until it is done", path.display())
            }
            Self::OtherModel { index, given } => write!(
                f,
                "the index has vectors of {index}, and the settings name {given}; \
                 vectors of two models are never mixed: \
                 run `aileron kb ingest --rebuild` or name {index} in the settings"
            ),
            Self::DamagedIndex { why } => write!(
                f,
                "the index is damaged: {why}; run `aileron kb ingest --rebuild` to make it again \
                 from the records"
            ),
            Self::DamagedRecords { why } => write!(
                f,
                "the records are damaged: {why}; delete the folder of the knowledge base \
                 and ingest again"
            ),
            Self::Disk { why } => write!(f, "the knowledge base cannot be written: {why}"),
            Self::Embedding(error) => error.fmt(f),
            Self::Query { why } => f.write_str(why),
        }
    }
}

impl std::error::Error for KbError {}

impl From<EmbedError> for KbError {
    fn from(error: EmbedError) -> Self {
        Self::Embedding(error)
    }
}

impl From<io::Error> for KbError {
    fn from(error: io::Error) -> Self {
        Self::Disk { why: error.to_string() }
    }
}

impl From<rusqlite::Error> for KbError {
    fn from(error: rusqlite::Error) -> Self {
        use rusqlite::ErrorCode::{DatabaseCorrupt, NotADatabase};
        match error.sqlite_error_code() {
            Some(DatabaseCorrupt | NotADatabase) => Self::DamagedRecords { why: error.to_string() },
            _ => Self::Disk { why: error.to_string() },
        }
    }
}

impl From<DamagedShard> for KbError {
    fn from(damaged: DamagedShard) -> Self {
        Self::DamagedIndex { why: damaged.to_string() }
    }
}

impl From<BuildError> for KbError {
    fn from(error: BuildError) -> Self {
        Self::Disk { why: error.to_string() }
    }
}

impl From<SearchError> for KbError {
    fn from(error: SearchError) -> Self {
        match error {
            SearchError::EmptyQuery | SearchError::Date(_) => {
                Self::Query { why: error.to_string() }
            }
            SearchError::Embed(error) => Self::Embedding(error),
            SearchError::Model { .. } | SearchError::Index { .. } | SearchError::Broken => {
                Self::DamagedIndex { why: error.to_string() }
            }
            SearchError::Records(error) => match error.downcast::<Self>() {
                Ok(error) => *error,
                Err(error) => Self::DamagedRecords { why: error.to_string() },
            },
        }
    }
}
