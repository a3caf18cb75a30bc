//! Faults of a shard, and of the input it is built from.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

/// A shard whose bytes are not those that were written. It can be rebuilt from the records.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct DamagedShard {
    pub(crate) path: PathBuf,
    pub(crate) what: String,
}

/// Why a shard could not be written.
#[derive(Debug)]
pub(crate) enum BuildError {
    /// The disk or the index writer failed.
    Io(io::Error),
    /// A passage that does not fit the record or the shard.
    Input(String),
}

impl DamagedShard {
    pub(super) fn new(path: &Path, what: impl Into<String>) -> Self {
        Self { path: path.to_owned(), what: what.into() }
    }

    pub(super) fn unreadable(path: &Path, error: &dyn fmt::Display) -> Self {
        Self::new(path, format!("expected to read it, found: {error}"))
    }
}

impl fmt::Display for DamagedShard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the index is damaged at {}: {}", self.path.display(), self.what)
    }
}

impl std::error::Error for DamagedShard {}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => write!(f, "could not write the index: {error}"),
            Self::Input(message) => f.write_str(message),
        }
    }
}

impl std::error::Error for BuildError {}

impl From<io::Error> for BuildError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl From<tantivy::TantivyError> for BuildError {
    fn from(error: tantivy::TantivyError) -> Self {
        match error {
            tantivy::TantivyError::IoError(error) => Self::Io(io::Error::new(error.kind(), error)),
            other => Self::Io(io::Error::other(other)),
        }
    }
}
