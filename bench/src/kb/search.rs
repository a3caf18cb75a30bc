//! Searches a knowledge base in a new process, and reports speed and recall.

use std::collections::BTreeMap;
use std::fs;
use std::hint::black_box;
use std::path::Path;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use aileron_contract::kb::{Filters, Namespace};
use aileron_kb::load::slug;
use aileron_kb::{Detail, KnowledgeBase, Results, SearchQuery};

use super::exact::{Exact, NEAREST};
use super::generate;
use super::measured::{Filled, Measured, Speed, memory_mb};
use super::ready::Ready;
use super::workload::Workload;
use crate::samples::Samples;
use crate::{print, say};

/// A kind of search is repeated this many times or for this long.
const MOST: usize = 1000;
const LONGEST: Duration = Duration::from_secs(10);
const THREADS: usize = 8;
/// The labels of reads of unknown ids, in the column of filters.
const UNKNOWN_ID: &str = "an unknown id";
const MISSPELT_ID: &str = "a misspelt id";
const UNKNOWN_AT_ONCE: usize = 32;

/// A knowledge base and its queries.
struct Session {
    workload: Workload,
    base: KnowledgeBase,
    embedder: Arc<Ready>,
}

pub(crate) fn run(folder: &Path) -> Result<(), String> {
    let workload = Workload::read(folder)?;
    let filled = filled(folder)?;
    let embedder = Arc::new(Ready::default());
    let begun = Instant::now();
    let base = KnowledgeBase::at(workload.base(), Some(embedder.clone()));
    base.open().map_err(|error| error.to_string())?;
    let open_ms = milliseconds(begun.elapsed());
    let session = Session { workload, base, embedder };
    let begun = Instant::now();
    session.search(0, &Filters::default())?;
    let first_ms = milliseconds(begun.elapsed());
    let search = session.speeds()?;
    say(&format!("embedding a query: {:.1} µs", session.embedder.query_us()));
    let (rss_mb, anon_mb, peak_mb) = (memory_mb("VmRSS"), memory_mb("RssAnon"), memory_mb("VmHWM"));
    let recall = session.recall()?;
    let measured = Measured {
        engine: "Aileron".into(),
        records: session.workload.about.records,
        ingest_s: filled.ingest_s,
        disk_mb: filled.disk_mb,
        open_ms,
        first_ms,
        rss_mb,
        anon_mb,
        peak_mb,
        search,
        recall,
    };
    print(&serde_json::to_string(&measured).map_err(|error| error.to_string())?);
    Ok(())
}

fn filled(folder: &Path) -> Result<Filled, String> {
    let text =
        fs::read_to_string(folder.join("aileron.json")).map_err(|error| error.to_string())?;
    let filled: Filled = serde_json::from_str(&text).map_err(|error| error.to_string())?;
    say(&format!("ingest {:.1} s, of that {:.1} s embedding", filled.ingest_s, filled.embed_s));
    Ok(filled)
}

impl Session {
    fn search(&self, query: usize, filters: &Filters) -> Result<Results, String> {
        self.ask(&self.workload.about.queries[query], filters)
    }

    fn ask(&self, text: &str, filters: &Filters) -> Result<Results, String> {
        let namespaces = &Namespace::ALL;
        let request = SearchQuery {
            text,
            namespaces,
            filters,
            top_k: 10,
            min_score: Some(0.0),
            detail: Detail::Hits,
        };
        self.base.search(&request).map_err(|error| error.to_string())
    }

    fn speeds(&self) -> Result<Vec<Speed>, String> {
        let mut speeds = Vec::new();
        for (name, tag) in self.workload.filters() {
            let filters = having(tag);
            for query in 0..self.workload.about.queries.len() {
                black_box(self.search(query, &filters)?);
            }
            let begun = Instant::now();
            let search = |query| self.search(query, &filters).map(|found| drop(black_box(found)));
            let single = self.times(0, MOST, search)?;
            speeds.push(Speed::of(name, 1, &single, begun.elapsed().as_secs_f64()));
            let begun = Instant::now();
            let together = self.together(THREADS, search)?;
            speeds.push(Speed::of(name, THREADS, &together, begun.elapsed().as_secs_f64()));
        }
        speeds.extend(self.unknown_ids()?);
        Ok(speeds)
    }

