//! One property in Gemini's native form.

use super::*;

/// The native schema of a property, with these definitions beside it.
fn property(schema: &Value) -> (Value, Vec<String>) {
    let parameters = json!({
        "type": "object",
        "properties": { "p": schema },
        "$id": "https://example.com/tool",
        "$defs": {
            "Name": { "type": "string", "description": "A name.", "minLength": 1 },
            "List<A>": { "type": "array", "items": { "type": "integer" } },
            "Marked": { "$anchor": "mark", "type": "boolean" },
        },
    });
    let declaration =
        declare(&tool(&parameters), Provider::GeminiNative, OpenAiForm::Plain).unwrap();
    let told = |loss: &&Loss| loss.pointer.starts_with("/properties/p");
    let losses = declaration.losses.iter().filter(told).map(|loss| loss.message.clone());
    (declaration.value["parameters"]["properties"]["p"].clone(), losses.collect())
}

fn check(schema: Value, expected: Value) {
    assert_eq!(property(&schema).0, expected, "{schema}");
}

#[test]
fn words_beside_a_reference_come_first() {
    check(
        json!({ "$ref": "#/$defs/Name", "description": "Yours.", "minLength": 3 }),
        json!({ "type": "STRING", "description": "Yours.", "minLength": 3 }),
    );
}

#[test]
fn references_are_found_however_they_are_written() {
    let array = json!({ "type": "ARRAY", "items": { "type": "INTEGER" } });
    check(json!({ "$ref": "#/$defs/List%3CA%3E" }), array.clone());
    check(json!({ "$ref": "#/$defs/List<A>" }), array);
    check(json!({ "$ref": "#mark" }), json!({ "type": "BOOLEAN" }));
    check(json!({ "$ref": "https://example.com/tool#mark" }), json!({ "type": "BOOLEAN" }));
}

#[test]
fn a_reference_that_leads_nowhere_is_refused() {
    for reference in ["#/$defs/Missing", "#missing", "https://example.com/other", "other.json#/a"] {
        let (_, losses) = property(&json!({ "$ref": reference }));
        let expected =
            "Gemini native refuses `$ref` at /properties/p: it leads to nothing in this schema";
        assert!(losses.iter().any(|loss| loss == expected), "{losses:?}");
    }
}

#[test]
fn the_parts_of_an_all_of_are_said_at_once() {
    check(
        json!({ "allOf": [
            { "type": ["number", "null"], "minimum": 1, "maximum": 9, "multipleOf": 2 },
            { "type": "integer", "minimum": 3, "maximum": 20, "multipleOf": 4 },
        ] }),
        json!({ "type": "INTEGER", "minimum": 3, "maximum": 9,
            "description": "Must be a multiple of 2. Must be a multiple of 4." }),
    );
    check(
        json!({ "allOf": [{ "enum": ["a", "b", "c"] }, { "enum": ["b", "c", "d"] }, { "not": { "const": "c" } }] }),
        json!({ "type": "STRING", "enum": ["b", "c"],
            "description": "Must not match {\"const\":\"c\"}." }),
    );
}

#[test]
fn what_the_parts_disagree_on_is_dropped_by_name() {
    let (schema, losses) =
        property(&json!({ "type": "string", "allOf": [{ "pattern": "^a" }, { "pattern": "b$" }] }));
    assert_eq!(schema, json!({ "type": "STRING", "pattern": "^a" }));
    let expected = "Gemini native drops `pattern` at /properties/p/allOf/1: another part of the schema says otherwise";
    assert!(losses.iter().any(|loss| loss == expected), "{losses:?}");
}

#[test]
fn a_property_that_another_part_shuts_out_is_not_declared() {
    check(
        json!({ "allOf": [
            { "type": "object", "properties": { "a": { "type": "string" } }, "additionalProperties": false },
            { "properties": { "a": { "minLength": 1 }, "b": { "type": "string" } } },
        ] }),
        json!({ "type": "OBJECT", "properties": { "a": { "type": "STRING", "minLength": 1 } } }),
    );
}

