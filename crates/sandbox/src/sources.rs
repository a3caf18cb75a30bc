//! A tool's modules from the artifact, and its capabilities.

use aileron_capability::foreign::CapabilityShape;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::builtin::AILERON;

/// The input of a load: the modules by their path below the tools folder, the entry that exports
/// `execute`, and the capabilities in the tool's context. A capability that is not listed does not
/// exist.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Sources {
    pub(crate) tool: String,
    pub(crate) entry: String,
    pub(crate) modules: BTreeMap<String, String>,
    pub(crate) capabilities: Vec<CapabilityShape>,
}

impl Sources {
    /// Modules with reserved names are left out; those of the sandbox replace them.
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
