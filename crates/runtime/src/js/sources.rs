//! A tool's modules as the artifact carries them.

use std::collections::BTreeMap;

use super::builtin::AILERON;

/// What is compiled: the modules by their path below the tools folder, and the one that exports `execute`.
#[derive(Debug)]
pub(crate) struct Sources {
    pub(crate) tool: String,
    pub(crate) entry: String,
    pub(crate) modules: BTreeMap<String, String>,
}

impl Sources {
    /// Modules under names that are the sandbox's own are left out: its own take their place.
    pub(crate) fn new(tool: &str, entry: &str, modules: &BTreeMap<String, String>) -> Self {
        let theirs = modules.iter().filter(|(name, _)| !name.starts_with('<') && *name != AILERON);
        let modules = theirs.map(|(name, text)| (name.clone(), text.clone())).collect();
        Self { tool: tool.into(), entry: entry.into(), modules }
    }
}
