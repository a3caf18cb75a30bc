//! `[kb.embeddings]`: the embedding engine of the knowledge base. The settings name a key, which is
//! in the environment.

use std::env;
use std::path::Path;
use std::sync::Arc;

use aileron_contract::models;
use aileron_kb::embed::{
    ApiKey, Columns, EmbedError, EmbedLimits, Embedder, Endpoint, FixedTable, MiniLm, Provider,
};
use aileron_models::Model;
use serde::{Deserialize, Serialize};

use super::keys::{self, ProviderAddress};
use crate::output::Failure;

#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct EmbeddingSettings {
    pub(crate) engine: EmbeddingEngineKind,
    /// The provider's model; empty means the default.
    pub(crate) model: String,
    /// The provider's URL; empty means the default.
    pub(crate) url: String,
    /// The vector length; 0 means that of the default model.
    pub(crate) dimensions: usize,
    /// The vector length to request from the provider; 0 means the model's.
    pub(crate) shorten_to: usize,
    /// The environment variable that has the key; empty means the provider's default, and none for
    /// a custom `url`.
    pub(crate) key: String,
}

/// The embedding engine.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum EmbeddingEngineKind {
    /// The built-in table of token vectors.
    #[default]
    Static,
    /// None: search is by keywords only.
    None,
    /// A model on this machine for documents, the table for queries.
    Minilm,
    Openai,
    Gemini,
}

/// The defaults of a provider.
struct EmbeddingDefaults {
    url: &'static str,
    model: &'static str,
    dimensions: usize,
    key: &'static str,
    open: fn(Endpoint) -> Result<Provider, EmbedError>,
}

const OPENAI: EmbeddingDefaults = EmbeddingDefaults {
    url: "https://api.openai.com/v1",
    model: models::OPENAI_EMBEDDINGS,
    dimensions: 1536,
    key: "OPENAI_API_KEY",
    open: Provider::openai,
};

const GEMINI: EmbeddingDefaults = EmbeddingDefaults {
    url: "https://generativelanguage.googleapis.com/v1beta",
    model: models::GEMINI_EMBEDDINGS,
    dimensions: 3072,
    key: "GEMINI_API_KEY",
    open: Provider::gemini,
};

impl EmbeddingSettings {
    /// The model and the variable of its key that the settings name for this provider.
    pub(crate) fn model_and_key(&self, provider: &str) -> (&str, &str) {
        match (self.engine, provider) {
            (EmbeddingEngineKind::Openai, "openai") | (EmbeddingEngineKind::Gemini, "gemini") => {
                (&self.model, &self.key)
            }
            _ => ("", ""),
        }
    }

    /// The engine; none if search is by keywords only. Weights are kept in `models`.
    pub(crate) fn embedder(&self, models: &Path) -> Result<Option<Arc<dyn Embedder>>, Failure> {
        match self.engine {
            EmbeddingEngineKind::Static => {
                self.must_be_plain()?;
                Ok(Some(Arc::new(FixedTable::new())))
            }
            EmbeddingEngineKind::None => self.must_be_plain().map(|()| None),
            EmbeddingEngineKind::Minilm => {
                self.must_be_plain()?;
                let weights = Model::MINILM.files.first().map(|file| file.path(models));
                Ok(Some(Arc::new(MiniLm::at(weights.unwrap_or_default()))))
            }
            EmbeddingEngineKind::Openai => self.provider(&OPENAI),
            EmbeddingEngineKind::Gemini => self.provider(&GEMINI),
        }
    }

    /// Refuses options that only a provider uses, because they would be ignored silently.
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
