//! How well the least score of a search parts questions that the records answer from those they
//! say nothing about. On topic are the claims of SciFact over its abstracts, and questions about the
//! demo's records; off topic are everyday questions about neither.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use aileron_contract::kb::{Filters, Namespace};
use aileron_kb::embed::{Embedder, FixedTable, MiniLm};
use aileron_kb::load::{self, Item};
use aileron_kb::{Detail, KnowledgeBase, Request, Start};

use super::collection;
use super::quality::fill;
use super::text::repository;
use crate::print;

const OFF_TOPIC: &str = include_str!("off_topic/off_topic.txt");
const DEMO: &str = include_str!("off_topic/demo.txt");

/// The scores that are tried.
const CUTS: [f64; 7] = [0.16, 0.20, 0.22, 0.24, 0.26, 0.28, 0.32];

/// Names the embedding engine; `None` searches by words alone.
type Engine = (&'static str, Option<Arc<dyn Embedder>>);

/// Measures the engines that are always there, and MiniLM if its weights are in this folder.
pub(crate) fn run(models: Option<&Path>) -> Result<(), String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let mut engines: Vec<Engine> =
        vec![("words", None), ("static", Some(Arc::new(FixedTable::new())))];
    let weights = models.map(|models| models.join(aileron_kb::embed::weights::MINILM.file));
    engines.extend(weights.map(|path| -> Engine { ("minilm", Some(Arc::new(MiniLm::at(path)))) }));
    print(
        "| records | engine | least score | on topic, answered | off topic, nothing found |\n|---|---|---|---|---|",
    );
    for (name, embedder) in engines {
        let demo = KnowledgeBase::at(folder.path().join(format!("demo-{name}")), embedder.clone());
        ingest(&demo, repository().join("demo/knowledge"))?;
        report(&demo, ("demo", name), &lines(DEMO))?;
        let science = KnowledgeBase::at(folder.path().join(format!("science-{name}")), embedder);
        fill(&science, &collection::documents()?)?;
        let claims: Vec<String> =
            collection::queries()?.into_iter().map(|query| query.text).collect();
        report(&science, ("SciFact", name), &claims)?;
    }
    Ok(())
}

fn lines(text: &str) -> Vec<String> {
    text.lines().map(str::to_owned).collect()
}

fn ingest(base: &KnowledgeBase, folder: PathBuf) -> Result<(), String> {
    let mut change = base.begin(Start::Continue).map_err(|error| error.to_string())?;
    for item in load::read(&[folder]) {
        if let Item::Record(loaded) = item {
            change.put(loaded.record, "demo").map_err(|error| error.to_string())?;
        }
    }
    change.commit().map_err(|error| error.to_string())
}

fn report(
    base: &KnowledgeBase,
    (records, engine): (&str, &str),
    on_topic: &[String],
) -> Result<(), String> {
    let best = |queries: &[String]| {
        queries.iter().map(|query| best(base, query)).collect::<Result<Vec<f64>, _>>()
    };
    let (on, off) = (best(on_topic)?, best(&lines(OFF_TOPIC))?);
    let share = |scores: &[f64], holds: &dyn Fn(f64) -> bool| {
        100.0 * scores.iter().filter(|score| holds(**score)).count() as f64 / scores.len() as f64
    };
    for cut in CUTS {
        let answered = share(&on, &|score| score >= cut);
        let nothing = share(&off, &|score| score < cut);
        print(&format!("| {records} | {engine} | {cut:.2} | {answered:.0} % | {nothing:.0} % |"));
    }
    Ok(())
}

/// The score of the best hit; 0 without any.
fn best(base: &KnowledgeBase, text: &str) -> Result<f64, String> {
    let request = Request {
        text,
        namespaces: &Namespace::ALL,
        filters: &Filters::default(),
        top_k: 1,
        min_score: Some(0.0),
        detail: Detail::Hits,
    };
    let found = base.search(&request).map_err(|error| error.to_string())?;
    Ok(found.hits.first().map_or(0.0, |hit| hit.score))
}
