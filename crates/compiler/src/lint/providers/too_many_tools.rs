//! More tools than a provider accepts.

use crate::compilation::CompiledTool;
use crate::diagnostic::Diagnostic;
use crate::rule::rule;
use crate::source::Source;
use crate::tree::SourceTree;

rule! {
    /// The toolset has more tools than a provider takes in one request.
    ///
    /// ## Why
    /// OpenAI takes 128 tools in one request, Gemini 512; with more, every request fails.
    /// A conversation declares only the tools that its mode and their `availability` allow,
    /// so a large toolset may still work. Long before the limit, models choose worse and
    /// every declaration costs tokens.
    ///
    /// ## Example
    /// A folder with 130 tool directories, all with `"allowedModes": ["text", "voice"]`.
    ///
    /// ## Fix
    /// Narrow tools by `allowedModes` or `availability`, or split the toolset.
    TOO_MANY_TOOLS, "AIL-P005", "too-many-tools", Warning
}

const OPENAI_LIMIT: usize = 128;
const GEMINI_LIMIT: usize = 512;

pub(crate) fn check(tree: &dyn SourceTree, tools: &[CompiledTool], found: &mut Vec<Diagnostic>) {
    let count = tools.len();
    if count <= OPENAI_LIMIT {
        return;
    }
    let limits = if count <= GEMINI_LIMIT {
        format!("OpenAI takes {OPENAI_LIMIT}")
    } else {
        format!("OpenAI takes {OPENAI_LIMIT} and Gemini {GEMINI_LIMIT}")
    };
    let folder = Source::new(tree.display(""), "");
    let message = format!("the toolset has {count} tools, {limits} in one request");
    found.push(
        Diagnostic::new(&TOO_MANY_TOOLS, &folder, message)
            .help("narrow tools by `allowedModes` or `availability`, or split the toolset"),
    );
}
