//! Explains a score, for people.

use serde::Serialize;

use super::SearchError;
use super::bm25::Scorer;
use super::rank::{Plan, RankedRecord};
use super::set::failed;
use super::terms::{RankedTerm, RankedWord};
use crate::fuse::Exactness;
use crate::shard::Shard;

/// The parts of a hit's score.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Explanation {
    pub score: f64,
    pub exactness: Exactness,
    /// The words that rank, rarest first.
    pub words: Vec<WordShare>,
    /// The sum over the words.
    pub bm25: f32,
    /// The highest that any passage could reach with this query.
    pub bm25_full: f32,
    /// `bm25` as a share of `bm25_full`.
    pub bm25_share: f32,
    /// The similarity of query and passage; none without an embedding model.
    pub cosine: Option<f32>,
    /// The weight of a cosine of 1 beside a full share of words.
    pub cosine_weight: f32,
}

/// One word of the query and its share of the score.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct WordShare {
    pub word: String,
    /// How often the query has it.
    pub count: u32,
    pub idf: f32,
    /// Its share of the score.
    pub bm25: f32,
    pub expansion: Expansion,
    /// The words of the index that count as it.
    pub terms: Vec<TermShare>,
}

/// A word of the index.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TermShare {
    pub word: String,
    /// The term in the index.
    pub term: String,
    /// In how many passages it occurs; for a prefix, all its words together.
    pub passages: u64,
    /// Its weight; the word itself has 1.
    pub weight: f32,
}

/// How a word of the query became words of the index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Expansion {
    Itself,
    Prefix,
    Spelling,
}

pub(super) fn explain(
    shard: &Shard,
    plan: &Plan<'_>,
    hit: &RankedRecord,
) -> Result<Explanation, SearchError> {
    let mut scorer = Scorer::open(shard, plan.terms).map_err(|error| failed(shard, &error))?;
    let bm25 = scorer.score(hit.passage.number);
    let words = plan.terms.words.iter().zip(&scorer.shares);
    Ok(Explanation {
        score: hit.score,
        exactness: hit.exactness,
        words: words.map(|(word, share)| word_share(word, *share)).collect(),
        bm25,
        bm25_full: plan.terms.full,
        bm25_share: hit.words,
        cosine: hit.cosine,
        cosine_weight: plan.weight(),
    })
}

fn word_share(word: &RankedWord, bm25: f32) -> WordShare {
    let terms = word.terms.iter().map(term_share).collect();
    let (text, expansion) = (word.text.clone(), word.expansion);
    WordShare { word: text, count: word.count, idf: word.idf, bm25, expansion, terms }
}

fn term_share(term: &RankedTerm) -> TermShare {
    let (word, text) = (term.word.clone(), term.text.clone());
    TermShare { word, term: text, passages: term.frequency, weight: term.weight }
}
