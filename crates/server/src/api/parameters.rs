//! The query parameters of the operations, with their schemas.

use schemars::SchemaGenerator;
use serde_json::{Value, json};

use super::{audit, confirmations, request, schema, tasks, turn_records};
use crate::metrics::MAX_MINUTES;

pub(super) fn no_query(_: &mut SchemaGenerator) -> Vec<(&'static str, Value)> {
    Vec::new()
}

pub(super) fn tail(_: &mut SchemaGenerator) -> Vec<(&'static str, Value)> {
    vec![
        ("before", json!({ "type": "integer", "minimum": 1, "maximum": request::MAX_EXACT })),
        ("limit", json!({ "type": "integer", "minimum": 1, "maximum": 200 })),
    ]
}

pub(super) fn conversation_page(_: &mut SchemaGenerator) -> Vec<(&'static str, Value)> {
    vec![
        ("after", json!({ "type": "string", "pattern": "^[0-9]{1,15}\\.[!-~]{1,200}$" })),
        ("limit", json!({ "type": "integer", "minimum": 1, "maximum": 100 })),
        ("all", json!({ "type": "boolean" })),
    ]
}

pub(super) fn task_page(generator: &mut SchemaGenerator) -> Vec<(&'static str, Value)> {
    vec![
        ("state", json!({ "type": "string", "enum": ["running", "ended"] })),
        ("conversation", schema::opaque_id(generator).to_value()),
        ("all", json!({ "type": "boolean" })),
        ("after", json!({ "type": "string", "pattern": "^[0-9]{1,15}\\.[!-~]{1,200}$" })),
        ("limit", json!({ "type": "integer", "minimum": 1, "maximum": tasks::MAX_PAGE })),
    ]
}

pub(super) fn confirmation_page(generator: &mut SchemaGenerator) -> Vec<(&'static str, Value)> {
    vec![
        ("state", json!({ "type": "string", "enum": ["open", "decided"] })),
        ("conversation", schema::opaque_id(generator).to_value()),
        ("before", json!({ "type": "integer", "minimum": 0, "maximum": request::MAX_EXACT })),
        ("limit", json!({ "type": "integer", "minimum": 1, "maximum": confirmations::MAX_PAGE })),
    ]
}

pub(super) fn turn_page(_: &mut SchemaGenerator) -> Vec<(&'static str, Value)> {
    vec![
        ("before", json!({ "type": "integer", "minimum": 0, "maximum": request::MAX_EXACT })),
        ("limit", json!({ "type": "integer", "minimum": 1, "maximum": turn_records::MAX_PAGE })),
    ]
}

pub(super) fn audit_page(generator: &mut SchemaGenerator) -> Vec<(&'static str, Value)> {
    audit::parameters(generator)
}

pub(super) fn audit_filter(generator: &mut SchemaGenerator) -> Vec<(&'static str, Value)> {
    let is_of_page = |name: &str| matches!(name, "before" | "limit");
    audit::parameters(generator).into_iter().filter(|(name, _)| !is_of_page(name)).collect()
}

pub(super) fn newcomer(generator: &mut SchemaGenerator) -> Vec<(&'static str, Value)> {
    let claims = "^[^=,]+=[^,]*(,[^=,]+=[^,]*)*$";
    vec![
        ("user", schema::opaque_id(generator).to_value()),
        ("conversation", schema::opaque_id(generator).to_value()),
        ("claims", json!({ "type": "string", "pattern": claims })),
        ("scopes", json!({ "type": "string", "minLength": 1 })),
        ("registry", json!({ "type": "string", "minLength": 1 })),
    ]
}

pub(super) fn against(_: &mut SchemaGenerator) -> Vec<(&'static str, Value)> {
    vec![("against", json!({ "type": "string", "minLength": 1 }))]
}

pub(super) fn of_registry(_: &mut SchemaGenerator) -> Vec<(&'static str, Value)> {
    vec![("registry", json!({ "type": "string", "minLength": 1 }))]
}

pub(super) fn wanted(generator: &mut SchemaGenerator) -> Vec<(&'static str, Value)> {
    vec![
        ("mode", schema::mode(generator).to_value()),
        ("provider", schema::provider(generator).to_value()),
        ("registry", json!({ "type": "string", "minLength": 1 })),
    ]
}

pub(super) fn minutes(_: &mut SchemaGenerator) -> Vec<(&'static str, Value)> {
    vec![("minutes", json!({ "type": "integer", "minimum": 1, "maximum": MAX_MINUTES }))]
}
