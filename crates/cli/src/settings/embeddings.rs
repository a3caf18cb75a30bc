//! `[kb.embeddings]`: what makes the vectors of the knowledge base. A key is named here and
//! kept in the environment.

use std::env;
use std::path::Path;
use std::sync::Arc;

use aileron_kb::embed::{
    ApiKey, Columns, EmbedError, EmbedLimits, Embedder, Endpoint, FixedTable, MiniLm, Provider,
    weights,
};
use serde::{Deserialize, Serialize};

use super::keys::{self, ProviderAddress};
use crate::output::Failure;

#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct EmbeddingSettings {
    pub(crate) engine: EmbeddingEngineKind,
    /// The provider's model; empty means its usual one.
    pub(crate) model: String,
    /// Where the provider is; empty means its own address.
    pub(crate) url: String,
    /// How long the model's vectors are; 0 means as long as those of the usual model.
    pub(crate) dimensions: usize,
    /// How long the provider is asked to make them; 0 means as they are.
    pub(crate) shorten_to: usize,
    /// The environment variable that has the key; empty means the provider's usual one, and at a `url` of
    /// one's own none.
    pub(crate) key: String,
}

/// What makes the vectors.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum EmbeddingEngineKind {
    /// The table that is part of the command.
    #[default]
    Static,
    /// Nothing: search is by words alone.
    None,
    /// A model on this machine for documents, the table for queries.
    Minilm,
    Openai,
    Gemini,
}

/// What a provider has when nothing else is said.
struct EmbeddingDefaults {
    url: &'static str,
    model: &'static str,
    dimensions: usize,
    key: &'static str,
    open: fn(Endpoint) -> Result<Provider, EmbedError>,
}

const OPENAI: EmbeddingDefaults = EmbeddingDefaults {
    url: "https://api.openai.com/v1",
    model: "text-embedding-3-small",
    dimensions: 1536,
    key: "OPENAI_API_KEY",
    open: Provider::openai,
};

const GEMINI: EmbeddingDefaults = EmbeddingDefaults {
    url: "https://generativelanguage.googleapis.com/v1beta",
    model: "gemini-embedding-001",
    dimensions: 3072,
    key: "GEMINI_API_KEY",
    open: Provider::gemini,
};

impl EmbeddingSettings {
    /// The engine; none where search is by words alone. Weights are kept in `models`.
    pub(crate) fn embedder(&self, models: &Path) -> Result<Option<Arc<dyn Embedder>>, Failure> {
        match self.engine {
            EmbeddingEngineKind::Static => {
                self.must_be_plain()?;
                Ok(Some(Arc::new(FixedTable::new())))
            }
            EmbeddingEngineKind::None => self.must_be_plain().map(|()| None),
            EmbeddingEngineKind::Minilm => {
                self.must_be_plain()?;
                Ok(Some(Arc::new(MiniLm::at(weights::MINILM.path(models)))))
            }
            EmbeddingEngineKind::Openai => self.provider(&OPENAI),
            EmbeddingEngineKind::Gemini => self.provider(&GEMINI),
        }
    }

    /// What only a provider takes would be lost silently.
    fn must_be_plain(&self) -> Result<(), Failure> {
        match *self == (Self { engine: self.engine, ..Self::default() }) {
            true => Ok(()),
            false => {
                Err(wrong("expected `engine` alone, or the engine of a provider beside the rest"))
            }
        }
    }

    fn provider(&self, usual: &EmbeddingDefaults) -> Result<Option<Arc<dyn Embedder>>, Failure> {
        let endpoint = Endpoint {
            base: or(&self.url, usual.url),
            model: or(&self.model, usual.model),
            key: self.secret(usual, |name| env::var(name).ok())?,
            columns: self.columns(usual)?,
            limits: EmbedLimits::default(),
        };
        let provider = (usual.open)(endpoint).map_err(|error| wrong(&error.message))?;
        Ok(Some(Arc::new(provider)))
    }

    fn secret(
        &self,
        usual: &EmbeddingDefaults,
        environment: impl Fn(&str) -> Option<String>,
    ) -> Result<Option<ApiKey>, Failure> {
        let place = ProviderAddress { url: &self.url, usual_url: usual.url };
        let found = keys::find(place, &self.key, usual.key, environment);
        Ok(found.map_err(|why| wrong(&why))?.map(ApiKey::new))
    }

    fn columns(&self, usual: &EmbeddingDefaults) -> Result<Columns, Failure> {
        let is_usual = self.model.is_empty() || self.model == usual.model;
        match (self.shorten_to, self.dimensions) {
            (0, 0) if is_usual => Ok(Columns::Native(usual.dimensions)),
            (0, 0) => Err(wrong(&format!(
                "expected `dimensions`, the length of the vectors that {} makes",
                self.model
            ))),
            (0, native) => Ok(Columns::Native(native)),
            (short, _) => Ok(Columns::Shortened(short)),
        }
    }
}

fn or(text: &str, usual: &str) -> String {
    if text.is_empty() { usual } else { text }.to_owned()
}

fn wrong(why: &str) -> Failure {
    Failure::Usage(format!("[kb.embeddings] cannot be used: {why}"))
}

#[cfg(test)]
#[path = "embeddings_tests.rs"]
mod tests;
