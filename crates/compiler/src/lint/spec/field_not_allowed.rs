//! A field whose value is not one of those allowed.

use aileron_schema::SchemaFault;
use serde_json::Value;

use super::field_name::field_name;
use crate::diagnostic::Diagnostic;
use crate::document::Document;
use crate::rule::rule;
use crate::suggest;

rule! {
    /// A field's value is not one of those allowed.
    ///
    /// ## Why
    /// Policies decide by these values, and cannot handle an unknown one.
    ///
    /// ## Example
    /// ```json
    /// { "sideEffects": "read-only" }
    /// ```
    ///
    /// ## Fix
    /// Choose one of the values in the message.
    FIELD_NOT_ALLOWED, "AIL-S004", "field-not-allowed", Error
}

pub(crate) fn diagnose(
    schema: &Document,
    fault: &SchemaFault<'_>,
    options: &[Value],
) -> Diagnostic {
    let message = format!("field `{}`: {}", field_name(fault.pointer), fault.message);
    let finding = schema.at_value(&FIELD_NOT_ALLOWED, fault.pointer, message);
    let known: Vec<_> = options.iter().filter_map(Value::as_str).collect();
    let written = schema.get(fault.pointer).and_then(Value::as_str);
    match written.and_then(|written| suggest::did_you_mean(written, &known)) {
        Some(help) => finding.help(help),
        None => finding.help("choose one of the values that are allowed"),
    }
}
