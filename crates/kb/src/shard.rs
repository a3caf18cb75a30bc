//! An immutable part of the index: a folder with the words, the vectors and the token
//! statistics of some passages of one namespace. `build` writes one; here it is opened and
//! read. Searching and ranking are left to `search`.

mod attributes;
mod build;
mod error;
mod files;
pub(crate) mod filter;
mod open;
pub(crate) mod schema;
mod tokens;

use std::fmt;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use aileron_contract::kb::Namespace;
use tantivy::Term;
use tantivy::columnar::Column;
use tantivy::fieldnorm::FieldNormReader;
use tantivy::index::{InvertedIndexReader, SegmentReader};

pub(crate) use build::ShardBuilder;
pub(crate) use error::{BuildError, DamagedShard};
pub(crate) use files::FORMAT;
use files::List;
pub(crate) use open::ShardExpectation;
use schema::{Analysis, Fields};

use crate::bitmap::Bitmap;
use crate::embed::TokenStatistics;
use crate::vectors::Vectors;

/// A shard, open for search.
pub(crate) struct Shard {
    dir: PathBuf,
    list: List,
    fields: Fields,
    searcher: tantivy::Searcher,
    stems: FieldPostings,
    plain: FieldPostings,
    rows: Column<u64>,
    updated: Column<i64>,
    starts: Column<u64>,
    ends: Column<u64>,
    vectors: Option<Vectors>,
    tokens: TokenStatistics,
    /// The passages that may be found.
    alive: Bitmap,
}

/// The postings of a field and how long it is in each passage.
struct FieldPostings {
    postings: Arc<InvertedIndexReader>,
    lengths: FieldNormReader,
}

impl Shard {
    /// Reads every byte of the shard and compares it with its checksums.
    pub(crate) fn verify(dir: &Path) -> Result<(), DamagedShard> {
        let list = List::read(dir)?;
        list.check_sizes(dir)?;
        list.check_sums(dir)
    }

    pub(crate) fn dir(&self) -> &Path {
        &self.dir
    }

    /// The one namespace that all its records have: the statistics of a shard contain nothing of
    /// another namespace.
    pub(crate) fn namespace(&self) -> Namespace {
        self.list.namespace
    }

    pub(crate) fn passages(&self) -> u32 {
        self.list.passages
    }

    /// How many bytes it has on disk.
    pub(crate) fn bytes(&self) -> u64 {
        self.list.bytes()
    }

    pub(crate) fn vectors(&self) -> Option<&Vectors> {
        self.vectors.as_ref()
    }

    pub(crate) fn dim(&self) -> Option<usize> {
        self.list.dim
    }

    pub(crate) fn tokens(&self) -> &TokenStatistics {
        &self.tokens
    }

    pub(crate) fn fields(&self) -> &Fields {
        &self.fields
    }

    pub(crate) fn searcher(&self) -> &tantivy::Searcher {
        &self.searcher
    }

    pub(crate) fn segment(&self) -> &SegmentReader {
        self.searcher.segment_reader(0)
    }

    pub(crate) fn postings(&self, analysis: Analysis) -> &InvertedIndexReader {
        &self.words(analysis).postings
    }

    pub(crate) fn lengths(&self, analysis: Analysis) -> &FieldNormReader {
        &self.words(analysis).lengths
    }

    fn words(&self, analysis: Analysis) -> &FieldPostings {
        match analysis {
            Analysis::Stems => &self.stems,
            Analysis::Plain => &self.plain,
        }
    }

    /// In how many passages a word occurs.
    pub(crate) fn frequency(&self, analysis: Analysis, word: &str) -> tantivy::Result<u32> {
        let term = Term::from_field_text(self.fields.words(analysis), word);
        Ok(self.postings(analysis).doc_freq(&term)?)
    }

    /// The record that a passage is of.
    pub(crate) fn row(&self, passage: u32) -> u64 {
        self.rows.values.get_val(passage)
    }

    /// The bytes of a passage in its record's text.
    pub(crate) fn range(&self, passage: u32) -> Range<usize> {
        let (start, end) = (self.starts.values.get_val(passage), self.ends.values.get_val(passage));
        start as usize..end as usize
    }

    /// The passages of a record: none if the record is not in this shard.
    pub(crate) fn passages_of(&self, row: u64) -> Range<u32> {
        let first =
            |wanted: &dyn Fn(u64) -> bool| partition(self.passages(), |at| wanted(self.row(at)));
        first(&|found| found < row)..first(&|found| found <= row)
    }
}

/// How many of `0..count` hold, where those that hold come first.
fn partition(count: u32, holds: impl Fn(u32) -> bool) -> u32 {
    let (mut low, mut high) = (0, count);
    while low < high {
        let middle = low + (high - low) / 2;
        if holds(middle) { low = middle + 1 } else { high = middle }
    }
    low
}

impl fmt::Debug for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shard").field("dir", &self.dir).finish_non_exhaustive()
    }
}

#[cfg(test)]
#[path = "shard_tests.rs"]
mod tests;
