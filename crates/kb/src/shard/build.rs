//! Writes a shard: passages in, a folder that is never changed out.

use std::path::{Path, PathBuf};

use aileron_contract::kb::{Namespace, Record};
use tantivy::directory::MmapDirectory;
use tantivy::indexer::SingleSegmentIndexWriter;
use tantivy::{Index, TantivyDocument};

use super::files::{self, List};
use super::schema::{Fields, folded, schema};
use super::{BuildError, attributes, tokens};
use crate::embed::TokenStatistics;
use crate::passage::Passage;
use crate::query::date;
use crate::{vectors, words};

/// The memory that the index writer allocates at first; it allocates more as it needs.
const MEMORY: usize = 50 << 20;

/// A shard in the making. Dropped before `finish`, it leaves a folder that no one opens.
pub(crate) struct ShardBuilder {
    dir: PathBuf,
    index: SingleSegmentIndexWriter<TantivyDocument>,
    fields: Fields,
    vectors: Option<(vectors::VectorWriter, usize)>,
    tokens: TokenStatistics,
    list: List,
    last: Option<(u64, usize)>,
}

impl std::fmt::Debug for ShardBuilder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ShardBuilder").field("dir", &self.dir).finish_non_exhaustive()
    }
}

/// The counts of a finished shard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ShardFacts {
    pub(crate) passages: u32,
    pub(crate) records: u32,
    /// On disk.
    pub(crate) bytes: u64,
}

impl ShardBuilder {
    /// Begins a shard in its new folder, for records of one namespace. `dim` is the length of its
    /// vectors; none for an index of words alone.
    pub(crate) fn create(
        dir: &Path,
        namespace: Namespace,
        dim: Option<usize>,
    ) -> Result<Self, BuildError> {
        std::fs::create_dir_all(dir.join(files::WORDS))?;
        let directory =
            MmapDirectory::open(dir.join(files::WORDS)).map_err(tantivy::TantivyError::from)?;
        let (schema, fields) = schema();
        let builder = Index::builder().schema(schema).tokenizers(words::tokenizers());
        let index = builder.single_segment_index_writer(directory, MEMORY)?;
        let writer =
            |dim| Ok((vectors::VectorWriter::create(&dir.join(files::VECTORS), dim)?, dim));
        let vectors = dim.map(writer).transpose().map_err(BuildError::Io)?;
        let files = Default::default();
        let list = List { format: files::FORMAT, namespace, passages: 0, records: 0, dim, files };
        let (dir, tokens) = (dir.to_owned(), TokenStatistics::default());
        Ok(Self { dir, index, fields, vectors, tokens, list, last: None })
    }

    /// Adds a passage. Rows come in ascending order, the passages of a record in theirs;
    /// a vector comes with each passage if the shard has vectors, and with none otherwise.
    pub(crate) fn add(
        &mut self,
        row: u64,
        record: &Record,
        passage: &Passage,
        vector: Option<&[f32]>,
    ) -> Result<(), BuildError> {
        let begun = self.check(row, passage)?;
        self.check_namespace(record)?;
        let document = self.document(row, record, passage, begun)?;
        self.add_vector(vector)?;
        self.index.add_document(document)?;
        // Only the query's vector uses token frequencies.
        if self.vectors.is_some() {
            self.tokens.count(&passage.indexed_text(record));
        }
        self.list.passages += 1;
        self.list.records += u32::from(!begun);
        self.last = Some((row, passage.range.start));
        Ok(())
    }

    /// Whether passages of the row came before.
    fn check(&self, row: u64, passage: &Passage) -> Result<bool, BuildError> {
        let here = (row, passage.range.start);
        match self.last {
            Some(last) if last > here => Err(BuildError::Input(format!(
                "expected passages in order, found row {row} from byte {} after row {} from byte {}",
                here.1, last.0, last.1
            ))),
            Some((last, _)) => Ok(last == row),
            None => Ok(false),
        }
    }

    fn check_namespace(&self, record: &Record) -> Result<(), BuildError> {
        let (expected, found) = (self.list.namespace, record.namespace);
        let message = || format!("expected records of `{expected}`, found one of `{found}`");
        (expected == found).then_some(()).ok_or_else(|| BuildError::Input(message()))
    }

    fn add_vector(&mut self, vector: Option<&[f32]>) -> Result<(), BuildError> {
        let expected = self.vectors.as_ref().map(|(_, dim)| *dim);
        match (&mut self.vectors, vector) {
            (Some((writer, dim)), Some(vector)) if vector.len() == *dim => Ok(writer.push(vector)?),
            (None, None) => Ok(()),
            (_, found) => {
                let found = found.map(<[f32]>::len);
                Err(BuildError::Input(format!(
                    "expected a vector of {expected:?}, found {found:?}"
                )))
            }
        }
    }

    /// The first passage of a record carries its tags and metadata: `begun` says that it was added.
    fn document(
        &self,
        row: u64,
        record: &Record,
        passage: &Passage,
        begun: bool,
    ) -> Result<TantivyDocument, BuildError> {
        let (fields, range) = (&self.fields, &passage.range);
        let text = record.text.get(range.clone()).ok_or_else(|| {
            let (id, length) = (&record.id, record.text.len());
            BuildError::Input(format!(
                "expected a passage of {id:?} in {length} bytes, found {range:?}"
            ))
        })?;
        let updated = date::instant(&record.last_updated).map_err(|error| {
            BuildError::Input(format!(
                "expected a date in last_updated of {:?}, {error}",
                record.id
            ))
        })?;
        let mut document = TantivyDocument::default();
        let name = name(record);
        let attributes = if begun { Vec::new() } else { attributes::texts(record) };
        let parts = [record.title.as_str(), &name, &passage.heading, text];
        let parts = parts.into_iter().chain(attributes.iter().map(String::as_str));
        for part in parts.filter(|part| !part.is_empty()) {
            document.add_text(fields.stems, part);
            document.add_text(fields.plain, part);
        }
        words::normalised(&record.title)
            .iter()
            .for_each(|title| document.add_text(fields.title, title));
        document.add_text(fields.kind, folded(&record.kind));
        record.tags.iter().for_each(|tag| document.add_text(fields.tag, folded(tag)));
        document.add_u64(fields.row, row);
        document.add_i64(fields.updated, updated);
        document.add_u64(fields.start, range.start as u64);
        document.add_u64(fields.end, range.end as u64);
        Ok(document)
    }

    /// Ends the shard. When this returns, all of it is on the disk to stay.
    pub(crate) fn finish(self) -> Result<ShardFacts, BuildError> {
        self.index.finalize()?;
        if let Some((vectors, _)) = self.vectors {
            vectors.finish()?;
        }
        tokens::write(&self.dir.join(files::TOKENS), &self.tokens)?;
        let list = self.list.write(&self.dir)?;
        Ok(ShardFacts { passages: list.passages, records: list.records, bytes: list.bytes() })
    }
}

/// The words of the id's name that the title does not have: `ada lovelace` of
/// `person:ada_lovelace`.
fn name(record: &Record) -> String {
    let name = record.id.split_once(':').map_or(record.id.as_str(), |(_, name)| name);
    let title = words::words(&record.title);
    let missing = words::words(name).into_iter().map(|word| word.text);
    let missing = missing.filter(|word| title.iter().all(|known| known.text != *word));
    missing.collect::<Vec<_>>().join(" ")
}
