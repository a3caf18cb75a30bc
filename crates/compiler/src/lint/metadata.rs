//! Metadata that contradicts itself, costs too much or hides something: `AIL-L`.

use std::collections::BTreeMap;

use aileron_contract::{Provider, tokens};
use serde_json::Value;

use crate::compilation::CompiledTool;
use crate::diagnostic::Diagnostic;
use crate::draft::Draft;
use crate::rule::Rule;
use crate::tree::SourceTree;

mod contradiction;
mod contradictory_metadata;
mod declaration_cost;
mod hidden;
mod hidden_unicode;
mod instruction_like_text;
mod passage;
mod phrase;
mod phrases;
mod toolset_cost;
mod undescribed_parameter;
mod words;
mod writes_without_confirmation;

pub(crate) const RULES: &[&Rule] = &[
    &writes_without_confirmation::WRITES_WITHOUT_CONFIRMATION,
    &contradictory_metadata::CONTRADICTORY_METADATA,
    &hidden_unicode::HIDDEN_UNICODE,
    &instruction_like_text::INSTRUCTION_LIKE_TEXT,
    &declaration_cost::DECLARATION_COST,
    &toolset_cost::TOOLSET_COST,
    &undescribed_parameter::UNDESCRIBED_PARAMETER,
];

pub(crate) fn check(draft: &Draft, found: &mut Vec<Diagnostic>) {
    writes_without_confirmation::check(draft, found);
    contradictory_metadata::check(draft, found);
    hidden_unicode::check(draft, found);
    instruction_like_text::check(draft, found);
    undescribed_parameter::check(draft, found);
}

pub(crate) fn check_toolset(
    tree: &dyn SourceTree,
    tools: &[CompiledTool],
    found: &mut Vec<Diagnostic>,
) {
    declaration_cost::check(tree, tools, found);
    toolset_cost::check(tree, tools, found);
}

/// The maximum cost of a declaration over all targets, in estimated tokens.
pub(crate) fn tokens(declarations: &BTreeMap<Provider, Value>) -> usize {
    let costs = declarations.values().map(|value| tokens::of(&value.to_string()));
    costs.max().unwrap_or_default()
}

#[cfg(test)]
#[path = "metadata_tests.rs"]
mod tests;
