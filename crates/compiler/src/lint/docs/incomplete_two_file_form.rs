//! One half of the two-file form.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::diagnostic::Diagnostic;
use crate::docs::{DOC, DOC_SUMMARY, GUIDE};
use crate::rule::rule;
use crate::source::Source;

rule! {
    /// One of `doc_summary.md` and `doc.md` is missing.
    ///
    /// ## Why
    /// In the two-file form the summary goes into every prompt and the full text is given when
    /// it fits or is asked for. One without the other leaves a model with half of it.
    ///
    /// ## Example
    /// ```text
    /// tools/ignore-user/
    ///   doc.md
    /// ```
    ///
    /// ## Fix
    /// Write the other file, or move everything to `guide.md`.
    INCOMPLETE_TWO_FILE_FORM, "AIL-D003", "incomplete-two-file-form", Error
}

pub(crate) fn check(folder: &Arc<Source>, files: &BTreeSet<String>, found: &mut Vec<Diagnostic>) {
    let (missing, present) = match (files.contains(DOC_SUMMARY), files.contains(DOC)) {
        (true, false) => (DOC, DOC_SUMMARY),
        (false, true) => (DOC_SUMMARY, DOC),
        _ => return,
    };
    if files.contains(GUIDE) {
        return;
    }
    let message = format!("`{missing}` is missing beside `{present}`");
    let help = format!("write `{missing}`, or move everything to `guide.md`");
    found.push(Diagnostic::new(&INCOMPLETE_TWO_FILE_FORM, folder, message).help(help));
}
