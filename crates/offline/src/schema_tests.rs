//! Parameters in every dialect.

use serde_json::json;

use super::*;

fn fits(schema: Value, value: Value) -> bool {
    Parameters::new(&schema).fits(&schema, &value)
}

#[test]
fn kinds_are_read_in_every_spelling() {
    assert!(fits(json!({ "type": "STRING" }), json!("a")));
    assert!(fits(json!({ "type": ["integer", "null"] }), json!(3)));
    assert!(fits(json!({ "type": ["integer", "null"] }), json!(null)));
    assert!(fits(json!({ "type": "INTEGER", "nullable": true }), json!(null)));
    assert!(fits(json!({ "anyOf": [{ "type": "null" }, { "type": "string" }] }), json!("a")));
    assert!(!fits(json!({ "type": "integer" }), json!(3.5)));
    assert!(!fits(json!({ "type": "string" }), json!(3)));
}

#[test]
fn bounds_lists_and_formats_hold() {
    assert!(!fits(json!({ "type": "integer", "minimum": 15 }), json!(5)));
    assert!(!fits(json!({ "type": "STRING", "maxLength": "2" }), json!("abc")));
    assert!(!fits(json!({ "type": "string", "enum": ["a"] }), json!("b")));
    assert!(!fits(json!({ "type": "string", "format": "email" }), json!("mira")));
    assert!(!fits(json!({ "type": "string", "format": "date-time" }), json!("2026-02-03")));
    assert!(!fits(
        json!({ "type": "array", "items": { "type": "string" }, "minItems": 1 }),
        json!([])
    ));
    assert!(!fits(json!({ "type": "string", "pattern": "^a" }), json!("b")));
    assert!(fits(json!({ "type": "string", "pattern": "(?<=x)" }), json!("b")));
}

#[test]
fn objects_need_what_is_required_and_references_are_followed() {
    let schema = json!({
        "type": "object", "required": ["who"], "properties": { "who": { "$ref": "#/$defs/person" } },
        "additionalProperties": false,
        "$defs": { "person": { "type": "object", "required": ["name"], "properties": { "name": { "type": "string" } } } }
    });
    assert!(fits(schema.clone(), json!({ "who": { "name": "Mira" } })));
    assert!(!fits(schema.clone(), json!({ "who": {} })));
    assert!(!fits(schema.clone(), json!({})));
    assert!(!fits(schema, json!({ "who": { "name": "Mira" }, "more": 1 })));
}

#[test]
fn a_schema_that_refers_to_itself_ends() {
    let schema = json!({ "$ref": "#" });
    assert!(fits(schema, json!("a")));
}
