//! Metadata that contradicts itself, costs too much or hides something: `AIL-L`.

use std::collections::BTreeMap;

use aileron_contract::Provider;
use serde_json::Value;

use crate::compile::CompiledTool;
use crate::diagnostic::Diagnostic;
use crate::draft::Draft;
use crate::rule::Rule;
use crate::tree::Tree;

pub(crate) const RULES: &[&Rule] = &[];

pub(crate) fn check(draft: &Draft, found: &mut Vec<Diagnostic>) {
    let _ = (draft, found);
}

pub(crate) fn check_toolset(tree: &dyn Tree, tools: &[CompiledTool], found: &mut Vec<Diagnostic>) {
    let _ = (tree, tools, found);
}

/// What a declaration costs at most, in estimated tokens.
pub(crate) fn tokens(declarations: &BTreeMap<Provider, Value>) -> usize {
    let chars = declarations.values().map(|value| value.to_string().chars().count()).max();
    chars.unwrap_or_default().div_ceil(4)
}
