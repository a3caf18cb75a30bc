//! The schema of a value of any type.

use serde_json::{Value, json};

/// How deep arrays may nest in a value of any type. An array must have `items`, so the nesting
/// needs an end.
const ARRAY_LEVELS: usize = 2;

/// The branches for a value of any type; `nullable` covers `null`.
pub(super) fn any_value() -> Value {
    any_to(ARRAY_LEVELS)
}

fn any_to(arrays: usize) -> Value {
    let types = ["STRING", "NUMBER", "BOOLEAN", "OBJECT"];
    let mut branches: Vec<_> = types.map(|name| json!({ "type": name })).into();
    if let Some(inner) = arrays.checked_sub(1) {
        branches.push(json!({ "type": "ARRAY", "items": any_item(inner) }));
    }
    branches.into()
}

fn any_item(arrays: usize) -> Value {
    json!({ "anyOf": any_to(arrays), "nullable": true })
}

/// The `items` of an array without any.
pub(super) fn any_items() -> Value {
    any_item(ARRAY_LEVELS - 1)
}
