//! Both forms of documentation side by side.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::diagnostic::Diagnostic;
use crate::docs::{DOC, DOC_SUMMARY, GUIDE};
use crate::rule::rule;
use crate::source::Source;

rule! {
    /// The tool is documented in both forms.
    ///
    /// ## Why
    /// A tool has `guide.md`, or `doc_summary.md` and `doc.md`. With both, two texts say what
    /// the tool does, only one of them reaches the model, and the other goes stale unseen.
    ///
    /// ## Example
    /// ```text
    /// tools/kb-search/
    ///   guide.md
    ///   doc.md
    /// ```
    ///
    /// ## Fix
    /// Keep `guide.md` and delete the other two, or the other way round.
    MIXED_FORMS, "AIL-D002", "mixed-forms", Error
}

pub(crate) fn check(folder: &Arc<Source>, files: &BTreeSet<String>, found: &mut Vec<Diagnostic>) {
    let older: Vec<_> = [DOC_SUMMARY, DOC].into_iter().filter(|n| files.contains(*n)).collect();
    if !files.contains(GUIDE) || older.is_empty() {
        return;
    }
    let older = older.join("` and `");
    let message = format!("expected one form of documentation, found `guide.md` beside `{older}`");
    let help = format!("keep `guide.md` and delete `{older}`, or the other way round");
    found.push(Diagnostic::new(&MIXED_FORMS, folder, message).help(help));
}
