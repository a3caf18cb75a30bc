//! Valid native schemas, and keywords that make them invalid.

use serde_json::json;

use super::*;

fn check_refused(schema: Value, why: &str) {
    let found = check(&schema, "p").unwrap_err();
    assert!(found.contains(why), "{found}");
}

#[test]
fn the_subset_is_taken_in_either_spelling() {
    let schema = json!({ "type": "OBJECT", "required": ["tags"], "properties": {
        "tags": { "type": "array", "min_items": 1, "items": { "type": "STRING", "enum": ["a"] } },
        "when": { "anyOf": [{ "type": "STRING" }, { "type": "INTEGER", "nullable": true }] }
    }});
    assert_eq!(check(&schema, "p"), Ok(()));
}

#[test]
fn a_keyword_that_protobuf_does_not_have_is_named_with_its_place() {
    let found = json!({ "type": "OBJECT", "additionalProperties": false });
    check_refused(found, "Unknown name \"additionalProperties\" at 'p': Cannot find field.");
    let deep = json!({ "type": "OBJECT", "properties": {
        "a": { "type": "STRING" },
        "b": { "type": "ARRAY", "items": { "type": "INTEGER", "exclusiveMinimum": 1 } }
    }});
    check_refused(deep, "\"exclusiveMinimum\" at 'p.properties[1].value.items'");
}

#[test]
fn shapes_that_protobuf_cannot_have_are_refused() {
    check_refused(json!({ "type": "STRING" }), "only an object");
    check_refused(json!({ "type": ["object", "null"] }), "Invalid value at 'p.type'");
    let array = json!({ "type": "OBJECT", "properties": { "a": { "type": "ARRAY" } } });
    check_refused(array, "p.properties[0].value.items: missing field");
    let name = json!({ "type": "OBJECT", "properties": { "a-b": { "type": "STRING" } } });
    check_refused(name, "a-b");
    check_refused(json!(true), "Invalid value");
}
