//! The result of comparing two registries.

use aileron_contract::ArtifactTool;
use semver::Version;

use super::step::{RequiredVersion, VersionStep};
use crate::rule::Rule;

/// A change, and the step of the version that it needs.
#[derive(Debug, Clone, PartialEq)]
pub struct Break {
    pub rule: &'static Rule,
    pub tool: String,
    /// JSON Pointer into the tool's `schema.json`.
    pub pointer: String,
    pub message: String,
    pub needs: VersionStep,
    pub previous: Version,
    /// Absent if the tool is deleted.
    pub current: Option<Version>,
}

impl Break {
    /// The versions that announce the change.
    pub fn needed(&self) -> RequiredVersion {
        RequiredVersion::new(&self.previous, self.needs)
    }

    /// Whether the version was not raised enough. A deleted tool has no version, so it always
    /// counts.
    pub fn is_violation(&self) -> bool {
        self.current.as_ref().is_none_or(|current| !self.needed().met_by(current))
    }
}

/// A tool that the previous registry does not have. It breaks nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AddedTool {
    pub tool: String,
    pub version: Version,
}

impl AddedTool {
    pub(super) fn of(tool: &ArtifactTool) -> Self {
        Self { tool: tool.id().to_owned(), version: tool.spec.0.version.clone() }
    }
}

/// The differences between two registries.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Comparison {
    /// Every change, by tool, also if the version was raised enough.
    pub changes: Vec<Break>,
    pub added: Vec<AddedTool>,
}

impl Comparison {
    /// The changes whose tool's version was not raised by the step they need.
    pub fn violations(&self) -> impl Iterator<Item = &Break> {
        self.changes.iter().filter(|change| change.is_violation())
    }

    /// The violations of all rules except those with the given codes or names.
    pub fn violations_except(&self, allowed: &[&str]) -> impl Iterator<Item = &Break> {
        self.violations().filter(|change| {
            let names = [change.rule.code, change.rule.name];
            !allowed
                .iter()
                .any(|allowed| names.iter().any(|name| name.eq_ignore_ascii_case(allowed)))
        })
    }
}
