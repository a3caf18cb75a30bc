//! Hybrid search over shards: words and meaning, filtered before they are ranked.
//!
//! `terms` looks the words of a query up, `candidates` finds the passages that may be best, `rank`
//! gives each its exact score, `fuse` defines the score.

mod bm25;
mod by_words;
mod candidates;
mod error;
mod explain;
#[cfg(test)]
pub(crate) mod fixture;
mod rank;
mod set;
mod shared_words;
mod spelling;
mod terms;
mod top_k;

use std::fmt;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};

use aileron_contract::kb::{Filters, Namespace, PassageRange, Ranking, Record, SearchNote};

pub(crate) use error::SearchError;
pub use explain::{Expansion, Explanation, TermShare, WordShare};
pub(crate) use set::{ShardSet, ShardsByNamespace};

use crate::bitmap::Bitmap;
use crate::embed::{EmbedError, Embedder, OnTopic};
use crate::query::{self, Query, date};
use crate::shard::filter::Filter;
use crate::shard::schema::folded;
use crate::snippet::{self, Snippet};
use rank::{Plan, RankedRecord};
use terms::Terms;

/// A query, its filters and its limits.
#[derive(Debug, Clone, Copy)]
pub struct SearchQuery<'a> {
    pub text: &'a str,
    /// Any of them; none finds nothing.
    pub namespaces: &'a [Namespace],
    pub filters: &'a Filters,
    pub top_k: usize,
    /// Hits with a lower score are left out. None gives all, unless the best ones reach neither
    /// bound of [`OnTopic`]: then the query is most likely off topic, and nothing is found.
    pub min_score: Option<f64>,
    pub detail: Detail,
}

/// How much is reported of each hit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Detail {
    Hits,
    /// With an explanation of each score.
    Explained,
}

/// A record that was found.
#[derive(Debug, Clone, PartialEq)]
pub struct RankedHit {
    pub row: u64,
    pub record: Record,
    /// 0 to 1; see [`crate::fuse::score`].
    pub score: f64,
    pub snippet: Snippet,
    /// The part of the text that was found; none if that is all of it.
    pub passage: Option<PassageRange>,
    pub explanation: Option<Explanation>,
}

/// The records found, best first, and how they were ranked.
#[derive(Debug, Clone, PartialEq)]
pub struct Results {
    pub hits: Vec<RankedHit>,
    pub ranking: Ranking,
    /// How the search departed from the request, and why it may have found nothing.
    pub notes: Vec<SearchNote>,
}

/// The records behind the index.
pub(crate) trait Records {
    fn record(&self, row: u64) -> Result<Option<Record>, RecordsError>;

    /// The row of the record with this id, if it is in one of these namespaces.
    fn row_of(&self, id: &str, namespaces: &[Namespace]) -> Result<Option<u64>, RecordsError>;

    /// The types that records of these namespaces have.
    fn types(&self, namespaces: &[Namespace]) -> Result<Vec<String>, RecordsError>;
}

pub(crate) type RecordsError = Box<dyn std::error::Error + Send + Sync>;

/// Searches the shards of the namespaces that a request names.
#[derive(Clone, Copy)]
pub(crate) struct Searcher<'a> {
    pub(crate) shards: &'a ShardsByNamespace,
    /// None searches by words alone.
    pub(crate) embedder: Option<&'a dyn Embedder>,
    pub(crate) records: &'a dyn Records,
}

/// When a query is on topic by words alone.
const ON_TOPIC_BY_WORDS: OnTopic = OnTopic { score: 0.24, cosine: None };

/// How many types the note about an unknown type lists.
const MOST_TYPES: usize = 20;

/// The candidates of a search, best first, and the query they were compared with.
struct Candidates<'a> {
    set: &'a ShardSet,
    query: Query,
    terms: Terms,
    meaning: Option<(Vec<f32>, f32)>,
    id: Option<u64>,
    found: Vec<RankedRecord>,
    notes: Vec<SearchNote>,
}

impl Candidates<'_> {
    fn plan(&self) -> Plan<'_> {
        Plan { query: &self.query, terms: &self.terms, meaning: self.meaning.as_ref(), id: self.id }
    }
}

