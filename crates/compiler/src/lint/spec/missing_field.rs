//! A required field is missing.

use super::field_name::field_name;
use crate::diagnostic::Diagnostic;
use crate::document::{Document, join};
use crate::format;
use crate::rule::rule;

rule! {
    /// A required field is missing.
    ///
    /// ## Why
    /// Policies need these fields: whether a tool writes, in which modes it may be called, how
    /// long it may take. They have no defaults, so that the author decides each of them.
    ///
    /// ## Example
    /// ```json
    /// { "toolId": "kb_search", "version": "1.0.0" }
    /// ```
    ///
    /// ## Fix
    /// Add the field. `aileron schema` prints all of them with their meaning.
    MISSING_FIELD, "AIL-S001", "missing-field", Error
}

pub(crate) fn diagnose(schema: &Document, pointer: &str, property: &str) -> Diagnostic {
    let place = field_name(pointer);
    let shown =
        if place.is_empty() { format!("`{property}`") } else { format!("`{place}.{property}`") };
    let finding = schema.at_key(&MISSING_FIELD, pointer, format!("field {shown} is missing"));
    let meaning = format::TOOL.description_of(&join(pointer, property));
    finding.pointer(join(pointer, property)).help(match meaning {
        Some(meaning) => format!("add it: {meaning}"),
        None => "add it".to_owned(),
    })
}
