//! The fields of `schema.json`: `AIL-S`.
//!
//! The format's JSON Schema finds the faults; each is assigned to a rule. `AIL-A` checks the
//! contents of `parameters` and `returns`.

use aileron_contract::{ToolId, ToolSpec};
use aileron_schema::{FaultKind, SchemaFault};
use serde_json::Value;

use crate::diagnostic::Diagnostic;
use crate::document::Document;
use crate::format;
use crate::rule::Rule;

pub(crate) mod bad_tool_id;
pub(crate) mod bad_version;
mod field_name;
pub(crate) mod field_not_allowed;
pub(crate) mod field_out_of_bounds;
pub(crate) mod missing_field;
pub(crate) mod retrieval_not_idempotent;
pub(crate) mod retrieval_writes;
pub(crate) mod tool_id_mismatch;
pub(crate) mod unknown_capability;
pub(crate) mod unknown_field;
pub(crate) mod wrong_field_type;

pub(crate) const RULES: &[&Rule] = &[
    &missing_field::MISSING_FIELD,
    &wrong_field_type::WRONG_FIELD_TYPE,
    &unknown_field::UNKNOWN_FIELD,
    &field_not_allowed::FIELD_NOT_ALLOWED,
    &field_out_of_bounds::FIELD_OUT_OF_BOUNDS,
    &bad_version::BAD_VERSION,
    &bad_tool_id::BAD_TOOL_ID,
    &unknown_capability::UNKNOWN_CAPABILITY,
    &tool_id_mismatch::TOOL_ID_MISMATCH,
    &retrieval_not_idempotent::RETRIEVAL_NOT_IDEMPOTENT,
    &retrieval_writes::RETRIEVAL_WRITES,
];

/// Checks every field and returns the typed contract if all are valid.
pub(crate) fn check(
    schema: &Document,
    expected: Option<&ToolId>,
    found: &mut Vec<Diagnostic>,
) -> Option<ToolSpec> {
    let faults = format::TOOL.faults(&schema.value);
    let own = faults.iter().filter(|fault| !belongs_to_schema(fault));
    own.for_each(|fault| diagnose(schema, &fault, found));
    tool_id_mismatch::check(schema, expected, found);
    retrieval_not_idempotent::check(schema, found);
    retrieval_writes::check(schema, found);
    if faults.iter().any(|fault| !belongs_to_schema(&fault)) {
        return None;
    }
    typed(schema, found)
}

fn belongs_to_schema(fault: &SchemaFault<'_>) -> bool {
    ["/parameters", "/returns"].iter().any(|root| fault.pointer.starts_with(root))
}

fn diagnose(schema: &Document, fault: &SchemaFault<'_>, found: &mut Vec<Diagnostic>) {
    let field = fault.pointer;
    found.push(match fault.kind {
        FaultKind::Unexpected { properties } => {
            let unknown = properties.iter();
            found.extend(unknown.map(|name| unknown_field::diagnose(schema, fault, name)));
            return;
        }
        FaultKind::Missing { property } => missing_field::diagnose(schema, field, property),
        FaultKind::WrongType => wrong_field_type::diagnose(schema, fault),
        _ if field.starts_with("/capabilities/") => unknown_capability::diagnose(schema, field),
        FaultKind::NotAllowed { options } => field_not_allowed::diagnose(schema, fault, options),
        FaultKind::Other if field == "/version" => bad_version::diagnose(schema),
        FaultKind::Other if field == "/toolId" => bad_tool_id::diagnose(schema),
        FaultKind::Other => field_out_of_bounds::diagnose(schema, fault),
    });
}

/// Every valid file converts to the contract, except for a version that only looks like one.
fn typed(schema: &Document, found: &mut Vec<Diagnostic>) -> Option<ToolSpec> {
    let mut value = schema.value.clone();
    if let Value::Object(fields) = &mut value {
        fields.remove("$schema");
    }
    let spec = serde_json::from_value(value);
    if spec.is_err() {
        found.push(bad_version::diagnose(schema));
    }
    spec.ok()
}

#[cfg(test)]
#[path = "spec_tests.rs"]
mod tests;
