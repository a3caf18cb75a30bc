//! Why a search gave nothing.

use std::fmt;
use std::path::PathBuf;

use super::RecordsError;
use crate::embed::EmbedError;
use crate::query::date::DateError;

/// Why a search gave nothing.
#[derive(Debug)]
pub(crate) enum SearchError {
    /// No word to look for.
    EmptyQuery,
    Date(DateError),
    Embed(EmbedError),
    /// The index has vectors of another length than the model's, or none.
    Model {
        expected: usize,
        found: Option<usize>,
        shard: PathBuf,
    },
    /// A shard could not be read.
    Index {
        shard: PathBuf,
        what: String,
    },
    /// The search broke off over bytes that no writer of ours left: a shard is damaged.
    Broken,
    Records(RecordsError),
}

impl fmt::Display for SearchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::EmptyQuery => f.write_str("expected a query with at least one word, found none"),
            Self::Date(error) => error.fmt(f),
            Self::Embed(error) => write!(f, "the query could not be embedded: {error}"),
            Self::Model { expected, found: Some(found), shard } => write!(
                f,
                "expected vectors of {expected}, found {found} in {}; ingest with this model",
                shard.display()
            ),
            Self::Model { expected, found: None, shard } => write!(
                f,
                "expected vectors of {expected}, found none in {}; ingest with this model",
                shard.display()
            ),
            Self::Index { shard, what } => {
                write!(f, "the index could not be read at {}: {what}", shard.display())
            }
            Self::Broken => f.write_str("expected a sound index, found a damaged one: verify it"),
            Self::Records(error) => write!(f, "the records could not be read: {error}"),
        }
    }
}

impl std::error::Error for SearchError {}
