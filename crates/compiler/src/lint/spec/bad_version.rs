//! A version that is not a semantic version.

use crate::diagnostic::Diagnostic;
use crate::document::Document;
use crate::rule::rule;

rule! {
    /// The version is not a semantic version.
    ///
    /// ## Why
    /// A change to a tool asks for a step of its version, and the compiler checks that the step
    /// was taken. That needs three numbers: major, minor, patch.
    ///
    /// ## Example
    /// ```json
    /// { "version": "v1.2" }
    /// ```
    ///
    /// ## Fix
    /// Write `major.minor.patch`: `1.2.0`.
    BAD_VERSION, "AIL-S006", "bad-version", Error
}

pub(crate) fn diagnose(schema: &Document) -> Diagnostic {
    let written = schema.get("/version").map(ToString::to_string).unwrap_or_default();
    let message =
        format!("field `version`: expected a semantic version such as 1.2.0, found {written}");
    schema
        .at_value(&BAD_VERSION, "/version", message)
        .help("write three numbers: major.minor.patch")
}
