//! A field whose value has the right type and the wrong size or form.

use aileron_schema::SchemaFault;

use super::field_name::field_name;
use crate::diagnostic::Diagnostic;
use crate::document::Document;
use crate::format;
use crate::rule::rule;

rule! {
    /// A field's value is too small, too large, too long or not of the right form.
    ///
    /// ## Why
    /// A latency budget of zero, an empty list of modes or a window of no length cannot be
    /// kept by any policy.
    ///
    /// ## Example
    /// ```json
    /// { "latencyBudgetMs": 0, "allowedModes": [] }
    /// ```
    ///
    /// ## Fix
    /// Write a value within the bounds that the message names.
    FIELD_OUT_OF_BOUNDS, "AIL-S005", "field-out-of-bounds", Error
}

pub(crate) fn diagnose(schema: &Document, fault: &SchemaFault<'_>) -> Diagnostic {
    let message = format!("field `{}`: {}", field_name(fault.pointer), fault.message);
    let finding = schema.at_value(&FIELD_OUT_OF_BOUNDS, fault.pointer, message);
    match format::TOOL.description_of(fault.pointer) {
        Some(meaning) => finding.help(meaning),
        None => finding,
    }
}
