//! An example that is not JSON.

use std::sync::Arc;

use crate::diagnostic::Diagnostic;
use crate::rule::rule;
use crate::source::{Source, Span};

rule! {
    /// A `json` block under Examples is not JSON.
    ///
    /// ## Why
    /// Models copy examples. Every fenced `json` block under an Examples heading is an argument
    /// object; one that does not parse teaches the model calls that fail.
    ///
    /// ## Example
    /// ````markdown
    /// ## Examples
    ///
    /// ```json
    /// { "query": "lighting lead", }
    /// ```
    /// ````
    ///
    /// ## Fix
    /// Correct the JSON at the caret. For anything that is no argument object, such as a
    /// response or an abridged call, use another fence: `jsonc` or `text`.
    EXAMPLE_NOT_JSON, "AIL-D008", "example-not-json", Error
}

/// The block is faulty at that place, for that reason.
pub(crate) fn diagnose(source: &Arc<Source>, place: Span, reason: &str) -> Diagnostic {
    Diagnostic::new(&EXAMPLE_NOT_JSON, source, format!("example cannot be read: {reason}"))
        .at(place)
        .help("correct it, or fence a block that is no argument object as `jsonc` or `text`")
}
