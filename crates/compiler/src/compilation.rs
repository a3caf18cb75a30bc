//! The result of a compilation: the compiled tools and the diagnostics.

use aileron_contract::{ContentHash, ToolId};

use crate::diagnostic::Diagnostic;
use crate::rule::Severity;

/// The result of a compilation.
#[derive(Debug)]
pub struct Compilation {
    /// The tools without errors, sorted by id.
    pub tools: Vec<CompiledTool>,
    pub diagnostics: Vec<Diagnostic>,
}

impl Compilation {
    /// Whether every tool compiled.
    pub fn succeeded(&self) -> bool {
        self.diagnostics.iter().all(|finding| finding.severity != Severity::Error)
    }
}

/// One tool, ready for the artifact.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompiledTool {
    pub id: ToolId,
    pub hash: ContentHash,
    /// The tool's entry in the artifact, as canonical JSON.
    pub json: String,
    /// The cost of its declaration, in estimated tokens.
    pub tokens: usize,
}
