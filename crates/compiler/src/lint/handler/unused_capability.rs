//! A capability that is declared but not used.

use crate::diagnostic::Diagnostic;
use crate::document::Document;
use crate::rule::rule;

rule! {
    /// `schema.json` declares a capability that the handler does not use.
    ///
    /// ## Why
    /// Whoever reviews a tool reads `capabilities` as what it can do. One that is not used
    /// widens what the tool may do for nothing. The compiler says so only when it
    /// sees every use: a handler that hands its `context` on is left alone.
    ///
    /// ## Example
    /// `"capabilities": ["kb", "messaging"]` for a handler that only searches.
    ///
    /// ## Fix
    /// Remove it from `capabilities`.
    UNUSED_CAPABILITY, "AIL-H014", "unused-capability", Note
}

pub(crate) fn diagnose(schema: &Document, pointer: &str, capability: &str) -> Diagnostic {
    let message = format!("capability `{capability}` is declared, the handler does not use it");
    schema.at_value(&UNUSED_CAPABILITY, pointer, message).help("remove it from `capabilities`")
}
