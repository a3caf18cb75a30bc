//! The passages of a shard with the highest scores by words.

use tantivy::Term;
use tantivy::query::{
    Bm25StatisticsProvider, BooleanWeight, BoostWeight, EnableScoring, Occur, Query as _,
    SumCombiner, TermQuery, Weight,
};
use tantivy::schema::{Field, IndexRecordOption};

use super::best::Best;
use super::bm25::Scorer;
use super::terms::{RankedTerm, Terms};
use crate::bitmap::Bitmap;
use crate::shard::Shard;

/// What it costs to seek a passage in postings, in postings that are gone through.
const SEEK: u64 = 8;

/// The best by BM25. A narrow filter is gone through passage by passage; under a wide one,
/// postings are gone through and blocks that cannot reach the best are left out.
pub(super) fn by_words(
    shard: &Shard,
    allowed: &Bitmap,
    terms: &Terms,
    wanted: usize,
) -> tantivy::Result<Vec<(u32, f32)>> {
    let mut scorer = Scorer::open(shard, terms)?;
    let mut best = Best::new(wanted);
    if u64::from(allowed.count()) * scorer.terms() * SEEK < scorer.postings() {
        allowed.iter().for_each(|passage| best.push(passage, scorer.score(passage)));
        return Ok(best.into_passages());
    }
    let Some(weight) = weight(shard, terms)? else { return Ok(Vec::new()) };
    weight.for_each_pruning(best.threshold(), shard.segment(), &mut |passage, score| {
        if allowed.contains(passage) {
            best.push(passage, score);
        }
        best.threshold()
    })?;
    Ok(best.into_passages())
}

/// Any of the terms, each with its share.
fn weight(shard: &Shard, terms: &Terms) -> tantivy::Result<Option<Box<dyn Weight>>> {
    let mut weights = Vec::new();
    for (word, term) in terms.terms() {
        weights.push((terms.words[word].boost(term), term_weight(shard, terms, term)?));
    }
    if weights.len() < 2 {
        return Ok(weights.pop().map(|(_, weight)| weight));
    }
    let should = |(boost, weight)| (Occur::Should, Box::new(BoostWeight::new(weight, boost)) as _);
    let weights: Vec<(Occur, Box<dyn Weight>)> = weights.into_iter().map(should).collect();
    let sum = Box::new(SumCombiner::default);
    let any = BooleanWeight::with_minimum_number_should_match(weights, 1, true, sum);
    Ok(Some(Box::new(any)))
}

fn term_weight(
    shard: &Shard,
    terms: &Terms,
    term: &RankedTerm,
) -> tantivy::Result<Box<dyn Weight>> {
    let counted = Counted { terms, term };
    let scoring = EnableScoring::enabled_from_statistics_provider(&counted, shard.searcher());
    TermQuery::new(term.term(shard), IndexRecordOption::WithFreqs).weight(scoring)
}

/// One term's statistics over all shards.
struct Counted<'a> {
    terms: &'a Terms,
    term: &'a RankedTerm,
}

impl Bm25StatisticsProvider for Counted<'_> {
    fn total_num_tokens(&self, _: Field) -> tantivy::Result<u64> {
        Ok(self.terms.words_in(self.term.analysis))
    }

    fn total_num_docs(&self) -> tantivy::Result<u64> {
        Ok(self.terms.passages)
    }

    fn doc_freq(&self, _: &Term) -> tantivy::Result<u64> {
        Ok(self.term.frequency)
    }
}