    /// Reads records by unknown ids; each is answered with the closest ids. The words of an unknown
    /// id are words of records, those of a misspelt id are not.
    fn unknown_ids(&self) -> Result<Vec<Speed>, String> {
        let mut speeds = Vec::new();
        for (label, words) in [(UNKNOWN_ID, slug as fn(&str) -> String), (MISSPELT_ID, misspelt)] {
            let read = |query: usize| {
                let ids = [format!("doc:{}", words(&self.workload.about.queries[query]))];
                let fetched =
                    self.base.read(&ids, &Namespace::ALL).map_err(|error| error.to_string())?;
                if black_box(fetched).missing.is_empty() {
                    return Err(format!("expected no record {}, found one", ids[0]));
                }
                Ok(())
            };
            for at_once in [1, UNKNOWN_AT_ONCE] {
                let begun = Instant::now();
                let samples = self.together(at_once, read)?;
                let seconds = begun.elapsed().as_secs_f64();
                speeds.push(Speed::of(label, at_once, &samples, seconds));
            }
        }
        Ok(speeds)
    }

    /// Repeats an operation for one query after another, starting with one of them.
    fn times(
        &self,
        start: usize,
        most: usize,
        work: impl Fn(usize) -> Result<(), String>,
    ) -> Result<Samples, String> {
        let count = self.workload.about.queries.len();
        let (mut samples, started) = (Samples::default(), Instant::now());
        while samples.len() < most && started.elapsed() < LONGEST {
            let query = (start + samples.len()) % count;
            let begun = Instant::now();
            work(query)?;
            samples.push(begun.elapsed());
        }
        Ok(samples)
    }

    fn together(
        &self,
        threads: usize,
        work: impl Fn(usize) -> Result<(), String> + Sync,
    ) -> Result<Samples, String> {
        let (count, work) = (self.workload.about.queries.len(), &work);
        thread::scope(|scope| {
            let start = |number| number * count / threads;
            let work =
                |number| scope.spawn(move || self.times(start(number), MOST / threads, work));
            let threads: Vec<_> = (0..threads).map(work).collect();
            let mut all = Samples::default();
            for thread in threads {
                all.append(thread.join().map_err(|_| "a search panicked".to_owned())??);
            }
            Ok(all)
        })
    }

    /// Searches for words that no record has, with the vectors of the queries, so that all hits
    /// come from the vectors.
    fn recall(&self) -> Result<BTreeMap<String, f64>, String> {
        let queries = &self.workload.about.queries;
        let vectors: Vec<_> =
            queries.iter().filter_map(|text| self.embedder.vector(text)).collect();
        self.workload.keep_queries(&vectors)?;
        for (query, vector) in vectors.iter().enumerate() {
            self.embedder.keep(&strange(query), vector.clone());
        }
        let exact = Exact::of(&self.workload, vectors)?;
        let mut recall = BTreeMap::new();
        for (name, tag) in self.workload.filters() {
            let find = |query| self.ask(&strange(query), &having(tag)).map(numbers);
            let found = (0..queries.len()).map(find).collect::<Result<Vec<_>, _>>()?;
            recall.extend(exact.recall(name, &found).map(|share| (name.to_owned(), share)));
        }
        Ok(recall)
    }
}

fn numbers(results: Results) -> Vec<usize> {
    let numbers = results.hits.iter().filter_map(|hit| generate::number(&hit.record.id));
    numbers.take(NEAREST).collect()
}

/// A nonsense word for each query, too different from any other to be corrected.
fn strange(query: usize) -> String {
    let letter = |place: u32| char::from(b'a' + (query / 10_usize.pow(place) % 10) as u8);
    format!("zqxjkvwzq{}{}{}{}vkjxqzwvq", letter(3), letter(2), letter(1), letter(0))
}

/// A slug with an extra letter in each word.
fn misspelt(text: &str) -> String {
    slug(text).split('_').map(|word| format!("q{word}")).collect::<Vec<_>>().join("_")
}

fn having(tag: Option<&str>) -> Filters {
    Filters { tags: tag.map(str::to_owned).into_iter().collect(), ..Filters::default() }
}

fn milliseconds(took: Duration) -> f64 {
    took.as_secs_f64() * 1000.0
}
