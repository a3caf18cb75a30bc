//! Python handlers: every module of the tool's folder is carried, with the shared code that it imports.
//!
//! A worker loads the handler as a module of the package `aileron_tools.<tool_id>`, so modules of a
//! toolset import each other by relative imports: `from .helpers import x`, `from .._lib.y import z`.

mod capabilities;
mod modules;
mod scan;
mod stdlib;

use aileron_contract::Handler;
use aileron_contract::artifact::{Packages, WorkerCode};

use self::modules::{PythonModule, PythonModules, PythonTarget};
use self::scan::{PythonExecute, PythonImport};
use super::packages::{self, PYTHON_LOCKS, PYTHON_MANIFESTS};
use crate::diagnostic::Diagnostic;
use crate::document::Document;
use crate::lint::handler::{
    execute_not_a_function, import_outside, missing_package, no_execute, unresolved_import,
};
use crate::rule::Severity;
use crate::tree::SourceTree;

/// The module that a worker itself provides.
const AILERON: &str = "aileron";

/// Compiles the handler `name` of a directory.
pub(super) fn compile(
    tree: &dyn SourceTree,
    directory: &str,
    name: &str,
    schema: Option<&Document>,
    found: &mut Vec<Diagnostic>,
) -> Option<Handler> {
    let before = found.len();
    let mut modules = PythonModules::default();
    modules.read_folder(tree, directory, found);
    if modules.use_shared() {
        modules.read_shared(tree, found);
    }
    let entry = format!("{directory}/{name}");
    if let Some(module) = modules.files.get(&entry) {
        check_execute(module, found);
    }
    let packages = check_imports(tree, directory, &modules, &entry, found);
    for (path, module) in &modules.files {
        if path.starts_with(&format!("{directory}/")) {
            capabilities::check(&module.source, &module.facts, schema, found);
        }
    }
    let own = modules.files.iter().filter(|(path, _)| path.starts_with(&format!("{directory}/")));
    let own: Vec<_> = own.map(|(_, module)| (&module.source, &module.facts)).collect();
    let all = modules.files.values().map(|module| &module.source);
    capabilities::check_messages(&own, all, found);
    let failed = found.iter().skip(before).any(|finding| finding.severity == Severity::Error);
    if failed || !modules.files.contains_key(&entry) {
        return None;
    }
    let texts = modules.files.into_iter();
    let texts = texts.map(|(path, module)| (path, module.source.text.clone())).collect();
    Some(Handler::Python(WorkerCode::new(entry, texts, packages)))
}

fn check_execute(module: &PythonModule, found: &mut Vec<Diagnostic>) {
    let source = &module.source;
    match &module.facts.execute {
        None => {
            let functions = module.facts.functions.iter();
            let near =
                crate::suggest::closest("execute", functions.clone().map(|(name, _)| &**name));
            let near = near.and_then(|near| functions.clone().find(|(name, _)| name == near));
            found.push(no_execute::python(source, near));
        }
        Some(PythonExecute::Function { parameters, place }) if !takes_two(parameters) => {
            let what = format!("`execute({})`", parameters.trim());
            found.push(execute_not_a_function::python(source, &what, place.clone()));
        }
        Some(PythonExecute::Function { .. } | PythonExecute::Bound) => {}
    }
}

/// Whether a function can be called with two arguments by position.
fn takes_two(parameters: &str) -> bool {
    let mut depth = 0_usize;
    let mut list = vec![String::new()];
    for c in parameters.chars() {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                list.push(String::new());
                continue;
            }
            _ => {}
        }
        if let Some(last) = list.last_mut() {
            last.push(c);
        }
    }
    let named: Vec<&str> = list
        .iter()
        .map(|part| part.trim())
        .filter(|part| !part.is_empty() && *part != "/")
        .collect();
    let star = named.iter().position(|part| part.starts_with('*'));
    let takes_rest = star.is_some_and(|at| {
        named.get(at).is_some_and(|part| *part != "*" && !part.starts_with("**"))
    });
    let by_position = named.get(..star.unwrap_or(named.len())).unwrap_or_default();
    let required = by_position.iter().filter(|part| !part.contains('=')).count();
    required <= 2 && (by_position.len() >= 2 || takes_rest)
}

/// Checks the imports of the modules that the entry reaches; returns the manifest if a package may be
/// imported.
fn check_imports(
    tree: &dyn SourceTree,
    directory: &str,
    modules: &PythonModules,
    entry: &str,
    found: &mut Vec<Diagnostic>,
) -> Option<Packages> {
    let mut wanted = Vec::new();
    for path in modules.reached(entry) {
        let Some(module) = modules.files.get(&path) else { continue };
        for import in &module.facts.imports {
            match import.level {
                0 if is_package(import) => {
                    if !check_sibling(modules, &path, module, import, found) {
                        wanted.push((module, import));
                    }
                }
                0 => {}
                _ => check_relative(modules, &path, module, import, found),
            }
        }
    }
    if wanted.is_empty() {
        return None;
    }
    let manifest = packages::nearest(tree, directory, PYTHON_MANIFESTS, found);
    if let Some(manifest) = &manifest {
        return Some(packages::locked(tree, manifest, PYTHON_LOCKS, found));
    }
    for (module, import) in wanted.into_iter().filter(|(_, import)| import.top_level) {
        let package = first_step(import);
        found.push(missing_package::python(&module.source, package, import.place.clone()));
    }
    None
}

fn first_step(import: &PythonImport) -> &str {
    import.module.split('.').next().unwrap_or_default()
}

/// Whether an absolute import names neither Python's own modules nor the one of the worker.
fn is_package(import: &PythonImport) -> bool {
    let name = first_step(import);
    name != AILERON && !stdlib::has(name)
}

/// Reports an absolute import of a file beside the module, which Python would not find. Such an import
/// inside of a `try` or a function may be a fallback.
fn check_sibling(
    modules: &PythonModules,
    path: &str,
    module: &PythonModule,
    import: &PythonImport,
    found: &mut Vec<Diagnostic>,
) -> bool {
    let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let name = first_step(import);
    if !modules.is_module(&format!("{folder}/{name}")) {
        return false;
    }
    if import.top_level {
        let better = match import.names.is_empty() {
            true => format!("from . import {}", import.module),
            false => format!("from .{} import {}", import.module, import.names.join(", ")),
        };
        let place = import.place.clone();
        found.push(unresolved_import::python_absolute(&module.source, name, &better, place));
    }
    true
}

fn check_relative(
    modules: &PythonModules,
    path: &str,
    module: &PythonModule,
    import: &PythonImport,
    found: &mut Vec<Diagnostic>,
) {
    let (source, place) = (&module.source, import.place.clone());
    match modules.resolve(path, import) {
        PythonTarget::Files(_) => {}
        PythonTarget::Outside => {
            let written = format!("{}{}", ".".repeat(import.level), import.module);
            found.push(import_outside::python(source, &written, place));
        }
        PythonTarget::Missing(_) if !import.top_level => {}
        PythonTarget::Missing(written) => {
            found.push(unresolved_import::python(source, &written, place));
        }
    }
}

#[cfg(test)]
#[path = "python_tests.rs"]
mod tests;
