//! The documentation of a tool, in either of its two forms.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::diagnostic::Diagnostic;
use crate::source::Source;
use crate::tree::Tree;

/// What a model reads about a tool.
#[derive(Debug)]
pub struct Documentation {
    pub source: Arc<Source>,
    pub summary: String,
    pub text: String,
}

pub(crate) fn read(
    tree: &dyn Tree,
    directory: &str,
    files: &BTreeSet<String>,
    folder: &Arc<Source>,
    found: &mut Vec<Diagnostic>,
) -> Option<Documentation> {
    let _ = (tree, directory, files, folder, found);
    None
}
