//! The code of a tool: parsed, linked and put into the artifact.

mod complaint;
mod declared;
mod javascript;
mod native;
mod nesting;
mod packages;
mod python;
mod stack;
mod typescript;

use std::collections::BTreeSet;
use std::sync::Arc;

pub use self::packages::is_package_file;

use aileron_contract::Handler;
use aileron_contract::spec::HandlerRuntime;

use crate::diagnostic::Diagnostic;
use crate::document::Document;
use crate::lint::handler::{missing_handler, runtime_mismatch, several_handlers, trusted_code};
use crate::source::Source;
use crate::tree::SourceTree;

/// The file names of handlers.
const NAMES: &[&str] = &["handler.js", "handler.mjs", "handler.ts", "handler.py", "handler.rs"];

/// Compiles the handler of a directory; its faults are added to `found`.
pub(crate) fn compile(
    tree: &dyn SourceTree,
    directory: &str,
    files: &BTreeSet<String>,
    schema: Option<&Document>,
    folder: &Arc<Source>,
    found: &mut Vec<Diagnostic>,
) -> Option<Handler> {
    let present: Vec<&str> = NAMES.iter().copied().filter(|name| files.contains(*name)).collect();
    match present.as_slice() {
        // An unlistable directory was reported already.
        [] if files.is_empty() && tree.entries(directory).is_err() => None,
        [] => {
            found.push(missing_handler::diagnose(folder, files));
            None
        }
        [name] => {
            let declared = schema.and_then(|schema| schema.get("/runtime")?.as_str());
            match runtime_of(name, declared) {
                FileRuntime::Native => native::compile(tree, directory, name, files, found),
                FileRuntime::Declared(runtime) => {
                    compile_script(tree, directory, (name, runtime), schema, found)
                }
                FileRuntime::Mismatch => {
                    found.push(runtime_mismatch::diagnose(folder, schema, name, declared));
                    None
                }
            }
        }
        several => {
            found.push(several_handlers::diagnose(folder, several));
            None
        }
    }
}

fn compile_script(
    tree: &dyn SourceTree,
    directory: &str,
    (name, runtime): (&str, HandlerRuntime),
    schema: Option<&Document>,
    found: &mut Vec<Diagnostic>,
) -> Option<Handler> {
    if runtime != HandlerRuntime::Sandbox
        && let Some(schema) = schema
    {
        found.push(trusted_code::diagnose(schema, runtime.as_str()));
    }
    match runtime {
        HandlerRuntime::Sandbox => javascript::compile(tree, directory, name, schema, found),
        HandlerRuntime::Node => javascript::compile_node(tree, directory, name, schema, found),
        HandlerRuntime::Python => python::compile(tree, directory, name, schema, found),
    }
}

/// Where a handler file runs.
enum FileRuntime {
    Native,
    Declared(HandlerRuntime),
    Mismatch,
}

/// The runtime of a file with the runtime that is declared. One that is no runtime is reported as a
/// fault of the schema, and the file alone decides.
fn runtime_of(name: &str, declared: Option<&str>) -> FileRuntime {
    use HandlerRuntime::{Node, Python, Sandbox};
    let runtimes = [Sandbox, Node, Python];
    let declared = declared.map(|name| runtimes.into_iter().find(|it| it.as_str() == name));
    match (name, declared) {
        ("handler.rs", None | Some(None)) => FileRuntime::Native,
        ("handler.py", Some(Some(Python) | None)) => FileRuntime::Declared(Python),
        ("handler.mjs", Some(Some(Node) | None)) => FileRuntime::Declared(Node),
        ("handler.js" | "handler.ts", Some(Some(Node))) => FileRuntime::Declared(Node),
        ("handler.js" | "handler.ts", None | Some(Some(Sandbox) | None)) => {
            FileRuntime::Declared(Sandbox)
        }
        _ => FileRuntime::Mismatch,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod case;

#[cfg(test)]
#[path = "handler_tests.rs"]
mod tests;
