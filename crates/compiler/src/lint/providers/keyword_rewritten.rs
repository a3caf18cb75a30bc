//! A keyword that a target has other words for.

use super::at;
use crate::declare::Loss;
use crate::diagnostic::Diagnostic;
use crate::document::Document;
use crate::rule::rule;

rule! {
    /// A target's declaration says a keyword in other words.
    ///
    /// ## Why
    /// Some of what one provider calls one thing, another calls something else: Gemini's
    /// native form says `const` as an `enum` of one value and `null` as `nullable`; it takes no
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
    at(schema, &KEYWORD_REWRITTEN, loss)
}
