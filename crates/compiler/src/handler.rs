//! The code of a tool: parsed, linked and put into the artifact.

mod complaint;
mod javascript;
mod native;
mod nesting;
mod stack;
mod typescript;

use std::collections::BTreeSet;
use std::sync::Arc;

use aileron_contract::Handler;

use crate::diagnostic::Diagnostic;
use crate::document::Document;
use crate::lint::handler::{missing_handler, several_handlers};
use crate::source::Source;
use crate::tree::SourceTree;

/// The file names of handlers.
const NAMES: &[&str] = &["handler.js", "handler.ts", "handler.rs"];

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
        ["handler.rs"] => native::compile(tree, directory, "handler.rs", files, found),
        [name] => javascript::compile(tree, directory, name, schema, found),
        several => {
            found.push(several_handlers::diagnose(folder, several));
            None
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod case;

#[cfg(test)]
#[path = "handler_tests.rs"]
mod tests;
