//! A file that is not JSON.

use std::sync::Arc;

use serde_json::Error;

use super::nested_too_deep::NESTED_TOO_DEEP;
use crate::diagnostic::Diagnostic;
use crate::rule::rule;
use crate::source::Source;

rule! {
    /// The file is not JSON.
    ///
    /// ## Why
    /// `schema.json` and `cases.json` are read as plain JSON (RFC 8259): no comments, no
    /// trailing commas, double quotes only. A file that only some parsers read is a file
    /// that two machines may read differently.
    ///
    /// ## Example
    /// ```json
    /// { "toolId": "kb_search", }
    /// ```
    ///
    /// ## Fix
    /// Correct the text at the caret; here, remove the comma before the brace.
    JSON_SYNTAX, "AIL-J001", "json-syntax", Error
}

/// Turns a parser's error into a finding.
pub(crate) fn diagnose(source: &Arc<Source>, error: &Error) -> Diagnostic {
    let text = error.to_string();
    let reason = text.split(" at line ").next().unwrap_or(&text);
    let place = source.point_span(error.line(), error.column());
    if reason.starts_with("recursion limit") {
        return Diagnostic::new(&NESTED_TOO_DEEP, source, "JSON is nested deeper than 127 levels")
            .at(place)
            .help("flatten the structure, or move repeated parts to `$defs`");
    }
    Diagnostic::new(&JSON_SYNTAX, source, format!("expected JSON: {reason}")).at(place)
}
