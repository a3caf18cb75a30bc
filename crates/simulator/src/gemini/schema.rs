//! Native `parameters` are a protobuf: one unknown keyword anywhere, and the whole request is
//! refused.

use serde_json::{Map, Value};

use super::wire::camel;
use crate::http::RequestRefusal;

/// Every field of the message that native parameters are.
pub(crate) const FIELDS: &[&str] = &[
    "anyOf",
    "default",
    "description",
    "enum",
    "example",
    "format",
    "items",
    "maxItems",
    "maxLength",
    "maxProperties",
    "maximum",
    "minItems",
    "minLength",
    "minProperties",
    "minimum",
    "nullable",
    "pattern",
    "properties",
    "propertyOrdering",
    "required",
    "title",
    "type",
];

const TYPES: &[&str] = &["STRING", "NUMBER", "INTEGER", "BOOLEAN", "ARRAY", "OBJECT", "NULL"];

/// Checks the schema at a path.
pub(super) fn check(schema: &Value, path: &str) -> Result<(), RequestRefusal> {
    let mut faults = Vec::new();
    collect(schema, path, &mut faults);
    if schema.get("type").and_then(Value::as_str).is_none_or(|kind| kind.to_uppercase() != "OBJECT")
    {
        faults.push(format!("{path}.type: parameters must be an object"));
    }
    match faults.is_empty() {
        true => Ok(()),
        false => Err(RequestRefusal::invalid(faults.join("\n")).at(path)),
    }
}

fn collect(schema: &Value, path: &str, faults: &mut Vec<String>) {
    let Some(fields) = schema.as_object() else {
        faults.push(format!("Invalid value at '{path}': a schema must be an object"));
        return;
    };
    let unknown = fields.keys().filter(|name| !FIELDS.contains(&camel(name).as_str()));
    faults.extend(unknown.map(|name| {
        format!(
            "Invalid JSON payload received. Unknown name \"{name}\" at '{path}': Cannot find field."
        )
    }));
    check_type(fields, path, faults);
    let properties = fields.get("properties").and_then(Value::as_object);
    for (at, (_, property)) in properties.into_iter().flatten().enumerate() {
        collect(property, &format!("{path}.properties[{at}].value"), faults);
    }
    if let Some(items) = fields.get("items") {
        collect(items, &format!("{path}.items"), faults);
    }
    let choices = fields.get("anyOf").or_else(|| fields.get("any_of")).and_then(Value::as_array);
    for (at, choice) in choices.into_iter().flatten().enumerate() {
        collect(choice, &format!("{path}.any_of[{at}]"), faults);
    }
}

fn check_type(fields: &Map<String, Value>, path: &str, faults: &mut Vec<String>) {
    let kind = match fields.get("type") {
        None => return,
        Some(Value::String(kind)) => kind.to_uppercase(),
        Some(_) => {
            faults.push(format!(
                "Invalid JSON payload received. '{path}.type' is not repeating, cannot start list."
            ));
            return;
        }
    };
    if !TYPES.contains(&kind.as_str()) {
        faults.push(format!("Invalid value at '{path}.type': \"{kind}\""));
    }
    if kind == "ARRAY" && !fields.contains_key("items") {
        faults.push(format!("{path}.items: missing field."));
    }
    let texts = fields.get("enum").and_then(Value::as_array);
    if texts.into_iter().flatten().any(|value| !value.is_string()) {
        faults.push(format!("Invalid value at '{path}.enum': expected strings"));
    }
}
