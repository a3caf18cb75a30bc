//! How well a public collection's queries are answered: by words, by vectors, by both. Nothing is
//! tuned here.

mod metrics;

use std::path::Path;
use std::sync::Arc;

use aileron_contract::kb::{Filters, Namespace, Record};
use aileron_kb::embed::{EmbedError, Embedder, FixedTable, Model, TokenStatistics};
use aileron_kb::{Detail, IndexStart, KnowledgeBase, SearchQuery};
use serde_json::Map;

use self::metrics::Metrics;
use super::collection::{self, Asked, Document, Grades};
use crate::print;

/// How many hits are evaluated.
const DEPTH: usize = 100;

/// A way to rank: its name, its index, its embedder.
type Way<'a> = (&'static str, &'a Path, Option<Arc<dyn Embedder>>);

/// Ranks by similarity alone: the word score counts a millionth of it.
#[derive(Debug)]
struct MeaningAlone {
    inner: FixedTable,
    model: Model,
}

pub(crate) fn run() -> Result<(), String> {
    let (documents, queries, grades) =
        (collection::documents()?, collection::queries()?, collection::grades()?);
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let (words, both) = (folder.path().join("words"), folder.path().join("both"));
    print("| ranked by | nDCG@10 | recall@100 | MRR@10 |\n|---|---|---|---|");
    let engines: [Way<'_>; 3] = [
        ("words (BM25)", &words, None),
        ("both", &both, Some(Arc::new(FixedTable::new()))),
        ("meaning (the fixed table)", &both, Some(Arc::new(MeaningAlone::new()))),
    ];
    for (name, folder, embedder) in engines {
        let base = KnowledgeBase::at(folder, embedder);
        if !folder.exists() {
            fill(&base, &documents)?;
        }
        let metrics = answer(&base, &queries, &grades)?;
        print(&format!(
            "| {name} | {:.4} | {:.4} | {:.4} |",
            metrics.ndcg, metrics.recall, metrics.mrr
        ));
    }
    Ok(())
}

pub(super) fn fill(base: &KnowledgeBase, documents: &[Document]) -> Result<(), String> {
    let mut change = base.begin(IndexStart::Continue).map_err(|error| error.to_string())?;
    for document in documents {
        change.put(record(document), "docs.jsonl").map_err(|error| error.to_string())?;
    }
    change.commit().map_err(|error| error.to_string())
}

fn record(document: &Document) -> Record {
    Record {
        id: format!("doc:{}", document.id),
        kind: "doc".into(),
        title: document.title.clone(),
        text: document.text.clone(),
        namespace: Namespace::Public,
        tags: Vec::new(),
        source_type: "paper".into(),
        last_updated: "2020-01-01T00:00:00Z".into(),
        url: None,
        metadata: Map::new(),
    }
}

fn answer(base: &KnowledgeBase, queries: &[Asked], grades: &Grades) -> Result<Metrics, String> {
    let mut total = Metrics::default();
    for query in queries {
        let request = SearchQuery {
            text: &query.text,
            namespaces: &[Namespace::Public],
            filters: &Filters::default(),
            top_k: DEPTH,
            min_score: Some(0.0),
            detail: Detail::Hits,
        };
        let found = base.search(&request).map_err(|error| error.to_string())?;
        let ids: Vec<_> =
            found.hits.iter().filter_map(|hit| hit.record.id.strip_prefix("doc:")).collect();
        let wanted =
            grades.get(&query.id).ok_or_else(|| format!("no grades for query {}", query.id))?;
        total.add(&Metrics::of(&ids, wanted));
    }
    Ok(total.divided(queries.len()))
}

impl MeaningAlone {
    fn new() -> Self {
        let inner = FixedTable::new();
        let model = Model { weight: 1e6, ..inner.model().clone() };
        Self { inner, model }
    }
}

impl Embedder for MeaningAlone {
    fn model(&self) -> &Model {
        &self.model
    }

    fn documents(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        self.inner.documents(texts)
    }

    fn query(&self, text: &str, tokens: &TokenStatistics) -> Result<Vec<f32>, EmbedError> {
        self.inner.query(text, tokens)
    }
}
