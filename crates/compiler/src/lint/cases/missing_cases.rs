//! A tool without cases.

use super::case::FILE;
use crate::diagnostic::Diagnostic;
use crate::draft::Draft;
use crate::rule::rule;

rule! {
    /// The tool has no `cases.json`.
    ///
    /// ## Why
    /// Cases are example calls with their expected results: they show what the tool promises.
    /// `aileron test` runs them, and so shows unintended changes.
    ///
    /// ## Example
    /// `tools/kb-search/` with `schema.json`, `guide.md` and `handler.js`.
    ///
    /// ## Fix
    /// Write one case that works, one that the handler refuses, and one for each mode:
    /// `[{ "name": "...", "args": {}, "expect": { "ok": true } }]`.
    MISSING_CASES, "AIL-C005", "missing-cases", Warning
}

pub(crate) fn check(draft: &Draft, found: &mut Vec<Diagnostic>) {
    let path = format!("{}/{FILE}", draft.folder.path);
    if found.iter().any(|finding| finding.source.path == path) {
        // The file exists but could not be read, which is reported separately.
        return;
    }
    found.push(
        Diagnostic::new(&MISSING_CASES, &draft.folder, "tool has no `cases.json`")
            .help("write example calls with their expected results; `aileron test` runs them"),
    );
}
