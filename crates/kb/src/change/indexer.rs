//! Splits records into passages, embeds them and writes them into shards.
//!
//! While one batch is embedded, the one before is indexed on another thread.

use std::path::{Path, PathBuf};
use std::thread;

use aileron_contract::kb::Record;

use crate::cache::CachedEmbedder;
use crate::embed::Embedder;
use crate::error::KbError;
use crate::passage::{self, Passage};
use crate::records::{ShardEntry, Writer};
use crate::shard::ShardBuilder;
use crate::shards;

/// Passages that are embedded together.
const BATCH: usize = 1024;

/// A shard is closed when it has this many passages.
pub(super) const SHARD: u32 = 131_072;

/// Writes records into shards, in the order of their rows.
#[derive(Debug)]
pub(super) struct Indexer<'a> {
    folder: PathBuf,
    embedder: Option<CachedEmbedder<'a>>,
    dim: Option<usize>,
    /// Not embedded yet.
    batch: Batch,
    /// Embedded, not indexed yet.
    ready: Batch,
    open: Option<Open>,
}

#[derive(Debug, Default)]
struct Batch {
    records: Vec<(u64, Record, Vec<Passage>)>,
    passages: usize,
    vectors: Option<Vec<Vec<f32>>>,
}

/// A shard that is being written.
#[derive(Debug)]
struct Open {
    builder: ShardBuilder,
    entry: ShardEntry,
}

impl<'a> Indexer<'a> {
    pub(super) fn new(folder: &Path, embedder: Option<&'a dyn Embedder>) -> Result<Self, KbError> {
        let dim = embedder.map(|embedder| embedder.model().dim);
        let embedder =
            embedder.map(|embedder| CachedEmbedder::new(embedder, folder)).transpose()?;
        let (batch, ready) = (Batch::default(), Batch::default());
        Ok(Self { folder: folder.to_owned(), embedder, dim, batch, ready, open: None })
    }

    /// Rows come in ascending order until [`Indexer::close`].
    pub(super) fn add(&mut self, writer: &Writer, row: u64, record: Record) -> Result<(), KbError> {
        let passages = passage::split(&record.text);
        self.batch.passages += passages.len();
        self.batch.records.push((row, record, passages));
        if self.batch.passages >= BATCH { self.advance(writer) } else { Ok(()) }
    }

    /// Writes all that was added; every shard is complete.
    pub(super) fn close(&mut self, writer: &Writer) -> Result<(), KbError> {
        self.advance(writer)?;
        self.advance(writer)?;
        self.open.take().map_or(Ok(()), |open| open.finish(writer))
    }

    /// Indexes the batch that is ready while the next one is embedded.
    fn advance(&mut self, writer: &Writer) -> Result<(), KbError> {
        let ready = std::mem::take(&mut self.ready);
        let mut batch = std::mem::take(&mut self.batch);
        if !ready.records.is_empty() && self.open.is_none() {
            self.open = Some(Open::create(&self.folder, writer.next_shard()?, self.dim)?);
        }
        let open = self.open.as_mut();
        let (indexed, embedded) = thread::scope(|scope| {
            let index = scope.spawn(move || open.map_or(Ok(()), |open| open.write(&ready)));
            let embedded = embed(self.embedder.as_ref(), &batch);
            (index.join().unwrap_or_else(|_| Err(stopped())), embedded)
        });
        indexed?;
        batch.vectors = embedded?;
        self.ready = batch;
        let full = self.open.take_if(|open| open.entry.passages >= SHARD);
        full.map_or(Ok(()), |open| open.finish(writer))
    }
}

fn stopped() -> KbError {
    KbError::DamagedIndex { why: "the thread that writes it stopped".to_owned() }
}

fn embed(
    embedder: Option<&CachedEmbedder<'_>>,
    batch: &Batch,
) -> Result<Option<Vec<Vec<f32>>>, KbError> {
    let Some(embedder) = embedder else { return Ok(None) };
    let passages = batch.records.iter().flat_map(|(_, record, passages)| {
        passages.iter().map(move |passage| passage.indexed_text(record))
    });
    let texts: Vec<String> = passages.collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    embedder.documents(&texts).map(Some)
}

impl Open {
    fn create(folder: &Path, name: String, dim: Option<usize>) -> Result<Self, KbError> {
        let builder = ShardBuilder::create(&shards::fresh(folder, &name)?, dim)?;
        let entry = ShardEntry {
            name,
            passages: 0,
            records: 0,
            first_row: 0,
            last_row: 0,
            dead: Vec::new(),
        };
        Ok(Self { builder, entry })
    }

    fn write(&mut self, batch: &Batch) -> Result<(), KbError> {
        let mut vectors = batch.vectors.iter().flatten();
        for (row, record, passages) in &batch.records {
            for passage in passages {
                let vector = vectors.next().map(Vec::as_slice);
                self.builder.add(*row, record, passage, vector)?;
                self.entry.passages += 1;
            }
            if self.entry.records == 0 {
                self.entry.first_row = *row;
            }
            self.entry.last_row = *row;
            self.entry.records += 1;
        }
        Ok(())
    }

    fn finish(self, writer: &Writer) -> Result<(), KbError> {
        self.builder.finish()?;
        writer.add_shard(&self.entry)
    }
}
