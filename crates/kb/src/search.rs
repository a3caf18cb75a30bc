//! Hybrid search over shards: words and meaning, filtered before they are ranked.
//!
//! `terms` says what to look for, `candidates` finds the passages that may be best,
//! `rank` gives each its exact score, `fuse` says what a score is.

mod best;
mod bm25;
mod by_words;
mod candidates;
mod error;
mod explain;
#[cfg(test)]
pub(crate) mod fixture;
mod rank;
mod set;
mod spelling;
mod terms;

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

use aileron_contract::kb::{Filters, Namespace, Ranking, Record};

pub(crate) use error::SearchError;
pub use explain::{Expansion, Explanation, TermShare, WordShare};
pub(crate) use set::ShardSet;

use crate::embed::{EmbedError, Embedder};
use crate::query::{self, date};
use crate::shard::filter::Filter;
use crate::snippet::{self, Snippet};
use rank::{Candidate, Plan};
use terms::Terms;

/// What to search for and among what.
#[derive(Debug, Clone, Copy)]
pub struct Request<'a> {
    pub text: &'a str,
    /// Any of them; none finds nothing.
    pub namespaces: &'a [Namespace],
    pub filters: &'a Filters,
    pub top_k: usize,
    pub detail: Detail,
}

/// How much is told of each hit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Detail {
    Hits,
    /// With how each score came to be.
    Explained,
}

/// A record that was found.
#[derive(Debug, Clone, PartialEq)]
pub struct Ranked {
    pub row: u64,
    pub record: Record,
    /// 0 to 1; see [`crate::fuse::score`].
    pub score: f64,
    pub snippet: Snippet,
    pub explanation: Option<Explanation>,
}

/// The records found, best first, and what they were ranked by.
#[derive(Debug, Clone, PartialEq)]
pub struct Results {
    pub hits: Vec<Ranked>,
    pub ranking: Ranking,
}

/// The records behind the index.
pub(crate) trait Records {
    fn record(&self, row: u64) -> Result<Option<Record>, RecordsError>;

    fn row_of(&self, id: &str) -> Result<Option<u64>, RecordsError>;
}

pub(crate) type RecordsError = Box<dyn std::error::Error + Send + Sync>;

/// Searches a set of shards.
#[derive(Clone, Copy)]
pub(crate) struct Searcher<'a> {
    pub(crate) shards: &'a ShardSet,
    /// None searches by words alone.
    pub(crate) embedder: Option<&'a dyn Embedder>,
    pub(crate) records: &'a dyn Records,
}

impl Searcher<'_> {
    /// The best records for a request, best first. Equal scores go by id.
    pub(crate) fn search(&self, request: &Request<'_>) -> Result<Vec<Ranked>, SearchError> {
        // Readers of the index take its bytes as given and may panic over damaged ones.
        let found = catch_unwind(AssertUnwindSafe(|| self.find(request)));
        found.unwrap_or(Err(SearchError::Broken))
    }

    fn find(&self, request: &Request<'_>) -> Result<Vec<Ranked>, SearchError> {
        let query = query::parse(request.text);
        let filter = filter(request)?;
        let id = self.records.row_of(request.text.trim()).map_err(SearchError::Records)?;
        if query.words.is_empty() && id.is_none() {
            return Err(SearchError::EmptyQuery);
        }
        if request.top_k == 0 || self.shards.passages() == 0 {
            return Ok(Vec::new());
        }
        let terms = Terms::resolve(&query, self.shards)?;
        let meaning = self.meaning(request.text)?;
        let plan = Plan { query: &query, terms: &terms, meaning, id };
        let found = self.candidates(&plan, &filter, request.top_k)?;
        self.hydrate(&plan, found, request)
    }

    /// The query's vector and what a cosine of 1 counts.
    fn meaning(&self, text: &str) -> Result<Option<(Vec<f32>, f32)>, SearchError> {
        let Some(embedder) = self.embedder else { return Ok(None) };
        let model = embedder.model();
        self.shards.check_model(model)?;
        let vector = embedder.query(text, self.shards.tokens()).map_err(SearchError::Embed)?;
        if vector.len() != model.dim {
            let message = format!("expected a vector of {}, found {}", model.dim, vector.len());
            return Err(SearchError::Embed(EmbedError { message, transient: false }));
        }
        Ok(Some((vector, model.weight)))
    }

    /// Candidates enough for `top_k` records, if there are as many. Several passages of one
    /// record count once, so it may take more than one round.
    fn candidates(
        &self,
        plan: &Plan<'_>,
        filter: &Filter,
        top_k: usize,
    ) -> Result<Vec<Candidate>, SearchError> {
        const LEAST: usize = 100;
        let scopes = candidates::scopes(self.shards, plan.query, filter)?;
        let all = self.shards.passages() as usize + 1;
        let mut wanted = top_k.saturating_mul(4).max(LEAST).min(all);
        loop {
            let pool = candidates::gather(self.shards, &scopes, plan, wanted)?;
            let found = rank::records(self.shards, plan, &pool.passages)?;
            if found.len() >= top_k || pool.exhausted {
                return Ok(found);
            }
            wanted = wanted.saturating_mul(4).min(all);
        }
    }

    /// Reads the records of the best candidates. Where the last place is shared, all that
    /// share it are read, because their ids decide.
    fn hydrate(
        &self,
        plan: &Plan<'_>,
        found: Vec<Candidate>,
        request: &Request<'_>,
    ) -> Result<Vec<Ranked>, SearchError> {
        let mut hits: Vec<(Candidate, Record)> = Vec::new();
        for candidate in found {
            let last = hits.get(request.top_k - 1).map(|(last, _)| last.score);
            if last.is_some_and(|last| candidate.score < last) {
                break;
            }
            let record = self.records.record(candidate.row).map_err(SearchError::Records)?;
            hits.extend(record.map(|record| (candidate, record)));
        }
        hits.sort_by(|(a, left), (b, right)| {
            b.score.total_cmp(&a.score).then_with(|| left.id.cmp(&right.id))
        });
        hits.truncate(request.top_k);
        let shown = plan.terms.shown();
        hits.into_iter()
            .map(|(hit, record)| self.finish(plan, &shown, hit, record, request.detail))
            .collect()
    }

    fn finish(
        &self,
        plan: &Plan<'_>,
        shown: &snippet::Sought,
        hit: Candidate,
        record: Record,
        detail: Detail,
    ) -> Result<Ranked, SearchError> {
        let shard = &self.shards.shards()[hit.passage.shard];
        let range = shard.range(hit.passage.number);
        let text = record.text.get(range).unwrap_or(&record.text);
        let snippet = snippet::around(text, shown);
        let explanation = match detail {
            Detail::Hits => None,
            Detail::Explained => Some(explain::explain(shard, plan, &hit)?),
        };
        Ok(Ranked { row: hit.row, score: hit.score, snippet, explanation, record })
    }
}

fn filter(request: &Request<'_>) -> Result<Filter, SearchError> {
    let filters = request.filters;
    let updated = date::range(&filters.date_range).map_err(SearchError::Date)?;
    let (kind, mut tags) = (filters.kind.clone(), filters.tags.clone());
    tags.sort();
    tags.dedup();
    Ok(Filter { namespaces: request.namespaces.to_vec(), kind, tags, updated })
}

impl fmt::Debug for Searcher<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Searcher").field("shards", &self.shards).finish_non_exhaustive()
    }
}

#[cfg(test)]
#[path = "search_tests.rs"]
mod tests;