impl<'a> Searcher<'a> {
    /// The best records for a request, best first. Equal scores go by id.
    pub(crate) fn search(&self, request: &SearchQuery<'_>) -> Result<Results, SearchError> {
        // Readers of the index do not check its bytes and may panic if they are damaged.
        let found = catch_unwind(AssertUnwindSafe(|| self.find(request)));
        found.unwrap_or(Err(SearchError::Broken))
    }

    /// The rows of at most `most` records that share words with a name; see [`shared_words`].
    pub(crate) fn rows_sharing_words(
        &self,
        name: &str,
        namespaces: &[Namespace],
        most: usize,
    ) -> Result<Vec<u64>, SearchError> {
        let find = || shared_words::rows(self.shards.of(namespaces), name, most);
        catch_unwind(AssertUnwindSafe(find)).unwrap_or(Err(SearchError::Broken))
    }

    fn find(&self, request: &SearchQuery<'_>) -> Result<Results, SearchError> {
        let ranking = if self.embedder.is_some() { Ranking::Hybrid } else { Ranking::Words };
        let Some(mut candidates) = self.candidates(request)? else {
            return Ok(Results { hits: Vec::new(), ranking, notes: Vec::new() });
        };
        let mut notes = std::mem::take(&mut candidates.notes);
        notes.extend(match request.min_score {
            Some(min_score) => leave_out_below(min_score, &mut candidates.found),
            None => self.leave_out_off_topic(&mut candidates.found),
        });
        let hits = self.hydrate(&candidates, request)?;
        if hits.is_empty() {
            notes.extend(self.unknown_type(request)?);
        }
        Ok(Results { hits, ranking, notes })
    }

    /// Removes all candidates, with a note, if the best ones reach neither bound of the engine.
    fn leave_out_off_topic(&self, found: &mut Vec<RankedRecord>) -> Option<SearchNote> {
        let best = found.first()?.score;
        let bounds = match self.embedder {
            Some(embedder) => embedder.model().on_topic?,
            None => ON_TOPIC_BY_WORDS,
        };
        let is_alike = |cosine: f32| bounds.cosine.is_some_and(|bound| cosine >= bound);
        if best >= bounds.score || found.iter().filter_map(|it| it.cosine).any(is_alike) {
            return None;
        }
        found.clear();
        Some(SearchNote::BelowMinScore { best, min_score: bounds.score })
    }

    /// A note if no readable record has the requested type.
    fn unknown_type(&self, request: &SearchQuery<'_>) -> Result<Option<SearchNote>, SearchError> {
        let Some(kind) = &request.filters.kind else { return Ok(None) };
        let mut known = self.records.types(request.namespaces).map_err(SearchError::Records)?;
        if known.contains(&folded(kind)) {
            return Ok(None);
        }
        known.truncate(MOST_TYPES);
        Ok(Some(SearchNote::UnknownType { kind: kind.clone(), known }))
    }

