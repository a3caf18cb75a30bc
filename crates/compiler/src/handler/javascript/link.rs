//! Checks that modules export the names that others import.

use std::collections::{BTreeMap, BTreeSet};

use super::graph::Graph;
use super::module::{AILERON, AILERON_EXPORTS, Export, Import, Module, Value};
use super::parse;
use super::resolve::{Target, resolve};
use crate::diagnostic::Diagnostic;
use crate::lint::handler::no_execute::{self, ExportFound};
use crate::lint::handler::{execute_not_a_function, missing_export};
use crate::suggest;

/// Checks every name that one module imports from another.
pub(crate) fn check_names(graph: &Graph, found: &mut Vec<Diagnostic>) {
    let mut surfaces = BTreeMap::new();
    for module in graph.parsed() {
        for import in module.facts.imports.iter().filter(|import| !import.names.is_empty()) {
            let surface = match resolve(&module.path, &import.request) {
                Target::Aileron => surfaces.entry(String::new()).or_insert_with(Surface::aileron),
                Target::Module(path) => {
                    surfaces.entry(path).or_insert_with_key(|path| surface(graph, path))
                }
                Target::Unnamed(_) | Target::Outside | Target::Foreign(_) => continue,
            };
            check_import(module, import, surface, found);
        }
    }
}

fn check_import(module: &Module, import: &Import, surface: &Surface, found: &mut Vec<Diagnostic>) {
    let Import { request, names, .. } = import;
    for (name, place) in names.iter().filter(|(name, _)| !surface.values.contains(name)) {
        let (source, place) = (&module.source, place.clone());
        if surface.types.contains(name) {
            found.push(missing_export::is_type(source, request, name, place));
        } else if request == AILERON && parse::is_typescript(&module.path) {
            found.push(missing_export::maybe_type(source, request, name, place));
        } else if !surface.partial {
            let exports = surface.values.iter().map(String::as_str);
            found.push(missing_export::diagnose(source, request, name, exports, place));
        }
    }
}

/// All exports of a module, including re-exports.
#[derive(Default)]
struct Surface {
    values: BTreeSet<String>,
    types: BTreeSet<String>,
    /// Whether the list may be incomplete.
    partial: bool,
}

impl Surface {
    fn aileron() -> Self {
        let values = AILERON_EXPORTS.iter().map(|name| (*name).to_owned()).collect();
        Self { values, ..Self::default() }
    }
}

fn surface(graph: &Graph, path: &str) -> Surface {
    let mut surface = Surface::default();
    let mut seen = BTreeSet::new();
    let mut open = vec![path.to_owned()];
    while let Some(path) = open.pop() {
        if !seen.insert(path.clone()) {
            continue;
        }
        let first = seen.len() == 1;
        let Some(module) = graph.module(&path) else {
            surface.partial = true;
            continue;
        };
        surface.partial |= module.facts.common_js.is_some() || module.facts.opaque;
        let keep = |name: &&String| first || *name != "default";
        surface.values.extend(module.facts.exports.keys().filter(keep).cloned());
        surface.types.extend(module.types.iter().filter(keep).cloned());
        for star in &module.facts.stars {
            match resolve(&path, star) {
                Target::Module(path) => open.push(path),
                Target::Aileron => surface.values.extend(Surface::aileron().values),
                Target::Unnamed(_) | Target::Outside | Target::Foreign(_) => surface.partial = true,
            }
        }
    }
    surface
}

/// Checks that the entry exports a function `execute`.
pub(crate) fn check_execute(graph: &Graph, found: &mut Vec<Diagnostic>) {
    let Some(entry) = graph.module(&graph.entry) else { return };
    let mut seen = BTreeSet::new();
    match trace(graph, entry, "execute", &mut seen) {
        Trace::Function | Trace::Unknown => {}
        Trace::Other(module, what, export) => {
            let place = export.place.clone();
            found.push(execute_not_a_function::diagnose(&module.source, what, place));
        }
        Trace::Missing if seen.len() > 1 && entry.facts.exports.contains_key("execute") => {}
        Trace::Missing => found.push(no_execute::diagnose(&entry.source, instead(entry))),
    }
}

/// The resolved value of an export.
enum Trace<'g> {
    Function,
    Other(&'g Module, &'static str, &'g Export),
    Missing,
    Unknown,
}

fn trace<'g>(
    graph: &'g Graph,
    module: &'g Module,
    name: &str,
    seen: &mut BTreeSet<(String, String)>,
) -> Trace<'g> {
    if !seen.insert((module.path.clone(), name.to_owned())) {
        return Trace::Missing;
    }
    let Some(export) = module.facts.exports.get(name) else {
        if module.facts.opaque {
            return Trace::Unknown;
        }
        return trace_stars(graph, module, name, seen);
    };
    match &export.value {
        Value::Function => Trace::Function,
        Value::Other(what) => Trace::Other(module, what, export),
        Value::Alias(_) | Value::Unknown => Trace::Unknown,
        Value::Imported { request, name } => match resolve(&module.path, request) {
            Target::Aileron => Trace::Other(module, "a part of `aileron`", export),
            Target::Module(path) => match graph.module(&path) {
                Some(next) => trace(graph, next, name, seen),
                None => Trace::Unknown,
            },
            Target::Unnamed(_) | Target::Outside | Target::Foreign(_) => Trace::Unknown,
        },
    }
}

fn trace_stars<'g>(
    graph: &'g Graph,
    module: &'g Module,
    name: &str,
    seen: &mut BTreeSet<(String, String)>,
) -> Trace<'g> {
    for star in &module.facts.stars {
        let found = match resolve(&module.path, star) {
            Target::Module(path) => match graph.module(&path) {
                Some(next) => trace(graph, next, name, seen),
                None => Trace::Unknown,
            },
            Target::Aileron => Trace::Missing,
            Target::Unnamed(_) | Target::Outside | Target::Foreign(_) => Trace::Unknown,
        };
        if !matches!(found, Trace::Missing) {
            return found;
        }
    }
    Trace::Missing
}

/// Finds the export that the entry has instead of `execute`.
fn instead(entry: &Module) -> ExportFound {
    let facts = &entry.facts;
    if let Some(place) = &facts.common_js {
        return ExportFound::CommonJs(place.clone());
    }
    let near = suggest::closest("execute", facts.exports.keys().map(String::as_str));
    if let Some((name, export)) = near.and_then(|name| facts.exports.get_key_value(name)) {
        return ExportFound::Misspelt(name.clone(), export.place.clone());
    }
    if let Some(export) = facts.exports.get("default") {
        return ExportFound::Default(export.place.clone());
    }
    facts.private_execute.clone().map_or(ExportFound::Nothing, ExportFound::Private)
}

#[cfg(test)]
#[path = "link_tests.rs"]
mod tests;
