//! How well the bounds of a search separate questions that the records answer from questions that
//! they do not. On topic are the claims of SciFact over its abstracts, and questions about the
//! demo's records; off topic are everyday questions about neither. Short queries are a separate
//! list: those on topic use other words than the records.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use aileron_contract::kb::{Filters, Namespace};
use aileron_kb::embed::{Embedder, FixedTable, MiniLm};
use aileron_kb::load::{self, LoadItem};
use aileron_kb::{Detail, IndexStart, KnowledgeBase, RankedHit, SearchQuery};

use super::collection;
use super::quality::fill;
use super::text::repository;
use crate::print;

const OFF_TOPIC: &str = include_str!("off_topic/off_topic.txt");
const OFF_TOPIC_SHORT: &str = include_str!("off_topic/off_topic_short.txt");
const DEMO: &str = include_str!("off_topic/demo.txt");
const DEMO_OTHER_WORDS: &str = include_str!("off_topic/demo_other_words.txt");

/// The bounds to try: a score, and a cosine that suffices in its place.
const BOUNDS: [(f64, Option<f32>); 10] = [
    (0.20, None),
    (0.22, None),
    (0.24, None),
    (0.26, None),
    (0.28, None),
    (0.24, Some(0.30)),
    (0.24, Some(0.35)),
    (0.24, Some(0.40)),
    (0.24, Some(0.45)),
    (0.28, Some(0.40)),
];

/// Hits among which the highest cosine is searched.
const MOST_HITS: usize = 100;

/// Names the embedding engine; `None` searches by words alone.
type Engine = (&'static str, Option<Arc<dyn Embedder>>);

/// The values that the bounds of a query are compared with.
struct Best {
    score: f64,
    cosine: Option<f32>,
}

/// Measures the engines that are always there, and MiniLM if its weights are in this folder.
pub(crate) fn run(models: Option<&Path>) -> Result<(), String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let mut engines: Vec<Engine> =
        vec![("none", None), ("static", Some(Arc::new(FixedTable::new())))];
    let weights = models.map(|models| models.join(aileron_models::Model::MINILM.files[0].name));
    engines.extend(weights.map(|path| -> Engine { ("minilm", Some(Arc::new(MiniLm::at(path)))) }));
    print(
        "| records | engine | queries | least score | or cosine | on topic, answered | off topic, nothing found |\n|---|---|---|---|---|---|---|",
    );
    for (name, embedder) in engines {
        let demo = KnowledgeBase::at(folder.path().join(format!("demo-{name}")), embedder.clone());
        ingest(&demo, repository().join("demo/knowledge"))?;
        report(&demo, &format!("demo | {name} | questions"), &lines(DEMO), OFF_TOPIC)?;
        let label = format!("demo | {name} | short, other words");
        report(&demo, &label, &lines(DEMO_OTHER_WORDS), OFF_TOPIC_SHORT)?;
        let science = KnowledgeBase::at(folder.path().join(format!("science-{name}")), embedder);
        fill(&science, &collection::documents()?)?;
        let claims: Vec<String> =
            collection::queries()?.into_iter().map(|query| query.text).collect();
        report(&science, &format!("SciFact | {name} | claims"), &claims, OFF_TOPIC)?;
    }
    Ok(())
}

fn lines(text: &str) -> Vec<String> {
    text.lines().map(str::to_owned).collect()
}

fn ingest(base: &KnowledgeBase, folder: PathBuf) -> Result<(), String> {
    let mut change = base.begin(IndexStart::Continue).map_err(|error| error.to_string())?;
    for item in load::read(&[folder]) {
        if let LoadItem::Record(loaded) = item {
            change.put(loaded.record, "demo").map_err(|error| error.to_string())?;
        }
    }
    change.commit().map_err(|error| error.to_string())
}

fn report(
    base: &KnowledgeBase,
    label: &str,
    on_topic: &[String],
    off_topic: &str,
) -> Result<(), String> {
    let best = |queries: &[String]| {
        queries.iter().map(|query| best(base, query)).collect::<Result<Vec<Best>, _>>()
    };
    let (on, off) = (best(on_topic)?, best(&lines(off_topic))?);
    for (score, cosine) in BOUNDS {
        let share = |all: &[Best]| {
            let reached = all.iter().filter(|best| best.reaches(score, cosine)).count();
            100.0 * reached as f64 / all.len() as f64
        };
        let (answered, nothing) = (share(&on), 100.0 - share(&off));
        let cosine = cosine.map_or("-".to_owned(), |cosine| format!("{cosine:.2}"));
        print(&format!("| {label} | {score:.2} | {cosine} | {answered:.0} % | {nothing:.0} % |"));
    }
    Ok(())
}

impl Best {
    fn reaches(&self, score: f64, cosine: Option<f32>) -> bool {
        let is_alike = self.cosine.zip(cosine).is_some_and(|(best, bound)| best >= bound);
        self.score >= score || is_alike
    }
}

fn best(base: &KnowledgeBase, text: &str) -> Result<Best, String> {
    let request = SearchQuery {
        text,
        namespaces: &Namespace::ALL,
        filters: &Filters::default(),
        top_k: MOST_HITS,
        min_score: Some(0.0),
        detail: Detail::Explained,
    };
    let hits = base.search(&request).map_err(|error| error.to_string())?.hits;
    let cosine = |hit: &RankedHit| hit.explanation.as_ref().and_then(|it| it.cosine);
    Ok(Best {
        score: hits.first().map_or(0.0, |hit| hit.score),
        cosine: hits.iter().filter_map(cosine).max_by(f32::total_cmp),
    })
}
