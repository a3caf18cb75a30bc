//! Opens a shard, with the checks that cost little: the files exist with the recorded lengths, and
//! the index kept the passages in order.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use aileron_contract::kb::Namespace;
use tantivy::directory::MmapDirectory;
use tantivy::index::SegmentReader;
use tantivy::{Directory, Index, ReloadPolicy};

use super::files::{self, List};
use super::schema::{self, Analysis, Fields};
use super::{DamagedShard, FieldPostings, Shard, tokens};
use crate::bitmap::Bitmap;
use crate::vectors::Vectors;

/// The facts about a shard that its files have to agree with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ShardExpectation {
    pub(crate) namespace: Namespace,
    pub(crate) passages: u32,
    pub(crate) dim: Option<usize>,
}

impl Shard {
    /// Opens a shard. `dead` are the rows whose records were changed or removed since: their
    /// passages are not found. Lengths of files are checked, their bytes are not: see `verify`.
    pub(crate) fn open(
        dir: &Path,
        expected: &ShardExpectation,
        dead: &[u64],
    ) -> Result<Self, DamagedShard> {
        let list = List::read(dir)?;
        let List { namespace, passages, dim, .. } = list;
        let found = ShardExpectation { namespace, passages, dim };
        if found != *expected {
            return Err(DamagedShard::new(dir, format!("expected {expected:?}, found {found:?}")));
        }
        list.check_sizes(dir)?;
        // Readers of the index do not check its bytes and may panic if they are wrong.
        let opened = catch_unwind(AssertUnwindSafe(|| Self::read(dir, list, dead)));
        opened
            .unwrap_or_else(|_| Err(DamagedShard::new(dir, "expected an index, found other bytes")))
    }

    fn read(dir: &Path, list: List, dead: &[u64]) -> Result<Self, DamagedShard> {
        let damaged = |error: &dyn fmt::Display| DamagedShard::unreadable(dir, error);
        let segment = searcher(dir).map_err(|error| damaged(&error))?;
        let (_, fields) = schema::schema();
        let shard = Self::assemble(dir, list, fields, segment).map_err(|error| damaged(&error))?;
        shard.check_order()?;
        Ok(shard.bury(dead))
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
        Ok(Self {
            stems: FieldPostings::open(segment, fields.words(Analysis::Stems))?,
            plain: FieldPostings::open(segment, fields.words(Analysis::Plain))?,
            rows: fast.u64(schema::ROW)?,
            updated: fast.i64(schema::UPDATED)?,
            starts: fast.u64(schema::START)?,
            ends: fast.u64(schema::END)?,
            tokens: tokens::read(&dir.join(files::TOKENS))?,
            alive: Bitmap::full(passages),
            dir: dir.to_owned(),
            vectors,
            list,
            fields,
            searcher: searcher.clone(),
        })
    }

    /// A passage's number is its place in the vectors: the index must have kept the order.
    fn check_order(&self) -> Result<(), DamagedShard> {
        let found = self.searcher.segment_reader(0).max_doc();
        if found != self.list.passages || self.rows.num_docs() != found {
            let message = format!("expected {} passages, found {found}", self.list.passages);
            return Err(DamagedShard::new(&self.dir, message));
        }
        let places =
            (0..found).map(|passage| (self.row(passage), self.starts.values.get_val(passage)));
        if places.is_sorted() {
            Ok(())
        } else {
            Err(DamagedShard::new(&self.dir, "expected passages in order"))
        }
    }

    /// Notes which passages may be found.
    fn bury(mut self, dead: &[u64]) -> Self {
        for row in dead {
            self.passages_of(*row).for_each(|passage| self.alive.remove(passage));
        }
        self
    }
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

impl FieldPostings {
    fn open(segment: &SegmentReader, field: tantivy::schema::Field) -> tantivy::Result<Self> {
        let lengths = segment.get_fieldnorms_reader(field)?;
        Ok(Self { postings: segment.inverted_index(field)?, lengths })
    }
}
