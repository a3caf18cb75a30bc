//! The parts of tool authoring that a server offers and does not implement: comparing registries and saving
//! cases. The command that starts the server provides them.

use std::fmt;

use aileron_contract::Artifact;
use serde_json::Value;

/// Offered where tools are authored.
pub trait Authoring: Send + Sync + fmt::Debug {
    /// The differences between two registries.
    fn compare(&self, old: &Artifact, new: &Artifact) -> Vec<RegistryChange>;

    /// Whether there is a folder of tools to write to.
    fn can_save_cases(&self) -> bool;

    /// The cases of a tool, as they are in its folder. May block.
    fn cases(&self, tool: &str) -> Option<Vec<Value>>;

    /// Adds a case to a tool; returns the path of its file. May block.
    fn save_case(&self, tool: &str, case: Value) -> Result<String, SaveCaseError>;
}

/// One difference between two registries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RegistryChange {
    pub tool: String,
    /// The promise that it concerns; `None` for a tool that was added.
    pub rule: Option<String>,
    pub kind: ChangeKind,
    /// The version step that it needs.
    pub step: Option<String>,
    pub message: String,
}

/// The kind of a difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChangeKind {
    /// It breaks a promise to callers.
    Breaking,
    /// It widens what a tool may do.
    Policy,
    /// It breaks nothing, or the version says so.
    Compatible,
    Added,
    Removed,
}

/// Why a case was not saved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SaveCaseError {
    /// There is no folder of this tool.
    NoSources,
    /// The case is not valid, or its name is taken.
    Invalid(String),
    Io(String),
}
