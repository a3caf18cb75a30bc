//! `[prompt]`: the instructions of the model.

use std::path::{Path, PathBuf};

use aileron_agent::instructions::BUDGET_TOKENS;
use aileron_agent::{InstructionOptions, Prompts, ToolDocs};
use serde::{Deserialize, Serialize};

use crate::output::Failure;

#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct PromptSettings {
    /// A folder with custom prompts; empty means the shipped ones.
    pub(crate) path: PathBuf,
    pub(crate) tools: ToolDocs,
    pub(crate) budget_tokens: usize,
}

impl Default for PromptSettings {
    fn default() -> Self {
        Self { path: PathBuf::new(), tools: ToolDocs::Auto, budget_tokens: BUDGET_TOKENS }
    }
}

impl PromptSettings {
    /// Resolves the path relative to the folder of the settings.
    pub(crate) fn seen_from(&mut self, folder: &Path) {
        if !self.path.as_os_str().is_empty() {
            self.path = folder.join(&self.path);
        }
    }

    pub(crate) fn instructions(&self) -> Result<InstructionOptions, Failure> {
        let prompts = match self.path.as_os_str().is_empty() {
            true => Prompts::default(),
            false => {
                Prompts::load(&self.path).map_err(|error| Failure::Usage(error.to_string()))?
            }
        };
        Ok(InstructionOptions { prompts, tools: self.tools, budget_tokens: self.budget_tokens })
    }
}
