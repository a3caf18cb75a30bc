//! A declaration may be weaker than the schema, never different: it accepts every value that the
//! schema accepts.

use aileron_schema::Validator;

use super::*;

/// The declared schema, as JSON Schema again; `None` where it was refused.
pub(super) fn declared(
    tool: &Value,
    target: Provider,
    form: OpenAiForm,
) -> Option<(Validator, Value)> {
    let declaration = declare(tool, target, form)?;
    if declaration.losses.iter().any(|loss| loss.kind.is_refusal()) {
        return None;
    }
    let fields = ["parameters", "parametersJsonSchema", "input_schema", "inputSchema"];
    let schema = fields.iter().find_map(|field| declaration.value.get(field));
    let schema = schema.cloned().unwrap_or_else(|| json!({ "type": "object" }));
    let schema = match target {
        Provider::GeminiNative => from_native(&schema),
        _ => schema,
    };
    Some((Validator::compile(&schema).unwrap(), schema))
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
    if fields.remove("nullable") == Some(json!(true)) {
        return json!({ "anyOf": [{ "type": "null" }, fields] });
    }
    Value::Object(fields)
}

/// How many arrays stand inside of each other in a value, objects between them left out.
///
/// The native form can say arrays of any values only to a depth: two.
pub(super) fn array_levels(value: &Value) -> usize {
    let below = |values: &mut dyn Iterator<Item = &Value>| {
        values.map(array_levels).max().unwrap_or_default()
    };
    match value {
        Value::Array(items) => 1 + below(&mut items.iter()),
        Value::Object(members) => below(&mut members.values()),
        _ => 0,
    }
}

/// Arguments in the strict form: `null` for missing ones.
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

/// Checks that the schema takes each value as the argument `a`, and that every target's plain
/// declaration does.
#[track_caller]
fn check_taken(schema: Value, values: &[Value]) {
    let parameters = json!({ "type": "object", "properties": { "a": schema } });
    let validator = Validator::compile(&parameters).unwrap();
    for (target, form) in FORMS.into_iter().filter(|(_, form)| *form == OpenAiForm::Plain) {
        let (declared, schema) = declared(&tool(&parameters), target, form)
            .unwrap_or_else(|| panic!("{target} refuses {parameters}"));
        for value in values {
            let call = json!({ "a": value });
            assert!(validator.accepts(&call), "{call}");
            assert!(declared.accepts(&call), "{target}: {call}\n{schema:#}");
        }
    }
}

#[test]
fn a_closed_object_of_named_patterns_stays_open_where_patterns_are_lost() {
    let texts = json!({ "^x-": { "type": "string" } });
    check_taken(
        json!({ "type": "object", "patternProperties": texts, "additionalProperties": false }),
        &[json!({}), json!({ "x-a": "b" })],
    );
    check_taken(
        json!({ "type": "object", "patternProperties": texts, "additionalProperties": { "type": "integer" } }),
        &[json!({ "x-a": "b", "c": 1 })],
    );
}

#[test]
fn alternatives_that_a_lost_keyword_told_apart_still_fit() {
    check_taken(
        json!({ "oneOf": [
            { "type": "string", "pattern": "^a" }, { "type": "string", "pattern": "^b" },
        ] }),
        &[json!("ab"), json!("ba")],
    );
    check_taken(
        json!({ "anyOf": [{ "type": "string" }, { "type": "null" }],
            "oneOf": [{ "type": "string", "minLength": 2 }, { "type": "null" }] }),
        &[json!("ab"), json!(null)],
    );
}

#[test]
fn a_value_without_a_type_may_be_anything() {
    let matrix = json!([[1, 2], ["a", null, { "b": [] }]]);
    let values =
        [json!("a"), json!(1.5), json!(true), json!(null), json!({ "b": 1 }), json!([]), matrix];
    check_taken(json!({}), &values);
    check_taken(json!({ "description": "Any value" }), &values);
    check_taken(json!({ "type": "array", "items": {} }), &[json!([1, [2], null])]);
}

#[test]
fn items_behind_a_lost_prefix_are_not_held_to_the_rest() {
    let prefix = json!([{ "type": "string" }]);
    let rest = json!({ "type": "array", "prefixItems": prefix, "items": { "type": "integer" } });
    check_taken(rest.clone(), &[json!(["a", 1])]);
    let longer = json!({ "type": "array", "prefixItems": [{}, { "type": "boolean" }] });
    check_taken(json!({ "allOf": [longer, { "maxItems": 2 }] }), &[json!(["a", true])]);
    check_taken(
        json!({ "allOf": [
            { "type": "array", "prefixItems": [{}] },
            { "prefixItems": [{}, { "type": "boolean" }], "items": { "type": "string" } },
        ] }),
        &[json!([1, true, "a"])],
    );
    check_taken(
        json!({ "type": "array", "prefixItems": prefix, "items": false }),
        &[json!([]), json!(["a"])],
    );
}

#[test]
fn recursion_is_not_taken_for_an_object() {
    let tree = json!({ "anyOf": [{ "type": "string" }, { "type": "array", "items": { "$ref": "#/$defs/tree" } }] });
    let parameters = json!({
        "type": "object", "properties": { "a": { "$ref": "#/$defs/tree" } }, "required": ["a"],
        "$defs": { "tree": tree },
    });
    let call = json!({ "a": ["b", ["c"]] });
    for (target, form) in FORMS.into_iter().filter(|(_, form)| *form == OpenAiForm::Plain) {
        let (declared, schema) = declared(&tool(&parameters), target, form).unwrap();
        assert!(declared.accepts(&call), "{target}\n{schema:#}");
    }
}
