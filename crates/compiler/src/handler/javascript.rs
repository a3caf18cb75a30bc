//! JavaScript and TypeScript handlers: ES modules, linked at build time and stored completely.

mod announcements;
mod capabilities;
mod context;
mod exports;
mod facts;
mod file;
mod globals;
mod graph;
mod link;
mod messages;
mod module;
mod nearest;
mod node;
mod parse;
mod redeclared;
mod resolve;
mod survey;
mod value;

use std::collections::BTreeMap;

use aileron_contract::Handler;
use aileron_contract::artifact::{WorkerCode, code_hash};

use self::file::ModuleHost;
use self::graph::Graph;
use self::node::NodeProject;
use crate::diagnostic::Diagnostic;
use crate::document::Document;
use crate::rule::Severity;
use crate::tree::SourceTree;

/// Compiles the handler `name` of a directory, for the sandbox.
pub(super) fn compile(
    tree: &dyn SourceTree,
    directory: &str,
    name: &str,
    schema: Option<&Document>,
    found: &mut Vec<Diagnostic>,
) -> Option<Handler> {
    let before = found.len();
    let graph = graph::load(tree, &format!("{directory}/{name}"), ModuleHost::Sandbox, found);
    link::check_names(&graph, found);
    link::check_execute(&graph, found);
    capabilities::check(&graph, directory, schema, found);
    announcements::check(&graph, directory, found);
    if has_errors(found, before) {
        return None;
    }
    let (entry, modules) = carry(graph);
    let hash = code_hash(&entry, &modules);
    Some(Handler::Javascript { entry, modules, hash })
}

/// Compiles the handler `name` of a directory, for a Node.js worker.
pub(super) fn compile_node(
    tree: &dyn SourceTree,
    directory: &str,
    name: &str,
    schema: Option<&Document>,
    found: &mut Vec<Diagnostic>,
) -> Option<Handler> {
    let before = found.len();
    let project = NodeProject::find(tree, directory, found);
    let host = ModuleHost::Node(project.js_files());
    let graph = graph::load(tree, &format!("{directory}/{name}"), host, found);
    link::check_names(&graph, found);
    link::check_execute(&graph, found);
    capabilities::check(&graph, directory, schema, found);
    announcements::check(&graph, directory, found);
    let packages = project.check(tree, &graph, found);
    if has_errors(found, before) {
        return None;
    }
    let (entry, modules) = carry(graph);
    Some(Handler::Node(WorkerCode::new(entry, modules, packages)))
}

fn has_errors(found: &[Diagnostic], before: usize) -> bool {
    found.iter().skip(before).any(|finding| finding.severity == Severity::Error)
}

/// The entry and the text of every module.
fn carry(graph: Graph) -> (String, BTreeMap<String, String>) {
    let modules = graph.modules.into_iter();
    let modules = modules.filter_map(|(path, module)| Some((path, module?.code))).collect();
    (graph.entry, modules)
}

#[cfg(test)]
#[path = "javascript_tests.rs"]
mod tests;
