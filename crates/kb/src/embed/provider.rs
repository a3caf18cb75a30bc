//! Engines behind an HTTP interface. The parts that all share are here: batches, timeouts, checks
//! of the response. The wire formats are in `openai` and `gemini`, the HTTP client is in `link`.
//!
//! The key goes into one header and nowhere else: not into messages, not into `Debug`.

mod answer;
mod batch;
mod fault;
mod gemini;
mod key;
mod link;
mod openai;
#[cfg(test)]
mod server;
mod wait;

use aileron_contract::Backoff;
use std::fmt;
use std::time::{Duration, Instant};

use reqwest::Url;

use super::{Cost, EmbedError, Embedder, Model, TokenStatistics, unit};
use batch::EmbedBatch;
pub use key::ApiKey;
use link::{HttpThread, Post};

/// Concurrent requests of one call.
const IN_FLIGHT: usize = 4;

/// The weight of the cosine in a score, beside a full match of the words, which counts 1.
const WEIGHT: f32 = 1.0;

const NO_MODEL: &str =
    "expected at least one column, and a model's name of letters, digits and -_.:/@";

/// Where a provider's model is and how to use it.
#[derive(Debug, Clone)]
pub struct Endpoint {
    /// The address that paths are joined to, with the version: `https://api.openai.com/v1`.
    pub base: String,
    pub model: String,
    pub key: Option<ApiKey>,
    pub columns: Columns,
    pub limits: EmbedLimits,
}

/// How long the vectors are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Columns {
    /// The model's default; the request names no length.
    Native(usize),
    /// The provider is asked to shorten them.
    Shortened(usize),
}

/// How long to wait and how often to try. Times include all attempts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EmbedLimits {
    /// For the vector of a query.
    pub query: Duration,
    /// For one request with passages.
    pub documents: Duration,
    pub attempts: u32,
    /// Before the second attempt; doubled before each further one. A `Retry-After` of the provider
    /// takes precedence.
    pub backoff: Backoff,
}

impl Default for EmbedLimits {
    fn default() -> Self {
        Self {
            query: Duration::from_secs(2),
            documents: Duration::from_secs(120),
            attempts: 6,
            backoff: Backoff { base: Duration::from_millis(250), max: Duration::from_secs(20) },
        }
    }
}

/// The purpose of a vector. Some models embed queries and documents differently.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Purpose {
    Document,
    Query,
}

/// The part that differs between providers: their wire formats.
trait Wire: Send + Sync + fmt::Debug {
    fn name(&self) -> &'static str;

    /// Texts that a request may have.
    fn most_texts(&self) -> usize;

    fn path(&self, endpoint: &Endpoint) -> String;

    /// The header for the key, and the prefix of its value.
    fn key_header(&self) -> (&'static str, &'static str);

    fn body(&self, endpoint: &Endpoint, texts: &[&str], purpose: Purpose) -> Vec<u8>;

    /// The vectors of an answer with the places of their texts.
    fn read(&self, body: &[u8]) -> Result<Vec<(usize, Vec<f32>)>, serde_json::Error>;
}

/// An embedding model of a provider.
#[derive(Debug)]
pub struct Provider {
    model: Model,
    endpoint: Endpoint,
    url: Url,
    wire: Box<dyn Wire>,
    link: HttpThread,
}

impl Provider {
    /// OpenAI, or a server that speaks its protocol: Ollama, vLLM, llama.cpp and others.
    pub fn openai(endpoint: Endpoint) -> Result<Self, EmbedError> {
        Self::new(endpoint, Box::new(openai::OpenAi))
    }

    /// Google's Gemini; the base is `https://generativelanguage.googleapis.com/v1beta`.
    pub fn gemini(endpoint: Endpoint) -> Result<Self, EmbedError> {
        Self::new(endpoint, Box::new(gemini::Gemini))
    }

