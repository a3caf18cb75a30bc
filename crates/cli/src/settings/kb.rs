//! `[kb]`: where the knowledge base is kept, and who may read which namespace of it.

use std::path::PathBuf;

use aileron_runtime::capability::kb::Readers;
use serde::{Deserialize, Serialize};

#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct KbSettings {
    /// The folder of the records and their index.
    pub(crate) path: PathBuf,
    pub(crate) readers: Readers,
}

impl Default for KbSettings {
    fn default() -> Self {
        Self { path: PathBuf::from(".aileron/kb"), readers: Readers::default() }
    }
}
