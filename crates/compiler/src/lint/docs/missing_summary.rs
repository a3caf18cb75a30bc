//! Documentation without a summary.

use std::sync::Arc;

use crate::diagnostic::Diagnostic;
use crate::docs::GUIDE;
use crate::rule::rule;
use crate::source::Source;

rule! {
    /// The documentation has no summary.
    ///
    /// ## Why
    /// When the full guides do not fit a prompt, the summaries stand in for them. A tool
    /// without a summary would be a bare name in a list.
    ///
    /// ## Example
    /// ```markdown
    /// # kb_search
    ///
    /// ## Parameters
    /// ```
    ///
    /// ## Fix
    /// Write a paragraph of at most 250 characters right below the title, before any list,
    /// table, code or heading; in the two-file form, write it into `doc_summary.md`.
    MISSING_SUMMARY, "AIL-D005", "missing-summary", Error
}

pub(crate) fn diagnose(source: &Arc<Source>) -> Diagnostic {
    let message = if source.path.ends_with(GUIDE) {
        "expected a paragraph right below the title, found none"
    } else {
        "expected a summary, found an empty file"
    };
    Diagnostic::new(&MISSING_SUMMARY, source, message)
        .help("say in at most 250 characters what the tool does and when to call it")
}
