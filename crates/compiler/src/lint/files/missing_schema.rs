//! A tool directory without its contract.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::diagnostic::Diagnostic;
use crate::rule::rule;
use crate::source::Source;

rule! {
    /// The directory has no `schema.json`.
    ///
    /// ## Why
    /// Every directory in the tools folder is a tool, and a tool without a contract cannot
    /// be declared, validated or guarded.
    ///
    /// ## Example
    /// `tools/kb-search/` with nothing but `handler.js`.
    ///
    /// ## Fix
    /// Write `schema.json` (`aileron new` makes a whole tool), or start the directory's name
    /// with `_` if it holds shared code.
    MISSING_SCHEMA, "AIL-F011", "missing-schema", Error
}

pub(crate) fn check(folder: &Arc<Source>, files: &BTreeSet<String>, found: &mut Vec<Diagnostic>) {
    if files.contains("schema.json") {
        return;
    }
    let message = "directory has no `schema.json`";
    let help = "write one (`aileron new` makes a whole tool), or start the directory's name with `_` if it is no tool";
    found.push(Diagnostic::new(&MISSING_SCHEMA, folder, message).help(help));
}
