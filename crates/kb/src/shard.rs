//! An immutable part of the index: a folder with the words, the vectors and the token
//! statistics of some passages. `build` writes one; here it is opened and looked into.
//! What to look for, and how to rank, is the search's.

mod build;
mod files;
pub(crate) mod filter;
pub(crate) mod schema;
pub(crate) mod tokens;

use std::fmt;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use aileron_contract::kb::Namespace;
use tantivy::columnar::Column;
use tantivy::directory::MmapDirectory;
use tantivy::fieldnorm::FieldNormReader;
use tantivy::index::{InvertedIndexReader, SegmentReader};
use tantivy::{Directory, Index, ReloadPolicy, Term};

pub(crate) use build::{ShardBuilder, ShardFacts};
pub(crate) use files::FORMAT;
use files::List;
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
    stems: Words,
    plain: Words,
    rows: Column<u64>,
    updated: Column<i64>,
    starts: Column<u64>,
    ends: Column<u64>,
    vectors: Option<Vectors>,
    tokens: TokenStatistics,
    /// The passages that may be found, by namespace in the order of `Namespace::ALL`.
    alive: [Bitmap; 3],
}

/// The postings of a field and how long it is in each passage.
struct Words {
    postings: Arc<InvertedIndexReader>,
    lengths: FieldNormReader,
}

/// What the one who opens a shard knows of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ShardExpectation {
    pub(crate) passages: u32,
    pub(crate) dim: Option<usize>,
}

/// A shard that is not what was written. The records can make it again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Damaged {
    pub(crate) path: PathBuf,
    pub(crate) what: String,
}

/// Why a shard could not be written.
#[derive(Debug)]
pub(crate) enum BuildError {
    /// The disk, or what writes to it.
    Io(std::io::Error),
    /// A passage that does not fit the record or the shard.
    Input(String),
}

impl Shard {
    /// Opens a shard. `dead` are the rows whose records were changed or removed since: their
    /// passages are not found. Lengths of files are checked, their bytes are not: see `verify`.
    pub(crate) fn open(
        dir: &Path,
        expected: &ShardExpectation,
        dead: &[u64],
    ) -> Result<Self, Damaged> {
        let list = List::read(dir)?;
        let found = ShardExpectation { passages: list.passages, dim: list.dim };
        if found != *expected {
            return Err(Damaged::new(dir, format!("expected {expected:?}, found {found:?}")));
        }
        list.check_sizes(dir)?;
        // Readers of the index take its bytes as given and may panic over wrong ones.
        let opened = catch_unwind(AssertUnwindSafe(|| Self::read(dir, list, dead)));
        opened.unwrap_or_else(|_| Err(Damaged::new(dir, "expected an index, found other bytes")))
    }

    fn read(dir: &Path, list: List, dead: &[u64]) -> Result<Self, Damaged> {
        let damaged = |error: &dyn fmt::Display| Damaged::unreadable(dir, error);
        let segment = searcher(dir).map_err(|error| damaged(&error))?;
        let (_, fields) = schema::schema();
        let shard = Self::assemble(dir, list, fields, segment).map_err(|error| damaged(&error))?;
        shard.check_order()?;
        shard.bury(dead).map_err(|error| damaged(&error))
    }

    fn assemble(
        dir: &Path,
        list: List,
        fields: Fields,
        searcher: tantivy::Searcher,
    ) -> tantivy::Result<Self> {
        let segment = searcher.segment_reader(0);
        let (fast, passages) = (segment.fast_fields(), list.passages);
        let vectors = list.dim.map(|dim| open_vectors(dir, passages, dim)).transpose()?;
        let none = || Bitmap::empty(passages);
        Ok(Self {
            stems: Words::open(segment, fields.words(Analysis::Stems))?,
            plain: Words::open(segment, fields.words(Analysis::Plain))?,
            rows: fast.u64(schema::ROW)?,
            updated: fast.i64(schema::UPDATED)?,
            starts: fast.u64(schema::START)?,
            ends: fast.u64(schema::END)?,
            tokens: tokens::read(&dir.join(files::TOKENS))?,
            alive: [none(), none(), none()],
            dir: dir.to_owned(),
            vectors,
            list,
            fields,
            searcher: searcher.clone(),
        })
    }

