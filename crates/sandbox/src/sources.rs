//! A tool's modules as the artifact carries them, and what it declares.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::builtin::AILERON;
use super::host::CapabilityShape;

/// What is loaded: the modules by their path below the tools folder, the one that exports `execute`, and
/// what the tool's context holds besides its data. What is not listed does not exist.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Sources {
    pub(crate) tool: String,
    pub(crate) entry: String,
    pub(crate) modules: BTreeMap<String, String>,
    pub(crate) capabilities: Vec<CapabilityShape>,
}

impl Sources {
    /// Modules under names that are the sandbox's own are left out: its own take their place.
    pub fn new(
        tool: &str,
        entry: &str,
        modules: &BTreeMap<String, String>,
        capabilities: Vec<CapabilityShape>,
    ) -> Self {
        let theirs = modules.iter().filter(|(name, _)| !name.starts_with('<') && *name != AILERON);
        let modules = theirs.map(|(name, text)| (name.clone(), text.clone())).collect();
        Self { tool: tool.into(), entry: entry.into(), modules, capabilities }
    }
}
