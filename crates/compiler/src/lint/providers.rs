//! Provider declarations: `AIL-P`.

use aileron_contract::Provider;

use crate::compile::CompiledTool;
use crate::declare::Declaration;
use crate::diagnostic::Diagnostic;
use crate::document::Document;
use crate::rule::Rule;
use crate::tree::Tree;

pub(crate) const RULES: &[&Rule] = &[];

pub(crate) fn report(
    schema: &Document,
    target: Provider,
    declaration: &Declaration,
    found: &mut Vec<Diagnostic>,
) {
    let _ = (schema, target, declaration, found);
}

pub(crate) fn check_toolset(tree: &dyn Tree, tools: &[CompiledTool], found: &mut Vec<Diagnostic>) {
    let _ = (tree, tools, found);
}
