//! Scores candidates exactly, in every respect, and keeps the best passage of each record.

use std::collections::HashMap;

use tantivy::schema::IndexRecordOption;
use tantivy::{DocSet, Term};

use super::SearchError;
use super::bm25::Scorer;
use super::candidates::over;
use super::set::ShardSet;
use super::terms::Terms;
use crate::fuse::{self, Exactness};
use crate::query::Query;
use crate::shard::Shard;

/// Everything a search compares passages with.
#[derive(Debug)]
pub(super) struct Plan<'a> {
    pub(super) query: &'a Query,
    pub(super) terms: &'a Terms,
    /// The query's vector, and the weight of its cosine.
    pub(super) meaning: Option<&'a (Vec<f32>, f32)>,
    /// The row of the record whose id is the query.
    pub(super) id: Option<u64>,
}

/// A passage of one of the shards.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct PassageRef {
    pub(super) shard: usize,
    pub(super) number: u32,
}

/// A passage that may be among the best.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct PassageCandidate {
    pub(super) place: PassageRef,
    /// The similarity of query and passage, if it is known already.
    pub(super) cosine: Option<f32>,
}

/// A record with its best passage.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct RankedRecord {
    pub(super) row: u64,
    pub(super) passage: PassageRef,
    pub(super) score: f64,
    /// BM25 as a share of the highest possible.
    pub(super) words: f32,
    pub(super) cosine: Option<f32>,
    pub(super) exactness: Exactness,
}

impl Plan<'_> {
    /// The weight of the cosine; 0 without a model.
    pub(super) fn weight(&self) -> f32 {
        self.meaning.map_or(0.0, |(_, weight)| *weight)
    }

    fn candidate(
        &self,
        shard: &Shard,
        likely: PassageCandidate,
        bm25: f32,
        titled: bool,
    ) -> RankedRecord {
        let passage = likely.place;
        let row = shard.row(passage.number);
        let exactness = match (self.id == Some(row), titled) {
            (true, _) => Exactness::Id,
            (_, true) => Exactness::Title,
            _ => Exactness::None,
        };
        let words = if self.terms.full > 0.0 { (bm25 / self.terms.full).min(1.0) } else { 0.0 };
        let vectors = || self.meaning.zip(shard.vectors());
        let similarity =
            || vectors().map(|((query, _), rows)| rows.similarity(passage.number, query));
        let cosine = likely.cosine.or_else(similarity);
        let score = fuse::score(words, cosine.unwrap_or(0.0), self.weight(), exactness);
        RankedRecord { row, passage, score, words, cosine, exactness }
    }
}

/// The records of the passages, best first, equal ones by row. `passages` is sorted.
pub(super) fn records(
    set: &ShardSet,
    plan: &Plan<'_>,
    passages: &[PassageCandidate],
) -> Result<Vec<RankedRecord>, SearchError> {
    let scored = over(set, |place, shard| {
        let own = passages.iter().filter(|passage| passage.place.shard == place);
        in_shard(shard, plan, own.copied())
    })?;
    let mut best: HashMap<u64, RankedRecord> = HashMap::with_capacity(passages.len());
    for candidate in scored.into_iter().flatten().filter(|candidate| candidate.score > 0.0) {
        let kept = best.entry(candidate.row).or_insert(candidate);
        if candidate.score > kept.score {
            *kept = candidate;
        }
    }
    let mut records: Vec<RankedRecord> = best.into_values().collect();
    records.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.row.cmp(&b.row)));
    Ok(records)
}

fn in_shard(
    shard: &Shard,
    plan: &Plan<'_>,
    passages: impl Iterator<Item = PassageCandidate>,
) -> tantivy::Result<Vec<RankedRecord>> {
    let mut scorer = Scorer::open(shard, plan.terms)?;
    let mut titles = titles(shard, plan)?;
    Ok(passages
        .map(|passage| {
            let bm25 = scorer.score(passage.place.number);
            plan.candidate(shard, passage, bm25, titles(passage.place.number))
        })
        .collect())
}

/// Whether the title of a passage is the query; passages must be requested in ascending order.
fn titles(shard: &Shard, plan: &Plan<'_>) -> tantivy::Result<impl FnMut(u32) -> bool> {
    let field = shard.fields().title;
    let term = plan.query.title.as_ref().map(|title| Term::from_field_text(field, title));
    let index = shard.segment().inverted_index(field)?;
    let mut postings = match term {
        Some(term) => index.read_postings(&term, IndexRecordOption::Basic)?,
        None => None,
    };
    Ok(move |passage| {
        postings.as_mut().is_some_and(|postings| {
            if postings.doc() < passage {
                postings.seek(passage);
            }
            postings.doc() == passage
        })
    })
}
