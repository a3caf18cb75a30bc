//! A retrieval tool that may not be repeated.

use crate::diagnostic::Diagnostic;
use crate::document::Document;
use crate::rule::rule;

rule! {
    /// A retrieval tool is not idempotent.
    ///
    /// ## Why
    /// Retrieval calls are retried, run in parallel with other calls, and run again after a
    /// crash. That is safe only for a tool that may be called twice.
    ///
    /// ## Example
    /// ```json
    /// { "category": "retrieval", "idempotent": false }
    /// ```
    ///
    /// ## Fix
    /// Set `idempotent` to `true`, or choose another category.
    RETRIEVAL_NOT_IDEMPOTENT, "AIL-S010", "retrieval-not-idempotent", Error
}

pub(crate) fn check(schema: &Document, found: &mut Vec<Diagnostic>) {
    let retrieval = schema.get("/category").is_some_and(|category| category == "retrieval");
    let repeatable = schema.get("/idempotent").is_none_or(|flag| flag != false);
    if retrieval && !repeatable {
        let message = "a retrieval tool must be idempotent, found `idempotent: false`";
        let help = "set `idempotent` to true, or choose another category";
        found.push(schema.at_value(&RETRIEVAL_NOT_IDEMPOTENT, "/idempotent", message).help(help));
    }
}
