//! A capability that is declared but not used.

use crate::diagnostic::Diagnostic;
use crate::document::Document;
use crate::rule::rule;

rule! {
    /// `schema.json` declares a capability that the handler does not use.
    ///
    /// ## Why
    /// A reviewer reads `capabilities` as the permissions of the tool. An unused capability
    /// widens them without need. The compiler reports it only when it
    /// sees every use: a handler that passes its `context` on is not reported.
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
