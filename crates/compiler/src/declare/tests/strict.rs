//! What OpenAI's strict form makes of an optional property.

use super::*;

fn optional(schema: &Value) -> Value {
    let parameters = json!({
        "type": "object",
        "additionalProperties": false,
        "properties": { "p": schema },
        "$defs": { "Name": { "type": "string" } },
    });
    let declaration = declare(&tool(&parameters), Provider::Openai, Form::Strict).unwrap();
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
    let plain = declare(&tool, Provider::OpenaiRealtime, Form::Plain);
    assert_eq!(plain, declare(&tool, Provider::OpenaiRealtime, Form::Strict));
    assert!(plain.unwrap().value.get("strict").is_none());
}
