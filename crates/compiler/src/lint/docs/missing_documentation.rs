//! A tool without documentation.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::diagnostic::Diagnostic;
use crate::docs::{DOC, DOC_SUMMARY, GUIDE};
use crate::rule::rule;
use crate::source::Source;
use crate::suggest;

rule! {
    /// The tool has no documentation.
    ///
    /// ## Why
    /// The schema describes the arguments. The documentation tells the model when to call the
    /// tool, which result to expect and which mistakes to avoid; the agent's instructions
    /// are composed from it. A tool without it is called at the wrong time or not at all.
    ///
    /// ## Example
    /// ```text
    /// tools/kb-search/
    ///   schema.json
    ///   handler.js
    /// ```
    ///
    /// ## Fix
    /// Write `guide.md`: `# kb_search`, one paragraph of at most 250 characters, then
    /// `## Parameters`, `## Examples` and `## Watch Out`.
    MISSING_DOCUMENTATION, "AIL-D001", "missing-documentation", Error
}

pub(crate) fn check(folder: &Arc<Source>, files: &BTreeSet<String>, found: &mut Vec<Diagnostic>) {
    if [GUIDE, DOC, DOC_SUMMARY].iter().any(|name| files.contains(*name)) {
        return;
    }
    let message = "directory has no documentation: expected `guide.md`";
    found.push(Diagnostic::new(&MISSING_DOCUMENTATION, folder, message).help(help(files)));
}

fn help(files: &BTreeSet<String>) -> String {
    let written = files.iter().map(String::as_str).filter(|name| !name.starts_with("README"));
    let markdown = written.filter(|name| name.to_lowercase().ends_with(".md"));
    match suggest::closest(GUIDE, markdown) {
        Some(name) => format!("rename `{name}` to `guide.md`"),
        None => "write `guide.md`: the tool's id as title, a summary, parameters and examples"
            .to_owned(),
    }
}
