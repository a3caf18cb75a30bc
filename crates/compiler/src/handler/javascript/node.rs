//! The Node.js project of a handler: its `package.json`, and the packages that the modules import.

use std::collections::BTreeSet;

use aileron_contract::artifact::Packages;
use serde_json::Value;

use super::file::JsFiles;
use super::graph::Graph;
use super::module::{Import, Module};
use super::resolve::{Target, package, resolve};
use crate::diagnostic::Diagnostic;
use crate::handler::packages::{self, Manifest, NODE_LOCKS, NODE_MANIFESTS};
use crate::lint::handler::foreign_import::ForeignReason;
use crate::lint::handler::missing_package;
use crate::source::Source;
use crate::tree::SourceTree;

/// The fields of `package.json` that name packages.
const DEPENDENCIES: &[&str] =
    &["dependencies", "devDependencies", "optionalDependencies", "peerDependencies"];

/// The nearest `package.json` of a handler, if there is one.
pub(super) struct NodeProject {
    manifest: Option<Manifest>,
    packages: BTreeSet<String>,
    js_files: JsFiles,
}

impl NodeProject {
    /// Reads the nearest `package.json`.
    pub(super) fn find(
        tree: &dyn SourceTree,
        directory: &str,
        found: &mut Vec<Diagnostic>,
    ) -> Self {
        let manifest = packages::nearest(tree, directory, NODE_MANIFESTS, found);
        let value = manifest.as_ref().and_then(|manifest| parse(tree, manifest, found));
        let value = value.unwrap_or_default();
        let is_module = value.get("type").is_some_and(|kind| kind == "module");
        let listed = DEPENDENCIES.iter().filter_map(|field| value.get(field)?.as_object());
        let own = value.get("name").and_then(Value::as_str).map(str::to_owned);
        Self {
            manifest,
            packages: listed.flat_map(|list| list.keys().cloned()).chain(own).collect(),
            js_files: if is_module { JsFiles::EsModules } else { JsFiles::Either },
        }
    }

    pub(super) fn js_files(&self) -> JsFiles {
        self.js_files
    }

    /// Reports packages that the manifest does not name. The manifest, if the handler may need it.
    pub(super) fn check(
        &self,
        tree: &dyn SourceTree,
        graph: &Graph,
        found: &mut Vec<Diagnostic>,
    ) -> Option<Packages> {
        let mut is_needed = false;
        for module in graph.parsed() {
            is_needed |= module.facts.imports_by_expression;
            let mut seen = BTreeSet::new();
            for import in module.facts.imports.iter().filter(|it| is_package(module, it)) {
                is_needed = true;
                let package = package(&import.request);
                if !self.packages.contains(package) && seen.insert(package) {
                    let shown = self.manifest.as_ref().map(|manifest| display(tree, manifest));
                    let place = import.place.clone();
                    found.push(missing_package::node(
                        &module.source,
                        package,
                        shown.as_deref(),
                        place,
                    ));
                }
            }
        }
        let manifest = self.manifest.as_ref().filter(|_| is_needed)?;
        Some(packages::locked(tree, manifest, NODE_LOCKS, found))
    }
}

fn is_package(module: &Module, import: &Import) -> bool {
    resolve(&module.path, &import.request) == Target::Foreign(ForeignReason::Package)
}

fn parse(tree: &dyn SourceTree, manifest: &Manifest, found: &mut Vec<Diagnostic>) -> Option<Value> {
    let fault = match serde_json::from_str(&manifest.text) {
        Ok(value @ Value::Object(_)) => return Some(value),
        Ok(_) => "a value that is not an object".to_owned(),
        Err(error) => error.to_string(),
    };
    let source = Source::new(display(tree, manifest), manifest.text.clone());
    found.push(missing_package::bad_manifest(&source, &fault));
    None
}

/// The path of a manifest to show: `tools/../package.json` is `package.json`.
fn display(tree: &dyn SourceTree, manifest: &Manifest) -> String {
    let mut steps: Vec<&str> = Vec::new();
    let shown = tree.display(&manifest.path);
    for step in shown.split('/') {
        match (step, steps.last()) {
            ("..", Some(last)) if !["", ".", ".."].contains(last) => {
                steps.pop();
            }
            (step, _) => steps.push(step),
        }
    }
    steps.join("/")
}

#[cfg(test)]
#[path = "node_tests.rs"]
mod tests;
