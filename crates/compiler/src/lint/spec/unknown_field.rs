//! A field that the format does not have.

use aileron_schema::SchemaFault;

use super::field_name::field_name;
use crate::diagnostic::Diagnostic;
use crate::document::{Document, join};
use crate::format;
use crate::rule::rule;
use crate::suggest;

rule! {
    /// A field that the format does not have.
    ///
    /// ## Why
    /// A misspelt field would be ignored: `requireConfirmation` would let every call through
    /// without approval. An unknown name is therefore an error.
    ///
    /// ## Example
    /// ```json
    /// { "requireConfirmation": true }
    /// ```
    ///
    /// ## Fix
    /// Correct the name or remove the field. `aileron schema` prints all of them.
    UNKNOWN_FIELD, "AIL-S003", "unknown-field", Error
}

pub(crate) fn diagnose(schema: &Document, fault: &SchemaFault<'_>, property: &str) -> Diagnostic {
    let known = format::TOOL.names_at(fault.schema_pointer);
    let help = suggest::did_you_mean(property, &known)
        .unwrap_or_else(|| format!("known here: {}", known.join(", ")));
    let message = format!("unknown field `{}`", field_name(&join(fault.pointer, property)));
    schema.at_key(&UNKNOWN_FIELD, &join(fault.pointer, property), message).help(help)
}
