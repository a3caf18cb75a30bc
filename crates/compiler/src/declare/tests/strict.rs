//! An optional property in OpenAI's strict form.

use super::*;

fn optional(schema: &Value) -> Value {
    let parameters = json!({
        "type": "object",
        "additionalProperties": false,
        "properties": { "p": schema },
        "$defs": { "Name": { "type": "string" } },
    });
    let declaration = declare(&tool(&parameters), Provider::Openai, OpenAiForm::Strict).unwrap();
    assert!(!declaration.losses.iter().any(|loss| loss.kind.is_refusal()), "{declaration:#?}");
    assert_eq!(declaration.value["parameters"]["required"], json!(["p"]));
    declaration.value["parameters"]["properties"]["p"].clone()
}

fn check(schema: Value, expected: Value) {
    assert_eq!(optional(&schema), expected, "{schema}");
}

#[test]
fn what_was_optional_may_be_null() {
    let none = json!({ "type": "null" });
    check(json!({ "type": "string" }), json!({ "type": ["string", "null"] }));
    check(json!({ "type": ["string", "null"] }), json!({ "type": ["string", "null"] }));
    check(
        json!({ "type": "string", "enum": ["a"] }),
        json!({ "type": ["string", "null"], "enum": ["a", null] }),
    );
    check(json!({ "const": 1 }), json!({ "anyOf": [{ "type": "integer", "const": 1 }, none] }));
    check(
        json!({ "$ref": "#/$defs/Name" }),
        json!({ "anyOf": [{ "$ref": "#/$defs/Name" }, none] }),
    );
    check(
        json!({ "oneOf": [{ "type": "string" }, { "type": "integer" }] }),
        json!({ "anyOf": [{ "type": "string" }, { "type": "integer" }, none] }),
    );
    check(
        json!({ "anyOf": [{ "type": "string" }, none] }),
        json!({ "anyOf": [{ "type": "string" }, none] }),
    );
}

#[test]
fn an_array_type_of_gemini_is_written_in_lower_case() {
    check(
        json!({ "type": "ARRAY", "items": { "type": "STRING" } }),
        json!({ "type": ["array", "null"], "items": { "type": "string" } }),
    );
}

#[test]
fn realtime_has_no_strict_form() {
    let tool = tool(&json!({ "type": "object", "properties": { "p": { "type": "string" } } }));
    let plain = declare(&tool, Provider::OpenaiRealtime, OpenAiForm::Plain);
    assert_eq!(plain, declare(&tool, Provider::OpenaiRealtime, OpenAiForm::Strict));
    assert!(plain.unwrap().value.get("strict").is_none());
}

/// The size losses of the strict form.
fn sizes(parameters: &Value) -> Vec<String> {
    let declaration = declare(&tool(parameters), Provider::Openai, OpenAiForm::Strict).unwrap();
    let large = declaration.losses.into_iter().filter(|loss| loss.kind == LossKind::TooLarge);
    large.map(|loss| loss.message).collect()
}

fn object_of(properties: Value) -> Value {
    let names: Vec<_> = properties.as_object().unwrap().keys().cloned().collect();
    json!({ "type": "object", "additionalProperties": false, "required": names,
        "properties": properties })
}

#[test]
fn the_sizes_that_openai_takes_are_kept() {
    let text = || json!({ "type": "string" });
    let many = |count: usize| {
        object_of(Value::Object((0..count).map(|i| (format!("p{i}"), text())).collect()))
    };
    assert_eq!(sizes(&many(5000)), [""; 0]);
    assert_eq!(
        sizes(&many(5001)),
        [
            "OpenAI strict cannot carry the schema: written out, it has 5001 properties, expected at most 5000"
        ]
    );
    let deep =
        |levels: usize| (0..levels).fold(text(), |inner, _| object_of(json!({ "a": inner })));
    assert_eq!(sizes(&deep(10)), [""; 0]);
    assert_eq!(
        sizes(&deep(11)),
        [
            "OpenAI strict cannot carry the schema: written out, it has 11 levels of objects inside of each other, expected at most 10"
        ]
    );
    let choice = |count: usize, length: usize| {
        let values: Vec<_> = (0..count).map(|i| format!("{i:0length$}")).collect();
        object_of(json!({ "a": { "type": "string", "enum": values } }))
    };
    assert_eq!(sizes(&choice(1000, 15)), [""; 0]);
    assert_eq!(
        sizes(&choice(1001, 4)),
        [
            "OpenAI strict cannot carry the schema: written out, it has 1001 values of `enum`, expected at most 1000"
        ]
    );
    assert_eq!(
        sizes(&choice(300, 51)),
        [
            "OpenAI strict cannot carry the schema: written out, it has 15300 characters in one `enum` of more than 250 values, expected at most 15000"
        ]
    );
    assert_eq!(sizes(&choice(200, 100)), [""; 0]);
    assert_eq!(
        sizes(&choice(200, 601)),
        [
            "OpenAI strict cannot carry the schema: written out, it has 120201 characters in names, `enum` and `const`, expected at most 120000"
        ]
    );
}
