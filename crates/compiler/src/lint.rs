//! Every rule, by family. A rule is one file: its doc comment explains it.

use crate::compilation::CompiledTool;
use crate::diagnostic::Diagnostic;
use crate::draft::Draft;
use crate::options::Options;
use crate::rule::Rule;
use crate::tree::SourceTree;

pub(crate) mod cases;
pub(crate) mod docs;
pub(crate) mod expressions;
pub(crate) mod files;
pub(crate) mod handler;
pub(crate) mod json;
pub(crate) mod metadata;
pub(crate) mod parameters;
pub(crate) mod providers;
pub(crate) mod spec;

const FAMILIES: &[&[&Rule]] = &[
    files::RULES,
    json::RULES,
    spec::RULES,
    parameters::RULES,
    docs::RULES,
    handler::RULES,
    cases::RULES,
    expressions::RULES,
    metadata::RULES,
    providers::RULES,
];

/// Every lint rule.
pub(crate) fn rules() -> impl Iterator<Item = &'static Rule> {
    FAMILIES.iter().flat_map(|family| family.iter().copied())
}

/// The checks of a single tool.
const TOOL_CHECKS: &[fn(&Draft, &mut Vec<Diagnostic>)] =
    &[docs::check, cases::check, metadata::check];

pub(crate) fn check_tool(draft: &Draft, options: &Options, found: &mut Vec<Diagnostic>) {
    for check in TOOL_CHECKS {
        check(draft, found);
    }
    expressions::check(draft, options, found);
}

/// The checks of all tools together.
pub(crate) fn check_toolset(
    tree: &dyn SourceTree,
    tools: &[CompiledTool],
    found: &mut Vec<Diagnostic>,
) {
    metadata::check_toolset(tree, tools, found);
    providers::check_toolset(tree, tools, found);
}
