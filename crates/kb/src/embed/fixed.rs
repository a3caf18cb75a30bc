//! The built-in engine: the mean of a fixed vector for each token. It needs no network and no
//! file, and takes microseconds a text.

use super::wordpiece::WordPiece;
use super::{Cost, EmbedError, Embedder, Model, OnTopic, TokenStatistics, table};

/// Vectors from the table that the crate carries.
#[derive(Debug)]
pub struct FixedTable {
    model: Model,
}

impl FixedTable {
    pub fn new() -> Self {
        let (name, dim) = ("static-256".into(), table::DIM);
        let on_topic = Some(OnTopic { score: 0.24, cosine: Some(0.35) });
        Self { model: Model { name, dim, weight: 0.4, on_topic, cost: Cost::Cheap } }
    }
}

impl Default for FixedTable {
    fn default() -> Self {
        Self::new()
    }
}

impl Embedder for FixedTable {
    fn model(&self) -> &Model {
        &self.model
    }

    fn documents(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        Ok(texts.iter().map(|text| document(text)).collect())
    }

    fn query(&self, text: &str, tokens: &TokenStatistics) -> Result<Vec<f32>, EmbedError> {
        Ok(query(text, tokens))
    }
}

fn document(text: &str) -> Vec<f32> {
    table::mean(WordPiece::shared().tokens(text).into_iter().map(|token| (token, 1.0)))
}

/// Rare tokens count more, by the root of how rare they are.
pub(super) fn query(text: &str, statistics: &TokenStatistics) -> Vec<f32> {
    let weighted = |token| (token, statistics.rarity(token).sqrt());
    table::mean(WordPiece::shared().tokens(text).into_iter().map(weighted))
}

#[cfg(test)]
#[path = "fixed_tests.rs"]
mod tests;
