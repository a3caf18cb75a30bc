//! `[kb]`: where the knowledge base is kept, and who may read which namespace of it. `embeddings`
//! has the embedding engine.

use std::path::PathBuf;

use aileron_capability::kb::Readers;
use serde::{Deserialize, Serialize};

use super::embeddings::EmbeddingSettings;

#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct KbSettings {
    /// The folder of the records and their index.
    pub(crate) path: PathBuf,
    /// The folder that `aileron serve` and `aileron chat` ingest at the first start; empty means
    /// none.
    pub(crate) seed: PathBuf,
    pub(crate) readers: Readers,
    pub(crate) embeddings: EmbeddingSettings,
}

impl Default for KbSettings {
    fn default() -> Self {
        Self {
            path: PathBuf::from(".aileron/kb"),
            seed: PathBuf::from("demo/knowledge"),
            readers: Readers::default(),
            embeddings: EmbeddingSettings::default(),
        }
    }
}
