//! Splits records into passages, embeds them and writes them into shards.
//!
//! While one batch is embedded, the one before is indexed on another thread.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::thread;

use aileron_contract::kb::{Namespace, Record};

use crate::cache::CachedEmbedder;
use crate::embed::Embedder;
use crate::error::KbError;
use crate::passage::{self, Passage};
use crate::records::{RecordsWriter, ShardEntry};
use crate::shard::ShardBuilder;
use crate::shards;

/// Passages that are embedded together.
const BATCH: usize = 1024;

/// A shard is closed when it has this many passages.
pub(super) const SHARD: u32 = 131_072;

/// Writes records into shards, in the order of their rows, each namespace into its own.
#[derive(Debug)]
pub(super) struct Indexer<'a> {
    place: ShardPlace,
    embedder: Option<CachedEmbedder<'a>>,
    /// By namespace. They share nothing, so that where a shard of one ends does not depend on
    /// the records of another.
    queues: BTreeMap<Namespace, Queue>,
}

/// The folder of the shards, and the embedder of their vectors.
#[derive(Debug)]
struct ShardPlace {
    folder: PathBuf,
    dim: Option<usize>,
}

/// Records of one namespace on their way into shards.
#[derive(Debug, Default)]
struct Queue {
    /// Not embedded yet.
    batch: IndexBatch,
    /// Embedded, not indexed yet.
    ready: IndexBatch,
    open: Option<OpenShard>,
}

#[derive(Debug, Default)]
struct IndexBatch {
    records: Vec<(u64, Record, Vec<Passage>)>,
    passages: usize,
    vectors: Option<Vec<Vec<f32>>>,
}

/// A shard that is being written.
#[derive(Debug)]
struct OpenShard {
    builder: ShardBuilder,
    entry: ShardEntry,
}

impl<'a> Indexer<'a> {
    pub(super) fn new(folder: &Path, embedder: Option<&'a dyn Embedder>) -> Result<Self, KbError> {
        let dim = embedder.map(|embedder| embedder.model().dim);
        let embedder =
            embedder.map(|embedder| CachedEmbedder::new(embedder, folder)).transpose()?;
        let place = ShardPlace { folder: folder.to_owned(), dim };
        Ok(Self { place, embedder, queues: BTreeMap::new() })
    }

    /// Rows come in ascending order until [`Indexer::close`].
    pub(super) fn add(
        &mut self,
        writer: &RecordsWriter,
        row: u64,
        record: Record,
    ) -> Result<(), KbError> {
        let queue = self.queues.entry(record.namespace).or_default();
        let passages = passage::split(&record.text);
        queue.batch.passages += passages.len();
        queue.batch.records.push((row, record, passages));
        match queue.batch.passages >= BATCH {
            true => queue.advance(writer, &self.place, self.embedder.as_ref()),
            false => Ok(()),
        }
    }

    /// Writes everything that was added; every shard is then complete.
    pub(super) fn close(&mut self, writer: &RecordsWriter) -> Result<(), KbError> {
        for mut queue in std::mem::take(&mut self.queues).into_values() {
            queue.advance(writer, &self.place, self.embedder.as_ref())?;
            queue.advance(writer, &self.place, self.embedder.as_ref())?;
            queue.open.map_or(Ok(()), |open| open.finish(writer))?;
        }
        Ok(())
    }
}

impl Queue {
    /// Indexes the batch that is ready while the next one is embedded.
    fn advance(
        &mut self,
        writer: &RecordsWriter,
        place: &ShardPlace,
        embedder: Option<&CachedEmbedder<'_>>,
    ) -> Result<(), KbError> {
        let ready = std::mem::take(&mut self.ready);
        let mut batch = std::mem::take(&mut self.batch);
        if let (Some((_, first, _)), None) = (ready.records.first(), &self.open) {
            self.open = Some(OpenShard::create(place, writer.next_shard()?, first.namespace)?);
        }
        let open = self.open.as_mut();
        let (indexed, embedded) = thread::scope(|scope| {
            let index = scope.spawn(move || open.map_or(Ok(()), |open| open.write(&ready)));
            let embedded = embed(embedder, &batch);
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
    batch: &IndexBatch,
) -> Result<Option<Vec<Vec<f32>>>, KbError> {
    let Some(embedder) = embedder else { return Ok(None) };
    let passages = batch.records.iter().flat_map(|(_, record, passages)| {
        passages.iter().map(move |passage| passage.indexed_text(record))
    });
    let texts: Vec<String> = passages.collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    embedder.documents(&texts).map(Some)
}

impl OpenShard {
    fn create(place: &ShardPlace, name: String, namespace: Namespace) -> Result<Self, KbError> {
        let path = shards::fresh(&place.folder, &name)?;
        let builder = ShardBuilder::create(&path, namespace, place.dim)?;
        let entry = ShardEntry {
            name,
            namespace,
            passages: 0,
            records: 0,
            first_row: 0,
            last_row: 0,
            dead: Vec::new(),
        };
        Ok(Self { builder, entry })
    }

    fn write(&mut self, batch: &IndexBatch) -> Result<(), KbError> {
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

    fn finish(self, writer: &RecordsWriter) -> Result<(), KbError> {
        self.builder.finish()?;
        writer.add_shard(&self.entry)
    }
}