    /// A passage's number is its place in the vectors: the index must have kept the order.
    fn check_order(&self) -> Result<(), Damaged> {
        let found = self.searcher.segment_reader(0).max_doc();
        if found != self.list.passages || self.rows.num_docs() != found {
            let message = format!("expected {} passages, found {found}", self.list.passages);
            return Err(Damaged::new(&self.dir, message));
        }
        let places =
            (0..found).map(|passage| (self.row(passage), self.starts.values.get_val(passage)));
        if places.is_sorted() {
            Ok(())
        } else {
            Err(Damaged::new(&self.dir, "expected passages in order"))
        }
    }

    /// Notes which passages may be found.
    fn bury(mut self, dead: &[u64]) -> tantivy::Result<Self> {
        let mut alive = Bitmap::full(self.passages());
        for row in dead {
            self.passages_of(*row).for_each(|passage| alive.remove(passage));
        }
        for (place, namespace) in Namespace::ALL.iter().enumerate() {
            let mut living = self.having(self.fields.namespace, namespace.as_str())?;
            living.intersect(&alive);
            self.alive[place] = living;
        }
        Ok(self)
    }

    /// Whether every byte of the shard is what was written: reads all of it.
    pub(crate) fn verify(dir: &Path) -> Result<(), Damaged> {
        let list = List::read(dir)?;
        list.check_sizes(dir)?;
        list.check_sums(dir)
    }

    pub(crate) fn dir(&self) -> &Path {
        &self.dir
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

    fn words(&self, analysis: Analysis) -> &Words {
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

/// The index of words, which must have one segment.
fn searcher(dir: &Path) -> tantivy::Result<tantivy::Searcher> {
    let index = Index::open(MmapDirectory::open(dir.join(files::WORDS))?)?;
    if index.schema() != schema::schema().0 {
        return Err(tantivy::TantivyError::SchemaError(
            "expected the fields of this version".into(),
        ));
    }
    let reader = index.reader_builder().reload_policy(ReloadPolicy::Manual).try_into()?;
    let searcher = reader.searcher();
    match searcher.segment_readers().len() {
        1 => Ok(searcher),
        found => {
            let message = format!("expected one segment, found {found}");
            Err(tantivy::TantivyError::InvalidArgument(message))
        }
    }
}

fn open_vectors(dir: &Path, passages: u32, dim: usize) -> tantivy::Result<Vectors> {
    let file = MmapDirectory::open(dir)?.open_read(Path::new(files::VECTORS))?;
    let invalid = tantivy::TantivyError::InvalidArgument;
    Vectors::open(file.read_bytes()?, passages, dim).map_err(invalid)
}

impl Words {
    fn open(segment: &SegmentReader, field: tantivy::schema::Field) -> tantivy::Result<Self> {
        let lengths = segment.get_fieldnorms_reader(field)?;
        Ok(Self { postings: segment.inverted_index(field)?, lengths })
    }
}

impl fmt::Debug for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shard").field("dir", &self.dir).finish_non_exhaustive()
    }
}

impl Damaged {
    fn new(path: &Path, what: impl Into<String>) -> Self {
        Self { path: path.to_owned(), what: what.into() }
    }

    fn unreadable(path: &Path, error: &dyn fmt::Display) -> Self {
        Self::new(path, format!("expected to read it, found: {error}"))
    }
}

impl fmt::Display for Damaged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the index is damaged at {}: {}", self.path.display(), self.what)
    }
}

impl std::error::Error for Damaged {}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => write!(f, "could not write the index: {error}"),
            Self::Input(message) => f.write_str(message),
        }
    }
}

impl std::error::Error for BuildError {}

#[cfg(test)]
#[path = "shard_tests.rs"]
mod tests;
