//! `[build]`: which providers the toolset is for, and whether tools with errors are left out.

use aileron_compiler::Options;
use aileron_compiler::declare::OpenAiForm;
use aileron_contract::Provider;
use serde::{Deserialize, Serialize};

#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct BuildSettings {
    /// The declaration targets in use; empty means all.
    pub(crate) targets: Vec<Provider>,
    /// Whether tools with errors are left out and the others are used.
    pub(crate) keep_going: bool,
}

impl BuildSettings {
    /// The compile options, with the claims that conditions may read.
    pub(super) fn options(&self, claims: &[String]) -> Options {
        let targets = match self.targets.as_slice() {
            [] => Provider::ALL.to_vec(),
            some => some.to_vec(),
        };
        Options { targets, form: OpenAiForm::Plain, claims: claims.to_vec() }
    }
}
