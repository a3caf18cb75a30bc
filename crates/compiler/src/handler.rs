//! The code of a tool: parsed, linked and carried.

use std::collections::BTreeSet;
use std::sync::Arc;

use aileron_contract::Handler;

use crate::diagnostic::Diagnostic;
use crate::document::Document;
use crate::source::Source;
use crate::tree::Tree;

pub(crate) fn compile(
    tree: &dyn Tree,
    directory: &str,
    files: &BTreeSet<String>,
    schema: Option<&Document>,
    folder: &Arc<Source>,
    found: &mut Vec<Diagnostic>,
) -> Option<Handler> {
    let _ = (tree, directory, files, schema, folder, found);
    None
}
