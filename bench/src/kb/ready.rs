//! An embedder that caches the vectors of queries, so that a search can be measured without the
//! time to embed its query.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError, RwLock};
use std::time::{Duration, Instant};

use aileron_kb::embed::{EmbedError, Embedder, FixedTable, Model, TokenStatistics};

use crate::samples::Samples;

/// The fixed table, with measurements.
#[derive(Debug, Default)]
pub(crate) struct Ready {
    inner: FixedTable,
    queries: RwLock<HashMap<String, Vec<f32>>>,
    documents_ns: AtomicU64,
    times: Mutex<Samples>,
}

impl Ready {
    /// The time to embed documents, summed over all threads.
    pub(crate) fn documents_took(&self) -> Duration {
        Duration::from_nanos(self.documents_ns.load(Ordering::Relaxed))
    }

    /// The median time that embedding a query takes, in microseconds.
    pub(crate) fn query_us(&self) -> f64 {
        self.times.lock().unwrap_or_else(PoisonError::into_inner).p50_us()
    }

    pub(crate) fn vector(&self, text: &str) -> Option<Vec<f32>> {
        self.queries.read().unwrap_or_else(PoisonError::into_inner).get(text).cloned()
    }

    /// Stores the vector of a text.
    pub(crate) fn keep(&self, text: &str, vector: Vec<f32>) {
        self.queries
            .write()
            .unwrap_or_else(PoisonError::into_inner)
            .insert(text.to_owned(), vector);
    }
}

impl Embedder for Ready {
    fn model(&self) -> &Model {
        self.inner.model()
    }

    fn documents(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        let begun = Instant::now();
        let vectors = self.inner.documents(texts);
        let took = u64::try_from(begun.elapsed().as_nanos()).unwrap_or(u64::MAX);
        self.documents_ns.fetch_add(took, Ordering::Relaxed);
        vectors
    }

    fn query(&self, text: &str, tokens: &TokenStatistics) -> Result<Vec<f32>, EmbedError> {
        if let Some(vector) = self.vector(text) {
            return Ok(vector);
        }
        let begun = Instant::now();
        let vector = self.inner.query(text, tokens)?;
        self.times.lock().unwrap_or_else(PoisonError::into_inner).push(begun.elapsed());
        self.keep(text, vector.clone());
        Ok(vector)
    }
}
