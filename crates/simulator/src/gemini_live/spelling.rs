//! Field names are read in both spellings, `snake_case` and `camelCase`, at every depth. The
//! client's data is not changed.

use serde_json::{Map, Value};

/// Fields whose contents are data or schemas, not messages.
const OPAQUE: &[&str] = &[
    "args",
    "labels",
    "parameters",
    "parametersJsonSchema",
    "response",
    "responseJsonSchema",
    "metadata",
];

/// The message with all its names in camel case.
pub(super) fn camel(value: Value) -> Value {
    match value {
        Value::Object(fields) => {
            Value::Object(fields.into_iter().map(field).collect::<Map<_, _>>())
        }
        Value::Array(values) => values.into_iter().map(camel).collect(),
        other => other,
    }
}

fn field((name, value): (String, Value)) -> (String, Value) {
    let name = camel_name(&name);
    let opaque = OPAQUE.contains(&name.as_str());
    let value = if opaque { value } else { camel(value) };
    (name, value)
}

/// `mime_type` as `mimeType`.
pub(super) fn camel_name(name: &str) -> String {
    let mut camel = String::with_capacity(name.len());
    let mut upper = false;
    for c in name.chars() {
        match c {
            '_' if !camel.is_empty() => upper = true,
            c if std::mem::take(&mut upper) => camel.push(c.to_ascii_uppercase()),
            c => camel.push(c),
        }
    }
    camel
}

#[cfg(test)]
#[path = "spelling_tests.rs"]
mod tests;
