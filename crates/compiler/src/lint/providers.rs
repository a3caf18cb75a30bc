//! Provider declarations: `AIL-P`. Reports the losses of a target, placed in `schema.json`.

use std::collections::HashSet;

use aileron_contract::Provider;

use crate::compilation::CompiledTool;
use crate::declare::{Declaration, Loss, LossKind};
use crate::diagnostic::Diagnostic;
use crate::document::Document;
use crate::rule::{Rule, Severity};
use crate::tree::SourceTree;

pub(crate) mod bad_property_name;
pub(crate) mod keyword_dropped;
pub(crate) mod keyword_rewritten;
mod loss_finding;
pub(crate) mod recursive_schema;
pub(crate) mod schema_too_large;
pub(crate) mod target_refuses;
pub(crate) mod too_many_tools;

pub(crate) const RULES: &[&Rule] = &[
    &keyword_dropped::KEYWORD_DROPPED,
    &keyword_rewritten::KEYWORD_REWRITTEN,
    &target_refuses::TARGET_REFUSES,
    &recursive_schema::RECURSIVE_SCHEMA,
    &too_many_tools::TOO_MANY_TOOLS,
    &bad_property_name::BAD_PROPERTY_NAME,
    &schema_too_large::SCHEMA_TOO_LARGE,
];

/// Whether a target is in use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TargetUse {
    InUse,
    /// Only a refusal is worth a word, as a note.
    Unused,
}

/// Reports the losses of a target's declaration.
pub(crate) fn report(
    schema: &Document,
    target: Provider,
    used: TargetUse,
    declaration: &Declaration,
    found: &mut Vec<Diagnostic>,
) {
    let broken: HashSet<String> = found
        .iter()
        .filter(|finding| is_schema_error(finding))
        .filter_map(|f| f.pointer.clone())
        .collect();
    let counts = |loss: &&Loss| used == TargetUse::InUse || loss.kind.is_refusal();
    let sound = |loss: &&Loss| !broken.contains(&loss.place());
    for loss in declaration.losses.iter().filter(counts).filter(sound) {
        let diagnose = match loss.kind {
            LossKind::Dropped => keyword_dropped::diagnose,
            LossKind::Rewritten => keyword_rewritten::diagnose,
            LossKind::Recursive => recursive_schema::diagnose,
            LossKind::Refused => target_refuses::diagnose,
            LossKind::BadName => bad_property_name::diagnose,
            LossKind::TooLarge => schema_too_large::diagnose,
        };
        let mut finding = diagnose(schema, loss).target(target);
        if used == TargetUse::Unused {
            finding.severity = Severity::Note;
        }
        found.push(finding);
    }
}

/// A keyword that is wrong for everyone is not reported again for each target.
fn is_schema_error(finding: &Diagnostic) -> bool {
    finding.severity == Severity::Error && finding.rule.code.starts_with("AIL-A")
}

pub(crate) fn check_toolset(
    tree: &dyn SourceTree,
    tools: &[CompiledTool],
    found: &mut Vec<Diagnostic>,
) {
    too_many_tools::check(tree, tools, found);
}

#[cfg(test)]
mod tests;
