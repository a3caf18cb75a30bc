//! `[confirmation]`: how people answer confirmations.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use aileron_orchestrator::yes_no::Grammar;
use serde::{Deserialize, Serialize};

use crate::output::Failure;

#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct ConfirmationSettings {
    /// A file with the spoken yes and no of a language; empty means English.
    pub(crate) grammar: PathBuf,
}

impl ConfirmationSettings {
    /// Resolves the path relative to the folder of the settings.
    pub(crate) fn seen_from(&mut self, folder: &Path) {
        if !self.grammar.as_os_str().is_empty() {
            self.grammar = folder.join(&self.grammar);
        }
    }

    /// The grammar of spoken answers.
    pub(crate) fn grammar(&self) -> Result<Arc<Grammar>, Failure> {
        let path = &self.grammar;
        if path.as_os_str().is_empty() {
            return Ok(Grammar::english().clone());
        }
        let wrong = |why: String| {
            Failure::Usage(format!("confirmation.grammar: `{}`: {why}", path.display()))
        };
        let text = fs::read_to_string(path).map_err(|error| wrong(error.to_string()))?;
        Grammar::from_json(&text).map(Arc::new).map_err(|error| wrong(error.to_string()))
    }
}
