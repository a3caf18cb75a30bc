//! Adds `null` to a schema, for properties that were optional.

use serde_json::{Value, json};

use super::super::types::{self, Type};

/// Whether the schema already allows `null`.
pub(super) fn takes_null(schema: &Value) -> bool {
    let by_type = schema.get("type").and_then(types::parse).is_none_or(|t| t.contains(&Type::Null));
    let list = |keyword| schema.get(keyword).and_then(Value::as_array);
    let by_value = list("enum").is_none_or(|values| values.contains(&Value::Null))
        && schema.get("const").is_none_or(Value::is_null);
    let by_branch = list("anyOf").is_none_or(|branches| branches.iter().any(takes_null));
    by_type && by_value && by_branch && schema.get("$ref").is_none()
}

/// The same schema, with `null` allowed.
pub(super) fn nullable(mut schema: Value) -> Value {
    let nothing = json!({ "type": "null" });
    if schema.get("$ref").is_some() || schema.get("const").is_some() {
        return json!({ "anyOf": [schema, nothing] });
    }
    if let Some(mut types) = schema.get("type").and_then(types::parse) {
        types.push(Type::Null);
        types.dedup();
        schema["type"] = types::keyword(&types);
    }
    add(&mut schema, "enum", Value::Null);
    add(&mut schema, "anyOf", nothing);
    schema
}

fn add(schema: &mut Value, keyword: &str, value: Value) {
    if let Some(Value::Array(list)) = schema.get_mut(keyword)
        && !list.contains(&value)
    {
        list.push(value);
    }
}
