//! Places below schemas of every form.

use serde_json::json;

use super::*;

#[track_caller]
fn property(schema: &Value, name: &str, expected: &str) {
    let found = match PlaceSchemas::of(schema).property(name) {
        SchemaStep::Known(shape) => format!("known {}", shape.kind()),
        SchemaStep::Anything => "anything".to_owned(),
        SchemaStep::Nothing => "nothing".to_owned(),
    };
    assert_eq!(found, expected);
}

#[test]
fn listed_properties_are_known() {
    let schema = json!({"type": "object", "properties": {"a": {"type": ["string", "null"]}}});
    property(&schema, "a", "known null or string");
    property(&schema, "b", "nothing");
}

#[test]
fn every_form_of_a_union_counts() {
    let schema = json!({"anyOf": [
        {"properties": {"a": {"type": "string"}}},
        {"allOf": [{"properties": {"b": {"const": 1}}}]},
        {"if": {}, "then": {"properties": {"c": true}}}]});
    property(&schema, "a", "known string");
    property(&schema, "b", "known integer");
    property(&schema, "c", "known ");
    property(&schema, "d", "nothing");
}

#[test]
fn open_objects_say_nothing() {
    property(&json!({}), "a", "anything");
    property(&json!({"type": "object"}), "a", "anything");
    property(&json!({"properties": {}, "additionalProperties": true}), "a", "anything");
    property(&json!({"properties": {}, "patternProperties": {"^x": {}}}), "a", "anything");
    property(&json!({"additionalProperties": {"type": "integer"}}), "a", "known integer");
    property(&json!({"additionalProperties": false}), "a", "nothing");
    property(&json!({"type": "string"}), "a", "nothing");
    property(&json!({"enum": ["x"]}), "a", "nothing");
}

#[test]
fn references_in_circles_end() {
    let schema = json!({"$ref": "#/$defs/a", "$defs": {
        "a": {"anyOf": [{"$ref": "#/$defs/b"}, {"$ref": "#"}]},
        "b": {"$ref": "#/$defs/a", "properties": {"x": {"type": "boolean"}}}}});
    property(&schema, "x", "known boolean");
    property(&schema, "y", "nothing");
}

#[test]
fn references_that_cannot_be_followed_leave_everything_open() {
    property(&json!({"$ref": "https://example.com/x", "properties": {}}), "a", "anything");
    property(&json!({"$ref": "#/$defs/gone", "properties": {}}), "a", "anything");
}

#[test]
fn items_follow_their_index() {
    let schema = json!({"prefixItems": [{"type": "string"}], "items": {"type": "integer"}});
    let kind = |index| match PlaceSchemas::of(&schema).item(index) {
        SchemaStep::Known(shape) => shape.kind(),
        step => format!("{step:?}"),
    };
    assert_eq!(kind(Some(0)), "string");
    assert_eq!(kind(Some(1)), "integer");
    assert_eq!(kind(None), "integer or string");
    assert!(matches!(PlaceSchemas::of(&json!({"type": "string"})).item(None), SchemaStep::Nothing));
    let tuple = json!({"prefixItems": [{}], "items": false});
    assert!(matches!(PlaceSchemas::of(&tuple).item(Some(1)), SchemaStep::Nothing));
}

#[test]
fn bounds_are_the_loosest_that_holds_in_every_form() {
    let bound =
        |schema: Value| PlaceSchemas::of(&schema).loosest("maximum", "number", BoundSide::Upper);
    assert_eq!(bound(json!({"type": "integer", "maximum": 10})), Some(10.0));
    let two =
        json!({"anyOf": [{"type": "integer", "maximum": 10}, {"type": "number", "maximum": 20}]});
    assert_eq!(bound(two), Some(20.0));
    let open = json!({"anyOf": [{"type": "integer", "maximum": 10}, {"type": "number"}]});
    assert_eq!(bound(open), None);
    assert_eq!(bound(json!({"maximum": 10})), None);
}
