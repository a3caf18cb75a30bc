//! A keyword that a target expresses differently.

use super::loss_finding::diagnose_at;
use crate::declare::Loss;
use crate::diagnostic::Diagnostic;
use crate::document::Document;
use crate::rule::rule;

rule! {
    /// A target's declaration expresses a keyword in another way.
    ///
    /// ## Why
    /// Providers express some keywords differently: Gemini's native form writes
    /// `const` as an `enum` of one value and `null` as `nullable`; it supports no
    /// `$ref`, so definitions are written out where they are used, which costs tokens.
    /// OpenAI's strict form makes optional properties required and nullable. The meaning
    /// stays, or widens where it must: `oneOf` becomes `anyOf`.
    ///
    /// ## Example
    /// ```json
    /// { "limit": { "type": ["integer", "null"] } }
    /// ```
    /// "Gemini native says `type` at /properties/limit as `nullable`"
    ///
    /// ## Fix
    /// Nothing needs to be done. Writing the schema without the keyword makes every target
    /// see the same words.
    KEYWORD_REWRITTEN, "AIL-P002", "keyword-rewritten", Note
}

pub(crate) fn diagnose(schema: &Document, loss: &Loss) -> Diagnostic {
    diagnose_at(schema, &KEYWORD_REWRITTEN, loss)
}