#[test]
fn null_becomes_nullable() {
    let nullable = json!({ "type": "STRING", "nullable": true });
    check(json!({ "type": ["string", "null"] }), nullable.clone());
    check(json!({ "anyOf": [{ "type": "string" }, { "type": "null" }] }), nullable.clone());
    check(json!({ "oneOf": [{ "const": null }, { "type": "string" }] }), nullable.clone());
    check(json!({ "anyOf": [{ "anyOf": [{ "type": "null" }, { "type": "string" }] }] }), nullable);
    check(
        json!({ "enum": ["a", null] }),
        json!({ "type": "STRING", "nullable": true, "enum": ["a"] }),
    );
    check(
        json!({ "type": ["string", "null"], "enum": ["a"] }),
        json!({ "type": "STRING", "enum": ["a"] }),
    );
    check(
        json!({ "type": "string", "anyOf": [{ "minLength": 1 }, { "type": "null" }] }),
        json!({ "type": "STRING", "minLength": 1 }),
    );
    check(json!({ "type": "null" }), json!({ "type": "NULL" }));
}

#[test]
fn branches_repeat_what_stands_beside_them() {
    check(
        json!({ "type": "string", "maxLength": 9, "title": "T",
            "anyOf": [{ "pattern": "^a" }, { "minLength": 2 }, { "type": "integer" }] }),
        json!({ "title": "T", "anyOf": [
            { "type": "STRING", "maxLength": 9, "pattern": "^a" },
            { "type": "STRING", "maxLength": 9, "minLength": 2 },
        ] }),
    );
}

#[test]
fn each_of_several_types_keeps_its_own_keywords() {
    check(
        json!({ "type": ["string", "integer"], "minLength": 1, "minimum": 2, "enum": ["a", 3] }),
        json!({ "anyOf": [
            { "type": "INTEGER", "minimum": 2, "description": "Must be 3." },
            { "type": "STRING", "minLength": 1, "enum": ["a"] },
        ] }),
    );
}

#[test]
fn schemas_that_say_yes_or_no_are_said_in_words() {
    let plain = ["STRING", "NUMBER", "BOOLEAN", "OBJECT"].map(|name| json!({ "type": name }));
    let array_of = |branches: &[Value]| json!({ "type": "ARRAY", "items": { "anyOf": branches, "nullable": true } });
    let inner = [plain.to_vec(), vec![array_of(&plain)]].concat();
    let any = [plain.to_vec(), vec![array_of(&inner)]].concat();
    check(json!(true), json!({ "anyOf": any, "nullable": true }));
    check(json!(false), json!({ "anyOf": any, "description": "Must not be given." }));
}

#[test]
fn what_says_nothing_about_the_type_is_dropped() {
    check(
        json!({ "type": "string", "items": { "type": "string" }, "minimum": 1, "required": ["a"] }),
        json!({ "type": "STRING" }),
    );
}

#[test]
fn required_names_only_properties_that_there_are() {
    check(
        json!({ "type": "object", "properties": { "a": { "type": "string" } }, "required": ["a", "b"] }),
        json!({ "type": "OBJECT", "properties": { "a": { "type": "STRING" } }, "required": ["a"] }),
    );
}

#[test]
fn descriptions_stay_short() {
    let numbers: Vec<_> = (0..100).collect();
    check(
        json!({ "type": "integer", "description": "A size", "enum": numbers }),
        json!({ "type": "INTEGER", "description":
            "A size. One of: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 and 88 more." }),
    );
    let text = "x".repeat(300);
    check(json!({ "type": "string", "not": { "const": text } }), json!({ "type": "STRING" }));
    let rules: Vec<_> =
        (0..40).map(|i| json!({ "not": { "const": format!("value {i}") } })).collect();
    let (schema, _) = property(&json!({ "type": "string", "description": "A.", "allOf": rules }));
    let length = schema["description"].as_str().unwrap().len();
    assert!((400..=620).contains(&length), "{length}");
}
