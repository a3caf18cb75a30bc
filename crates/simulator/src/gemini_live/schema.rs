//! The native schema of parameters is protobuf: one unknown keyword anywhere, and the whole setup
//! is refused.

use serde_json::Value;

use super::spelling::camel_name;
use crate::gemini::schema::FIELDS;

const TYPES: &[&str] =
    &["TYPE_UNSPECIFIED", "STRING", "NUMBER", "INTEGER", "BOOLEAN", "ARRAY", "OBJECT", "NULL"];

/// The longest name of a property.
const MOST_NAME: usize = 64;

/// Checks the parameters of a function, which are an object.
pub(super) fn check(schema: &Value, path: &str) -> Result<(), String> {
    node(schema, path)?;
    let kind = schema["type"].as_str().unwrap_or_default();
    match kind.eq_ignore_ascii_case("object") {
        true => Ok(()),
        false => Err(format!("* {path}: only an object may be the type of parameters")),
    }
}

fn node(schema: &Value, path: &str) -> Result<(), String> {
    let Some(fields) = schema.as_object() else {
        return Err(format!("Invalid value at '{path}' (type.googleapis.com/Schema), {schema}"));
    };
    for (name, value) in fields {
        let name = camel_name(name);
        if !FIELDS.contains(&name.as_str()) {
            return Err(format!(
                "Invalid JSON payload received. Unknown name \"{name}\" at '{path}': Cannot find field."
            ));
        }
        keyword(&name, value, path)?;
    }
    let is_array = schema["type"].as_str().is_some_and(|kind| kind.eq_ignore_ascii_case("array"));
    if is_array && !fields.contains_key("items") {
        return Err(format!("* {path}.items: missing field."));
    }
    Ok(())
}

fn keyword(name: &str, value: &Value, path: &str) -> Result<(), String> {
    let wrong = || Err(format!("Invalid value at '{path}.{name}', {value}"));
    match (name, value) {
        ("type", Value::String(kind)) if TYPES.contains(&kind.to_uppercase().as_str()) => Ok(()),
        ("type", _) => wrong(),
        ("enum", Value::Array(values)) if values.iter().all(Value::is_string) => Ok(()),
        ("enum", _) => wrong(),
        ("items", value) => node(value, &format!("{path}.items")),
        ("properties", Value::Object(properties)) => {
            for (at, (property, schema)) in properties.iter().enumerate() {
                check_name(property, path)?;
                node(schema, &format!("{path}.properties[{at}].value"))?;
            }
            Ok(())
        }
        ("anyOf", Value::Array(schemas)) => {
            let mut all = schemas.iter().enumerate();
            all.try_for_each(|(at, schema)| node(schema, &format!("{path}.any_of[{at}]")))
        }
        ("properties" | "anyOf", _) => wrong(),
        _ => Ok(()),
    }
}

fn check_name(name: &str, path: &str) -> Result<(), String> {
    let starts = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    let goes_on = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    match starts && goes_on && name.len() <= MOST_NAME {
        true => Ok(()),
        false => Err(format!(
            "* {path}.properties: should be non-empty and have valid names, found {name:?}"
        )),
    }
}

#[cfg(test)]
#[path = "schema_tests.rs"]
mod tests;