    /// The candidates of a request, before its records are read; none if there is nothing to search.
    fn candidates(&self, request: &SearchQuery<'_>) -> Result<Option<Candidates<'a>>, SearchError> {
        let set = self.shards.of(request.namespaces);
        let query = query::parse(request.text);
        let filter = filter(request)?;
        let id = self.records.row_of(request.text.trim(), request.namespaces);
        let id = id.map_err(SearchError::Records)?;
        if query.words.is_empty() && id.is_none() {
            return Err(SearchError::EmptyQuery);
        }
        if request.top_k == 0 || set.passages() == 0 {
            return Ok(None);
        }
        let terms = Terms::resolve(&query, set)?;
        let meaning = self.meaning(set, request.text)?;
        let (scopes, mut notes) = candidates::scopes(set, &query, &filter)?;
        notes.extend(query.is_cut.then_some(SearchNote::QueryCut {
            characters: query::LONGEST,
            words: query::MOST_WORDS,
        }));
        let mut candidates =
            Candidates { set, query, terms, meaning, id, found: Vec::new(), notes };
        candidates.found = best(set, &candidates.plan(), &scopes, request.top_k)?;
        Ok(Some(candidates))
    }

    /// The query's vector and the weight of its cosine.
    fn meaning(&self, set: &ShardSet, text: &str) -> Result<Option<(Vec<f32>, f32)>, SearchError> {
        let Some(embedder) = self.embedder else { return Ok(None) };
        let model = embedder.model();
        set.check_model(model)?;
        let text = query::beginning(text);
        let vector = embedder.query(text, set.tokens()).map_err(SearchError::Embed)?;
        if vector.len() != model.dim {
            let message = format!("expected a vector of {}, found {}", model.dim, vector.len());
            return Err(SearchError::Embed(EmbedError { message, transient: false }));
        }
        Ok(Some((vector, model.weight)))
    }

    /// Reads the records of the best candidates. Where several share the last score, all of them are
    /// read, because their ids decide.
    fn hydrate(
        &self,
        candidates: &Candidates<'_>,
        request: &SearchQuery<'_>,
    ) -> Result<Vec<RankedHit>, SearchError> {
        let mut hits: Vec<(RankedRecord, Record)> = Vec::new();
        for candidate in candidates.found.iter().copied() {
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
        let shown = candidates.terms.shown();
        hits.into_iter()
            .map(|(hit, record)| finish(candidates, &shown, hit, record, request.detail))
            .collect()
    }
}

/// Removes candidates with a lower score; returns a note if none is left.
fn leave_out_below(min_score: f64, found: &mut Vec<RankedRecord>) -> Option<SearchNote> {
    let best = found.first()?.score;
    found.retain(|candidate| candidate.score >= min_score);
    found.is_empty().then_some(SearchNote::BelowMinScore { best, min_score })
}

/// Enough candidates for `top_k` records, if so many exist. Several passages of one record count
/// once, so it may take more than one round.
fn best(
    set: &ShardSet,
    plan: &Plan<'_>,
    scopes: &[Bitmap],
    top_k: usize,
) -> Result<Vec<RankedRecord>, SearchError> {
    const LEAST: usize = 100;
    let all = set.passages() as usize + 1;
    let mut wanted = top_k.saturating_mul(4).max(LEAST).min(all);
    loop {
        let pool = candidates::gather(set, scopes, plan, wanted)?;
        let found = rank::records(set, plan, &pool.passages)?;
        if found.len() >= top_k || pool.exhausted {
            return Ok(found);
        }
        wanted = wanted.saturating_mul(4).min(all);
    }
}

fn finish(
    candidates: &Candidates<'_>,
    shown: &snippet::SoughtWords,
    hit: RankedRecord,
    record: Record,
    detail: Detail,
) -> Result<RankedHit, SearchError> {
    let shard = &candidates.set.shards()[hit.passage.shard];
    let range = shard.range(hit.passage.number);
    let text = record.text.get(range.clone()).unwrap_or(&record.text);
    let snippet = snippet::around(text, shown);
    let explanation = match detail {
        Detail::Hits => None,
        Detail::Explained => Some(explain::explain(shard, &candidates.plan(), &hit)?),
    };
    let passage = passage_range(&record.text, range);
    Ok(RankedHit { row: hit.row, score: hit.score, snippet, passage, explanation, record })
}

/// Bytes of a text in characters; none if they are all of it but white space.
fn passage_range(text: &str, bytes: Range<usize>) -> Option<PassageRange> {
    let passage = text.get(bytes.clone()).filter(|passage| passage.len() < text.trim().len())?;
    let count = |text: &str| text.chars().count();
    let offset = count(text.get(..bytes.start)?);
    let length = count(passage);
    Some(PassageRange { offset, length, total: offset + length + count(text.get(bytes.end..)?) })
}

fn filter(request: &SearchQuery<'_>) -> Result<Filter, SearchError> {
    let filters = request.filters;
    let updated = date::range(&filters.date_range).map_err(SearchError::Date)?;
    let mut tags: Vec<String> = filters.tags.iter().map(|tag| folded(tag)).collect();
    tags.sort();
    tags.dedup();
    Ok(Filter { kind: filters.kind.as_deref().map(folded), tags, updated })
}

impl fmt::Debug for Searcher<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Searcher").field("shards", &self.shards).finish_non_exhaustive()
    }
}

#[cfg(test)]
#[path = "search_tests.rs"]
mod tests;
