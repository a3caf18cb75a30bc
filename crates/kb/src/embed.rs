//! Vectors for texts. Each engine is one file; its [`Model`] has its name, its weight in a score
//! and its cost.

mod bridge;
mod fixed;
mod minilm;
mod provider;
mod statistics;
mod table;
mod wordpiece;

use std::fmt;

pub use fixed::FixedTable;
pub use minilm::MiniLm;
pub use provider::{ApiKey, Columns, EmbedLimits, Endpoint, Provider};

/// Turns texts into vectors of unit length.
pub trait Embedder: Send + Sync + fmt::Debug {
    fn model(&self) -> &Model;

    /// A vector for each passage, in order.
    fn documents(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError>;

    /// The vector of a query. `tokens` says how rare each token is in the index.
    fn query(&self, text: &str, tokens: &TokenStatistics) -> Result<Vec<f32>, EmbedError>;
}

/// Which vectors an engine makes. An index holds the vectors of one model.
#[derive(Debug, Clone, PartialEq)]
pub struct Model {
    /// Identifies the model.
    pub name: String,
    pub dim: usize,
    /// How much a similarity of 1 adds to a full match of the words, which counts 1.
    pub weight: f32,
    /// When a query counts as on topic; none: every query does. See
    /// [`crate::SearchQuery::min_score`].
    pub on_topic: Option<OnTopic>,
    pub cost: Cost,
}

/// A query is on topic if its best hits reach one of the two bounds. A record that shares words
/// reaches the first; one that shares meaning alone, and so cannot have a high score, the second.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OnTopic {
    /// The least that the best score has to be.
    pub score: f64,
    /// The least that the highest cosine has to be; none without vectors.
    pub cosine: Option<f32>,
}

/// The cost of computing a vector again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cost {
    /// Cheaper than a cache lookup.
    Cheap,
    /// Time or money: the vector is cached by the hash of the text.
    Dear,
}

/// In how many passages each token of the static table occurs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TokenStatistics {
    pub passages: u64,
    /// By token number.
    pub frequencies: Vec<u32>,
}

/// Why a text could not be embedded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EmbedError {
    pub message: String,
    /// Whether the same request may succeed later.
    pub transient: bool,
}

impl fmt::Display for EmbedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for EmbedError {}

/// Scales a vector to unit length. Zero stays zero.
fn unit(vector: &mut [f32]) {
    let squares: f64 = vector.iter().map(|value| f64::from(*value).powi(2)).sum();
    if squares > 0.0 {
        let factor = squares.sqrt().recip();
        vector.iter_mut().for_each(|value| *value = (f64::from(*value) * factor) as f32);
    }
}
