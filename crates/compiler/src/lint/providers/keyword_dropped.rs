//! A keyword that a target does not have.

use super::loss_finding::diagnose_at;
use crate::declare::Loss;
use crate::diagnostic::Diagnostic;
use crate::document::Document;
use crate::rule::rule;

rule! {
    /// A target's declaration leaves a keyword out.
    ///
    /// ## Why
    /// Each provider supports a different part of JSON Schema, and most reject a request with an
    /// unknown keyword. The compiler leaves it out and, where that helps the model, states the
    /// rule in the description: "Items must all be different." The runtime validates every
    /// call against the full schema, so no invalid call gets through; the model only learns of
    /// the rule from the error of a call that breaks it.
    ///
    /// ## Example
    /// ```json
    /// { "tags": { "type": "array", "items": { "type": "string" }, "uniqueItems": true } }
    /// ```
    /// "Gemini native drops `uniqueItems` at /properties/tags"
    ///
    /// ## Fix
    /// Nothing needs to be done. If the model breaks the rule often, state it in the
    /// property's `description` in your own words, or leave the target out of the build.
    KEYWORD_DROPPED, "AIL-P001", "keyword-dropped", Note
}

pub(crate) fn diagnose(schema: &Document, loss: &Loss) -> Diagnostic {
    diagnose_at(schema, &KEYWORD_DROPPED, loss)
        .help("nothing to do: the runtime validates every call against the full schema")
}
