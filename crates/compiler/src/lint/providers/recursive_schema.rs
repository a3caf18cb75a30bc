//! A recursive schema.

use super::loss_finding::diagnose_at;
use crate::declare::Loss;
use crate::diagnostic::Diagnostic;
use crate::document::Document;
use crate::rule::rule;

rule! {
    /// A schema refers to itself, and a target's declaration is cut there.
    ///
    /// ## Why
    /// Gemini's native form takes no `$ref`: definitions are written out, and one that holds itself
    /// would never end. Gemini's JSON Schema form takes such a `$ref` only inside of a property
    /// that is not required. Where it is cut, the description says that the value
    /// "has the same form as" the one around it, and the model may fill in the deeper levels less
    /// well.
    ///
    /// ## Example
    /// ```json
    /// { "Node": { "type": "object",
    ///   "properties": { "children": { "type": "array", "items": { "$ref": "#/$defs/Node" } } } } }
    /// ```
    ///
    /// ## Fix
    /// Write out the levels that are really used, or give a flat list whose entries name
    /// their parent.
    RECURSIVE_SCHEMA, "AIL-P004", "recursive-schema", Warning
}

pub(crate) fn diagnose(schema: &Document, loss: &Loss) -> Diagnostic {
    diagnose_at(schema, &RECURSIVE_SCHEMA, loss).help(
        "write out the levels that are used, or use a flat list whose entries name their parent",
    )
}
