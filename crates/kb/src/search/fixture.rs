//! Small knowledge bases on disk, for the tests of the search.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use aileron_contract::kb::{DateRange, Filters, Namespace, Record};
use tempfile::TempDir;

use super::{
    Detail, RankedHit, Records, RecordsError, Results, SearchError, SearchQuery, Searcher,
    ShardsByNamespace,
};
use crate::embed::{Cost, EmbedError, Embedder, Model, TokenStatistics};
use crate::passage::Passage;
use crate::shard::{Shard, ShardBuilder, ShardExpectation};
use crate::words;

pub(crate) fn record(id: &str, title: &str, text: &str) -> Record {
    Record {
        id: id.to_owned(),
        kind: "document".to_owned(),
        title: title.to_owned(),
        text: text.to_owned(),
        namespace: Namespace::Studio,
        tags: Vec::new(),
        source_type: "markdown".to_owned(),
        last_updated: "2026-05-01T12:00:00Z".to_owned(),
        url: None,
        metadata: Default::default(),
    }
}

/// A passage for each paragraph.
pub(crate) fn passages(record: &Record) -> Vec<Passage> {
    let mut start = 0;
    let parts = record.text.split_inclusive("\n\n").map(|part| {
        start += part.len();
        Passage { heading: String::new(), range: start - part.len()..start }
    });
    let mut parts: Vec<Passage> = parts.collect();
    if parts.is_empty() {
        parts.push(Passage { heading: String::new(), range: 0..0 });
    }
    parts
}

/// Whether a base has vectors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Vectors {
    With,
    Without,
}

/// Records and their shards.
#[derive(Debug)]
pub(crate) struct Base {
    _dir: TempDir,
    pub(crate) records: BTreeMap<u64, Record>,
    pub(crate) shards: ShardsByNamespace,
    embedder: Option<Letters>,
}

impl Base {
    /// Words alone, in one shard.
    pub(crate) fn of(records: impl IntoIterator<Item = Record>) -> Self {
        Self::new(records, 1, Vectors::Without, &[])
    }

    /// Rows are numbered from 1. Those in `dead` are in the shards but not found.
    pub(crate) fn new(
        records: impl IntoIterator<Item = Record>,
        shards: usize,
        vectors: Vectors,
        dead: &[u64],
    ) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let records: BTreeMap<u64, Record> = (1..).zip(records).collect();
        let embedder = (vectors == Vectors::With).then(Letters::new);
        let mut opened = Vec::new();
        for namespace in Namespace::ALL {
            let own = records.iter().filter(|(_, record)| record.namespace == namespace);
            let rows: Vec<(&u64, &Record)> = own.collect();
            for rows in rows.chunks(rows.len().div_ceil(shards).max(1)) {
                let path = dir.path().join(opened.len().to_string());
                let expected = write(&path, rows, embedder.as_ref());
                opened.push(Arc::new(Shard::open(&path, &expected, dead).unwrap()));
            }
        }
        let shards = ShardsByNamespace::new(opened);
        Self { _dir: dir, records, shards, embedder }
    }

    pub(crate) fn searcher(&self) -> Searcher<'_> {
        let embedder = self.embedder.as_ref().map(|embedder| embedder as &dyn Embedder);
        Searcher { shards: &self.shards, embedder, records: &self.records }
    }

    pub(crate) fn search(
        &self,
        text: &str,
        filters: &Filters,
        top_k: usize,
    ) -> Result<Vec<RankedHit>, SearchError> {
        self.results(text, filters, top_k).map(|results| results.hits)
    }

    /// With the notes.
    pub(crate) fn results(
        &self,
        text: &str,
        filters: &Filters,
        top_k: usize,
    ) -> Result<Results, SearchError> {
        let (namespaces, detail) = (&Namespace::ALL, Detail::Explained);
        let min_score = Some(0.0);
        self.searcher().search(&SearchQuery { text, namespaces, filters, top_k, min_score, detail })
    }

    /// The ids of the ten best.
    pub(crate) fn ids(&self, text: &str) -> Vec<String> {
        self.filtered(text, &Filters::default())
    }

    pub(crate) fn filtered(&self, text: &str, filters: &Filters) -> Vec<String> {
        let hits = self.search(text, filters, 10).unwrap();
        hits.into_iter().map(|hit| hit.record.id).collect()
    }
}

/// Writes a shard of records by row.
pub(crate) fn write(
    path: &std::path::Path,
    rows: &[(&u64, &Record)],
    embedder: Option<&Letters>,
) -> ShardExpectation {
    let dim = embedder.map(|embedder| embedder.0.dim);
    let namespace = rows.first().map_or(Namespace::Studio, |(_, record)| record.namespace);
    let mut builder = ShardBuilder::create(path, namespace, dim).unwrap();
    for (row, record) in rows {
        for passage in passages(record) {
            let text = passage.indexed_text(record);
            let vector = embedder.map(|embedder| embedder.vector(&text));
            builder.add(**row, record, &passage, vector.as_deref()).unwrap();
        }
    }
    let facts = builder.finish().unwrap();
    assert_eq!(facts.records as usize, rows.len());
    ShardExpectation { namespace, passages: facts.passages, dim }
}

pub(crate) fn between(start: Option<&str>, end: Option<&str>) -> Filters {
    let date_range = DateRange { start: start.map(str::to_owned), end: end.map(str::to_owned) };
    Filters { date_range, ..Filters::default() }
}

pub(crate) fn tagged(tags: &[&str]) -> Filters {
    Filters { tags: tags.iter().map(|tag| (*tag).to_owned()).collect(), ..Filters::default() }
}

impl Records for BTreeMap<u64, Record> {
    fn record(&self, row: u64) -> Result<Option<Record>, RecordsError> {
        Ok(self.get(&row).cloned())
    }

    fn row_of(&self, id: &str, namespaces: &[Namespace]) -> Result<Option<u64>, RecordsError> {
        let is_asked = |record: &Record| record.id == id && namespaces.contains(&record.namespace);
        Ok(self.iter().find(|(_, record)| is_asked(record)).map(|(row, _)| *row))
    }

    fn types(&self, namespaces: &[Namespace]) -> Result<Vec<String>, RecordsError> {
        let own = self.values().filter(|record| namespaces.contains(&record.namespace));
        let types: BTreeSet<String> = own.map(|record| record.kind.clone()).collect();
        Ok(types.into_iter().collect())
    }
}

/// Texts are alike that share triples of letters.
#[derive(Debug)]
pub(crate) struct Letters(Model);

impl Letters {
    pub(crate) fn new() -> Self {
        let name = "letters".to_owned();
        Self(Model { name, dim: 64, weight: 0.4, on_topic: None, cost: Cost::Cheap })
    }

    fn vector(&self, text: &str) -> Vec<f32> {
        let mut vector = vec![0f32; self.0.dim];
        for word in words::words(text) {
            for triple in word.text.as_bytes().windows(3) {
                let place = triple.iter().fold(7usize, |sum, byte| sum * 31 + usize::from(*byte));
                vector[place % self.0.dim] += 1.0;
            }
        }
        let length = vector.iter().map(|value| value * value).sum::<f32>().sqrt();
        vector.iter_mut().for_each(|value| *value /= length.max(1e-6));
        vector
    }
}

impl Embedder for Letters {
    fn model(&self) -> &Model {
        &self.0
    }

    fn documents(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        Ok(texts.iter().map(|text| self.vector(text)).collect())
    }

    fn query(&self, text: &str, _: &TokenStatistics) -> Result<Vec<f32>, EmbedError> {
        Ok(self.vector(text))
    }
}
