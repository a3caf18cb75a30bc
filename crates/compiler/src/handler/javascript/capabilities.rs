//! Compares the capabilities that a handler uses with those that are declared.

use super::context::CapabilityUse;
use super::file::ModuleHost;
use super::graph::Graph;
use super::module::Module;
use crate::diagnostic::Diagnostic;
use crate::document::Document;
use crate::handler::declared::{POINTER, capability_field, check_variable, declared};
use crate::lint::handler::{undeclared_capability, unknown_context_member, unused_capability};

/// Checks the modules in the tool's own directory against `schema.json`.
pub(crate) fn check(
    graph: &Graph,
    directory: &str,
    schema: Option<&Document>,
    found: &mut Vec<Diagnostic>,
) {
    let Some(schema) = schema else { return };
    let Some(declared) = declared(schema) else { return };
    let own = format!("{directory}/");
    let modules: Vec<_> = graph.parsed().filter(|module| module.path.starts_with(&own)).collect();
    for module in &modules {
        check_module(module, &declared, found);
        if graph.host != ModuleHost::Sandbox {
            check_environment(module, &declared, found);
        }
    }
    let complete = graph.modules.values().all(Option::is_some)
        && !modules.iter().any(|module| module.facts.uses.escapes);
    if complete {
        let uses = modules.iter().flat_map(|module| &module.facts.uses.list).collect::<Vec<_>>();
        // A worker has its secrets in the environment, where every package can read them.
        let seen = |(_, name): &(usize, &str)| {
            graph.host == ModuleHost::Sandbox || !name.starts_with("secret:")
        };
        let declared: Vec<_> = declared.into_iter().filter(seen).collect();
        check_unused(schema, &declared, &uses, found);
    }
}

fn check_module(module: &Module, declared: &[(usize, &str)], found: &mut Vec<Diagnostic>) {
    for one in &module.facts.uses.list {
        if declared.iter().any(|(_, name)| allows(name, one)) {
            continue;
        }
        let place = one.place.clone();
        let (capability, wanted) = (one.capability, wanted(one));
        found.push(undeclared_capability::diagnose(&module.source, capability, &wanted, place));
    }
    for (name, place) in &module.facts.uses.unknown {
        found.push(unknown_context_member::diagnose(&module.source, name, place.clone()));
    }
}

fn check_environment(module: &Module, declared: &[(usize, &str)], found: &mut Vec<Diagnostic>) {
    for (name, place) in &module.facts.environment {
        check_variable(&module.source, name, place.clone(), declared, found);
    }
}

/// Whether a declaration allows a use.
fn allows(declaration: &str, one: &CapabilityUse) -> bool {
    match (one.capability, &one.secret) {
        ("secret", Some(name)) => declaration.strip_prefix("secret:") == Some(name),
        ("secret" | "http", _) => {
            declaration.split_once(':').is_some_and(|(kind, _)| kind == one.capability)
        }
        (capability, _) => declaration == capability,
    }
}

/// The declaration that would have allowed a use.
fn wanted(one: &CapabilityUse) -> String {
    match (one.capability, &one.secret) {
        ("secret", Some(name)) => format!("secret:{name}"),
        ("secret", None) => "secret:<NAME>".to_owned(),
        ("http", _) => "http:<host>".to_owned(),
        (capability, _) => capability.to_owned(),
    }
}

fn check_unused(
    schema: &Document,
    declared: &[(usize, &str)],
    uses: &[&CapabilityUse],
    found: &mut Vec<Diagnostic>,
) {
    for (index, name) in declared {
        let known = capability_field(name.split(':').next().unwrap_or(name)).is_some();
        if known && !uses.iter().any(|one| allows(name, one)) {
            let pointer = format!("{POINTER}/{index}");
            found.push(unused_capability::diagnose(schema, &pointer, name));
        }
    }
}

#[cfg(test)]
#[path = "capabilities_tests.rs"]
mod tests;
