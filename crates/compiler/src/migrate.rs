//! Plans how a toolset that was made for another server moves over: per tool, what compiles as it is,
//! which lines change, which tools need another runtime, and what a person must decide.
//!
//! A plan is not guessed: each tool is compiled with the proposed lines in place, and a verdict says
//! what the compiler found then. Nothing is written here.

mod edits;
mod lines;
mod schema;

use std::collections::BTreeMap;

use self::edits::Attempt;
pub use self::lines::LineChange;
use crate::diagnostic::Diagnostic;
use crate::lint;
use crate::natives::FindNative;
use crate::options::Options;
use crate::rule::Severity;
use crate::tree::SourceTree;

/// The need of a tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// It compiles as it is.
    AsItIs,
    /// It compiles with the proposed lines.
    Lines,
    /// It compiles with the proposed lines, one of which sets this runtime: trusted code.
    Runtime(&'static str),
    /// Findings remain that no proposed line removes and that stop the tool.
    Decision,
}

impl Verdict {
    /// The name in reports.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::AsItIs => "as_it_is",
            Self::Lines => "lines",
            Self::Runtime(_) => "runtime",
            Self::Decision => "decision",
        }
    }
}

/// The plan of one tool.
#[derive(Debug)]
pub struct ToolPlan {
    pub directory: String,
    pub verdict: Verdict,
    /// The proposed lines.
    pub changes: Vec<LineChange>,
    /// The findings that the proposed lines remove.
    pub reasons: Vec<Diagnostic>,
    /// The findings that remain with the proposed lines, those that stop the tool first.
    pub remaining: Vec<Diagnostic>,
    /// The texts of the changed files, by their path below the tools folder.
    pub texts: BTreeMap<String, String>,
}

/// The plan of a toolset.
#[derive(Debug)]
pub struct MigrationPlan {
    pub tools: Vec<ToolPlan>,
    /// Findings about the tools folder as a whole.
    pub toolset: Vec<Diagnostic>,
}

/// Plans the move of every tool of a tree.
pub fn plan(tree: &dyn SourceTree, options: &Options, natives: FindNative<'_>) -> MigrationPlan {
    let mut toolset = Vec::new();
    let directories = lint::files::discover(tree, &mut toolset);
    let tools = directories
        .into_iter()
        .map(|directory| {
            let shown = tree.display(&directory);
            let named = toolset.extract_if(.., |finding| finding.source.path == shown).collect();
            tool_plan(tree, directory, named, options, natives)
        })
        .collect();
    MigrationPlan { tools, toolset }
}

/// Plans one tool. `named` are the findings about its directory's name, which no line removes.
fn tool_plan(
    tree: &dyn SourceTree,
    directory: String,
    named: Vec<Diagnostic>,
    options: &Options,
    natives: FindNative<'_>,
) -> ToolPlan {
    let attempt = |runtime| Attempt::make(tree, &directory, runtime, options, natives);
    let plain = attempt(None);
    let other = (plain.errors() > 0).then(|| plain.other_runtime(tree, &directory)).flatten();
    let other = other.map(|runtime| (runtime, attempt(Some(runtime))));
    let (runtime, best) = match other {
        Some((runtime, other)) if other.errors() < plain.errors() => (Some(runtime), other),
        _ => (None, plain),
    };
    let Attempt { overlay, removed, left, .. } = best;
    let mut remaining: Vec<_> = left.into_iter().chain(named).collect();
    remaining.sort_by_key(|finding| !is_blocking(finding));
    let texts = overlay.texts().clone();
    let changes = lines::changes(tree, &texts);
    let verdict = match (runtime, changes.is_empty()) {
        _ if remaining.iter().any(is_blocking) => Verdict::Decision,
        (Some(runtime), _) => Verdict::Runtime(runtime),
        (None, true) => Verdict::AsItIs,
        (None, false) => Verdict::Lines,
    };
    ToolPlan { directory, verdict, changes, reasons: removed, remaining, texts }
}

/// Rules whose warning means that the tool compiles and does not do what its author expects.
const WITHOUT_EFFECT: [&str; 2] = ["AIL-H021", "AIL-H022"];

/// Whether a tool with this finding cannot be used as it is.
pub fn is_blocking(finding: &Diagnostic) -> bool {
    finding.severity == Severity::Error || WITHOUT_EFFECT.contains(&finding.rule.code)
}

#[cfg(test)]
#[path = "migrate_tests.rs"]
mod tests;
