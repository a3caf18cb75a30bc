//! A retrieval tool that changes something.

use crate::diagnostic::Diagnostic;
use crate::document::Document;
use crate::rule::rule;

rule! {
    /// A retrieval tool writes.
    ///
    /// ## Why
    /// Retrieval tools run side by side, are retried and have the larger budget, because they
    /// change nothing. One that writes would do so several times.
    ///
    /// ## Example
    /// ```json
    /// { "category": "retrieval", "sideEffects": "writes" }
    /// ```
    ///
    /// ## Fix
    /// Set `category` to `action`, or let the tool only read.
    RETRIEVAL_WRITES, "AIL-S011", "retrieval-writes", Error
}

pub(crate) fn check(schema: &Document, found: &mut Vec<Diagnostic>) {
    let is = |pointer, value: &str| schema.get(pointer).is_some_and(|found| found == value);
    if is("/category", "retrieval") && is("/sideEffects", "writes") {
        let message = "a retrieval tool must not write, found `sideEffects: \"writes\"`";
        let help = "set `category` to \"action\", or let the tool only read";
        found.push(schema.at_value(&RETRIEVAL_WRITES, "/sideEffects", message).help(help));
    }
}
