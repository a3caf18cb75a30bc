//! The result of a compilation: the compiled tools and the diagnostics.

use aileron_contract::{ContentHash, LeftOutTool, ToolId};

use crate::diagnostic::Diagnostic;
use crate::rule::Severity;

/// The result of a compilation.
#[derive(Debug)]
pub struct Compilation {
    /// The tools without errors, sorted by id.
    pub tools: Vec<CompiledTool>,
    pub diagnostics: Vec<Diagnostic>,
    /// The directories with errors, sorted.
    pub failed: Vec<LeftOutTool>,
    /// Whether an error is of the toolset as a whole, so that no tool can be built.
    pub toolset_failed: bool,
}

impl Compilation {
    /// Whether every tool compiled.
    pub fn succeeded(&self) -> bool {
        self.diagnostics.iter().all(|finding| finding.severity != Severity::Error)
    }

    /// Whether the tools that compiled can be built without the others.
    pub fn can_leave_out(&self) -> bool {
        !self.toolset_failed && !self.tools.is_empty()
    }

    /// Removes a tool that turned out to have an error.
    pub(crate) fn fail(&mut self, id: &ToolId, finding: Diagnostic) {
        self.tools.retain(|tool| tool.id != *id);
        let (directory, code) = (id.directory(), finding.rule.code.to_owned());
        match self.failed.iter_mut().find(|failed| failed.directory == directory) {
            Some(failed) => failed.codes.push(code),
            None => self.failed.push(LeftOutTool { directory, codes: vec![code] }),
        }
        self.failed.sort_by(|a, b| a.directory.cmp(&b.directory));
        self.diagnostics.push(finding);
        Diagnostic::sort(&mut self.diagnostics);
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
