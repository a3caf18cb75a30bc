//! How the score of a passage is computed from words and meaning.

use serde::Serialize;

/// Whether the query names the record. Later variants rank higher.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Exactness {
    /// Found by words or meaning.
    None,
    /// The query is the record's title, but for case, accents and punctuation.
    Title,
    /// The query is the record's id.
    Id,
}

/// Where the scores of records found by their title begin.
const TITLE: f64 = 0.9;
/// The upper end of title scores. A record whose id is the query has 1.
const TITLE_END: f64 = 0.99;

/// The score of a passage, 0 to 1.
///
/// `words` is its BM25 score as a share of the highest that any passage could reach
/// with the query, `cosine` the similarity of query and passage, `weight` the weight of a
/// cosine of 1 beside a full share of words; 0 without an embedding model.
///
/// `relevance = (words + weight * max(0, cosine)) / (1 + weight)` lies in 0..1. It fills
/// 0..0.9 for records found by it, and 0.9..0.99 for those whose title is the query, so
/// that they come first; 1 is the record with the id. The order by score is the order.
pub(crate) fn score(words: f32, cosine: f32, weight: f32, exactness: Exactness) -> f64 {
    let (words, weight) = (f64::from(words).clamp(0.0, 1.0), f64::from(weight));
    let cosine = f64::from(cosine).clamp(0.0, 1.0);
    let relevance = (words + weight * cosine) / (1.0 + weight);
    match exactness {
        Exactness::None => relevance * TITLE,
        Exactness::Title => TITLE + relevance * (TITLE_END - TITLE),
        Exactness::Id => 1.0,
    }
}

#[cfg(test)]
#[path = "fuse_tests.rs"]
mod tests;
