//! A field holds another type of value.

use aileron_schema::SchemaFault;

use super::field_name::field_name;
use crate::diagnostic::Diagnostic;
use crate::document::Document;
use crate::format;
use crate::rule::rule;

rule! {
    /// A field holds another type of value than it should.
    ///
    /// ## Why
    /// Values are not converted: `"true"` is a string, not a boolean, and a policy would
    /// misread it.
    ///
    /// ## Example
    /// ```json
    /// { "requiresConfirmation": "true" }
    /// ```
    ///
    /// ## Fix
    /// Write a value of the expected type; here, `true` without quotes.
    WRONG_FIELD_TYPE, "AIL-S002", "wrong-field-type", Error
}

pub(crate) fn diagnose(schema: &Document, fault: &SchemaFault<'_>) -> Diagnostic {
    let field = field_name(fault.pointer);
    let shown =
        if field.is_empty() { "schema.json".to_owned() } else { format!("field `{field}`") };
    let finding =
        schema.at_value(&WRONG_FIELD_TYPE, fault.pointer, format!("{shown}: {}", fault.message));
    match format::TOOL.description_of(fault.pointer) {
        Some(meaning) => finding.help(meaning),
        None => finding,
    }
}
