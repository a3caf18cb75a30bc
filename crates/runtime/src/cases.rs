//! `cases.json`: example calls of a tool with their expected results. Reads them, creates their
//! test doubles, and lists the differences of a response. Other crates make the call.

mod difference;
mod expect;
mod given;

use aileron_contract::{Mode, ToolSpec};
use serde::Deserialize;
use serde_json::Value;

pub use difference::differences;
pub use expect::Expect;
pub use given::{CaseWorld, Given, GivenSession};

/// One example call.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// The behaviour that the case shows.
    pub name: String,
    /// The arguments as a model would send them.
    pub args: Value,
    /// Absent: each mode that the tool allows.
    #[serde(default)]
    pub mode: Option<Mode>,
    #[serde(default)]
    pub given: Given,
    pub expect: Expect,
}

impl Case {
    /// The modes to make the call in.
    pub fn modes(&self, spec: &ToolSpec) -> Vec<Mode> {
        self.mode.map_or_else(|| spec.allowed_modes.iter().collect(), |mode| vec![mode])
    }
}

/// Reads the text of a `cases.json`.
pub fn read(text: &str) -> Result<Vec<Case>, serde_json::Error> {
    serde_json::from_str(text)
}

#[cfg(test)]
#[path = "cases_tests.rs"]
mod tests;
