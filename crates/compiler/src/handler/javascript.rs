//! JavaScript and TypeScript handlers: ES modules, linked at build time and stored completely.

mod capabilities;
mod context;
mod exports;
mod facts;
mod file;
mod globals;
mod graph;
mod link;
mod module;
mod nearest;
mod parse;
mod redeclared;
mod resolve;
mod survey;
mod value;

use std::collections::BTreeMap;

use aileron_contract::Handler;
use aileron_contract::artifact::code_hash;

use self::graph::Graph;
use crate::diagnostic::Diagnostic;
use crate::document::Document;
use crate::rule::Severity;
use crate::tree::SourceTree;

/// Compiles the handler `name` of a directory.
pub(super) fn compile(
    tree: &dyn SourceTree,
    directory: &str,
    name: &str,
    schema: Option<&Document>,
    found: &mut Vec<Diagnostic>,
) -> Option<Handler> {
    let before = found.len();
    let graph = graph::load(tree, &format!("{directory}/{name}"), found);
    link::check_names(&graph, found);
    link::check_execute(&graph, found);
    capabilities::check(&graph, directory, schema, found);
    let failed = found.iter().skip(before).any(|finding| finding.severity == Severity::Error);
    if failed { None } else { Some(carry(graph)) }
}

fn carry(graph: Graph) -> Handler {
    let modules: BTreeMap<String, String> =
        graph.modules.into_iter().filter_map(|(path, module)| Some((path, module?.code))).collect();
    let hash = code_hash(&graph.entry, &modules);
    Handler::Javascript { entry: graph.entry, modules, hash }
}

#[cfg(test)]
#[path = "javascript_tests.rs"]
mod tests;
