//! The same key twice in one object.

use std::sync::Arc;

use crate::diagnostic::Diagnostic;
use crate::rule::rule;
use crate::source::{Source, Span};

rule! {
    /// The same key occurs twice in one object.
    ///
    /// ## Why
    /// JSON parsers disagree on which of the two counts, and most drop one in silence.
    /// A tool with two values of `requiresConfirmation` would need approval or not, depending
    /// on the parser.
    ///
    /// ## Example
    /// ```json
    /// { "idempotent": true, "idempotent": false }
    /// ```
    ///
    /// ## Fix
    /// Keep one of the two.
    DUPLICATE_KEY, "AIL-J002", "duplicate-key", Error
}

/// A key at `place` repeats the one on `first_line`.
pub(crate) fn diagnose(
    source: &Arc<Source>,
    pointer: &str,
    name: &str,
    first_line: usize,
    place: Span,
) -> Diagnostic {
    Diagnostic::new(
        &DUPLICATE_KEY,
        source,
        format!("key `{name}` stands twice, first on line {first_line}"),
    )
    .at(place)
    .pointer(pointer)
    .help("keep one of the two")
}
