//! Embeds documents with the MiniLM model and queries with the fixed table, both in the table's
//! space: documents are embedded once and better, queries in microseconds. The weights are a file
//! that is fetched separately; `network` runs them.

mod lanes;
mod network;

use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use super::wordpiece::WordPiece;
use super::{Cost, EmbedError, Embedder, Model, OnTopic, TokenStatistics, bridge, fixed, table};
use lanes::{Lane, Lanes};
use network::Network;

/// The most tokens that the model reads of a text, with its two special tokens.
const MOST_TOKENS: usize = 256;
const BEGIN: i32 = 101;
const END: i32 = 102;

/// The MiniLM model for documents, with the fixed table for queries.
pub struct MiniLm {
    model: Model,
    path: PathBuf,
    /// Read when the first document is embedded: queries do not need it.
    engine: Mutex<Option<Arc<MiniLmEngine>>>,
}

struct MiniLmEngine {
    network: Network,
    lanes: Lanes,
}

impl MiniLm {
    /// With the weights in this file, see [`Model::MINILM`](aileron_models::Model::MINILM). It is not read before the
    /// first document.
    pub fn at(path: impl Into<PathBuf>) -> Self {
        let (name, dim) = ("minilm-256".into(), table::DIM);
        let on_topic = Some(OnTopic { score: 0.24, cosine: Some(0.35) });
        let model = Model { name, dim, weight: 0.7, on_topic, cost: Cost::Dear };
        Self { model, path: path.into(), engine: Mutex::default() }
    }

    /// The loaded weights; the first call reads them.
    fn engine(&self) -> Result<Arc<MiniLmEngine>, EmbedError> {
        let mut loaded = self.engine.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(engine) = &*loaded {
            return Ok(engine.clone());
        }
        let network = Network::load(&self.path)?;
        let engine = Arc::new(MiniLmEngine { network, lanes: Lanes::new() });
        *loaded = Some(engine.clone());
        Ok(engine)
    }
}

impl MiniLmEngine {
    /// A text at a time: none is padded to the length of another, and a vector does not
    /// depend on the texts beside it, not even by a rounding.
    fn document(&self, lane: &Lane, text: &str) -> Result<Vec<f32>, EmbedError> {
        let tokens = WordPiece::shared().tokens(text);
        if tokens.is_empty() {
            return Ok(vec![0.0; table::DIM]);
        }
        let inner = tokens.iter().take(MOST_TOKENS - 2).map(|token| *token as i32);
        let tokens = [BEGIN].into_iter().chain(inner).chain([END]).collect();
        Ok(bridge::cross(&self.network.vector(tokens, lane)?))
    }
}

impl Embedder for MiniLm {
    fn model(&self) -> &Model {
        &self.model
    }

    fn documents(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        let engine = self.engine()?;
        let vectors = engine.lanes.map(texts, |lane, text| engine.document(lane, text));
        vectors.ok_or_else(|| lasting("MiniLM broke off".into()))?.into_iter().collect()
    }

    fn query(&self, text: &str, tokens: &TokenStatistics) -> Result<Vec<f32>, EmbedError> {
        Ok(fixed::query(text, tokens))
    }
}

impl fmt::Debug for MiniLm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { model, path, engine: _ } = self;
        f.debug_struct("MiniLm").field("model", model).field("path", path).finish_non_exhaustive()
    }
}

fn lasting(message: String) -> EmbedError {
    EmbedError { message, transient: false }
}

#[cfg(test)]
#[path = "minilm_tests.rs"]
mod tests;
