//! A declaration may say less than the schema, never something else: what the schema takes,
//! the declaration takes.

use aileron_schema::Validator;
use serde_json::Map;

use super::*;

/// The declared schema, as JSON Schema again; `None` where it was refused or cut.
pub(super) fn declared(tool: &Value, target: Provider, form: Form) -> Option<(Validator, Value)> {
    let declaration = declare(tool, target, form)?;
    let whole = |kind| matches!(kind, LossKind::Dropped | LossKind::Rewritten);
    if !declaration.losses.iter().all(|loss| whole(loss.kind)) {
        return None;
    }
    let fields = ["parameters", "parametersJsonSchema", "input_schema", "inputSchema"];
    let schema = fields.iter().find_map(|field| declaration.value.get(field));
    let schema = schema.cloned().unwrap_or_else(|| json!({ "type": "object" }));
    let schema = match target {
        Provider::GeminiNative => from_native(&schema),
        Provider::GeminiJsonSchema => from_gemini(schema),
        _ => schema,
    };
    Some((Validator::compile(&schema).unwrap(), schema))
}

/// Gemini takes `oneOf` as `anyOf`.
fn from_gemini(schema: Value) -> Value {
    match schema {
        Value::Object(fields) => {
            let mut fields: Map<_, _> =
                fields.into_iter().map(|(name, field)| (name, from_gemini(field))).collect();
            if let Some(branches) = fields.remove("oneOf") {
                fields.insert("allOf".to_owned(), json!([{ "anyOf": branches }]));
            }
            Value::Object(fields)
        }
        Value::Array(list) => list.into_iter().map(from_gemini).collect(),
        other => other,
    }
}

/// A native schema in the words of JSON Schema.
fn from_native(schema: &Value) -> Value {
    let Value::Object(fields) = schema else { return schema.clone() };
    let mut fields = fields.clone();
    for (field, value) in &mut fields {
        *value = match (field.as_str(), &*value) {
            ("type", Value::String(name)) => json!(name.to_lowercase()),
            ("items", items) => from_native(items),
            ("anyOf", Value::Array(branches)) => branches.iter().map(from_native).collect(),
            ("properties", Value::Object(all)) => {
                Value::Object(all.iter().map(|(n, p)| (n.clone(), from_native(p))).collect())
            }
            (_, other) => other.clone(),
        };
    }
    let is_any = fields.get("anyOf").is_some_and(is_any_value);
    if is_any {
        fields.remove("anyOf");
    }
    if fields.remove("nullable") == Some(json!(true)) {
        return json!({ "anyOf": [{ "type": "null" }, fields] });
    }
    Value::Object(fields)
}

/// Whether an `anyOf` stands for a value of any type, arrays among them.
fn is_any_value(branches: &Value) -> bool {
    let types = ["string", "number", "boolean", "object"];
    branches.as_array().is_some_and(|list| *list == types.map(|name| json!({ "type": name })))
}

/// Arguments as the strict form asks for them: `null` for what is not given.
pub(super) fn filled(arguments: &Value, schema: &Value, root: &Value) -> Value {
    if let Some(Value::String(reference)) = schema.get("$ref") {
        return filled(arguments, root.pointer(&reference[1..]).unwrap(), root);
    }
    if let Some(Value::Array(branches)) = schema.get("anyOf") {
        return filled(arguments, &branches[0], root);
    }
    match (arguments, schema.get("properties"), schema.get("items")) {
        (Value::Object(given), Some(Value::Object(properties)), _) => {
            let mut all = given.clone();
            for (name, schema) in properties {
                let value = given.get(name).map_or(Value::Null, |v| filled(v, schema, root));
                all.insert(name.clone(), value);
            }
            Value::Object(all)
        }
        (Value::Array(list), _, Some(items)) => {
            list.iter().map(|item| filled(item, items, root)).collect()
        }
        _ => arguments.clone(),
    }
}