    fn new(endpoint: Endpoint, wire: Box<dyn Wire>) -> Result<Self, EmbedError> {
        let dim = endpoint.columns.count();
        if dim == 0 || !is_name(&endpoint.model) {
            return Err(fault::setup(NO_MODEL.into()));
        }
        let name = format!("{}/{}/{dim}", wire.name(), endpoint.model);
        // Cosines differ too much between providers' models for bounds that hold for all of them.
        let on_topic = None;
        let model = Model { name, dim, weight: WEIGHT, on_topic, cost: Cost::Dear };
        let url = address(&endpoint.base, &wire.path(&endpoint))?;
        let link = HttpThread::open(endpoint.key.as_ref(), wire.key_header())?;
        Ok(Self { model, endpoint, url, wire, link })
    }

    fn embed(&self, texts: &[&str], purpose: Purpose) -> Result<Vec<Vec<f32>>, EmbedError> {
        let mut vectors = vec![vec![0.0; self.model.dim]; texts.len()];
        let batches = batch::split(texts, self.wire.most_texts());
        for group in batches.chunks(IN_FLIGHT) {
            let pending: Vec<_> = group.iter().map(|batch| self.send(batch, purpose)).collect();
            for (batch, pending) in group.iter().zip(pending) {
                let body = pending.wait().map_err(|fault| self.error(fault))?;
                let answer = self.wire.read(&body).map_err(|error| fault::not_vectors(&error));
                let found = answer
                    .and_then(|found| answer::check(found, batch.texts.len(), self.model.dim));
                for (place, mut vector) in
                    batch.places.iter().zip(found.map_err(|fault| self.error(fault))?)
                {
                    unit(&mut vector);
                    vectors[*place] = vector;
                }
            }
        }
        Ok(vectors)
    }

    fn send(&self, batch: &EmbedBatch<'_>, purpose: Purpose) -> link::PendingRequest {
        let limits = &self.endpoint.limits;
        let time = match purpose {
            Purpose::Document => limits.documents,
            Purpose::Query => limits.query,
        };
        self.link.post(Post {
            url: self.url.clone(),
            body: self.wire.body(&self.endpoint, &batch.texts, purpose),
            deadline: Instant::now() + time,
            attempts: limits.attempts,
            backoff: limits.backoff,
        })
    }

    fn error(&self, fault: fault::EmbedFault) -> EmbedError {
        let message = format!("no vectors from {}: {}", self.model.name, fault.message);
        let message = self.endpoint.key.iter().fold(message, |message, key| key.hide_in(message));
        EmbedError { message, transient: fault.transient }
    }
}

impl Embedder for Provider {
    fn model(&self) -> &Model {
        &self.model
    }

    fn documents(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, EmbedError> {
        self.embed(texts, Purpose::Document)
    }

    fn query(&self, text: &str, _: &TokenStatistics) -> Result<Vec<f32>, EmbedError> {
        Ok(self.embed(&[text], Purpose::Query)?.swap_remove(0))
    }
}

impl Columns {
    fn count(self) -> usize {
        match self {
            Self::Native(count) | Self::Shortened(count) => count,
        }
    }

    /// The number of columns that the request names.
    fn asked(self) -> Option<usize> {
        match self {
            Self::Native(_) => None,
            Self::Shortened(count) => Some(count),
        }
    }
}

/// A model's name becomes part of an address.
fn is_name(model: &str) -> bool {
    let fits = |letter: char| letter.is_ascii_alphanumeric() || "-_.:/@".contains(letter);
    !model.is_empty() && model.chars().all(fits) && !model.contains("..")
}

fn address(base: &str, path: &str) -> Result<Url, EmbedError> {
    let wrong = |why: &str| {
        fault::setup(format!("expected the base address of an embedding API, found one that {why}"))
    };
    let url = Url::parse(&format!("{}/{path}", base.trim_end_matches('/')))
        .map_err(|_| wrong("is no URL"))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(wrong("is neither http nor https"));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(wrong("has a user or a password in it: give a key instead"));
    }
    if base.contains(['?', '#']) {
        return Err(wrong("has a query or a fragment: leave them out"));
    }
    Ok(url)
}

#[cfg(test)]
#[path = "provider_tests.rs"]
mod tests;
