//! Every fault is found, with the expectation and the found value.

use serde_json::json;

use super::*;

#[track_caller]
fn check(schema: Value, value: Value, expected: &[&str]) {
    let validator = Validator::compile(&schema).unwrap();
    let faults = validator.faults(&value);
    let faults: Vec<_> = faults.iter().map(|f| format!("{} {}", f.pointer, f.message)).collect();
    assert_eq!(faults, expected);
    assert_eq!(validator.accepts(&value), expected.is_empty());
}

#[test]
fn all_faults_are_listed_with_their_places() {
    check(
        json!({"type": "object", "additionalProperties": false, "required": ["query"], "properties": {
            "query": {"type": "string"}, "top_k": {"type": "integer", "maximum": 10},
            "kind": {"enum": ["person", "doc"]}}}),
        json!({"top_k": 11, "kind": "cat", "extra": 1}),
        &[
            " unknown property `extra`",
            " `query` is required",
            "/kind expected one of \"person\", \"doc\", found \"cat\"",
            "/top_k expected at most 10, found 11",
        ],
    );
}

#[test]
fn formats_are_asserted() {
    check(
        json!({"type": "string", "format": "date-time"}),
        json!("yesterday"),
        &[" expected a date-time such as 2026-01-31T09:30:00Z, found \"yesterday\""],
    );
}

#[test]
fn the_closest_form_of_a_union_is_explained() {
    check(
        json!({"anyOf": [{"type": "string"}, {"type": "integer", "minimum": 1}]}),
        json!(0),
        &[" expected one of 2 forms, found none that fits (closest: expected at least 1, found 0)"],
    );
}

#[test]
fn long_values_and_lists_are_cut() {
    let options: Vec<_> = (0..20).collect();
    check(
        json!({"enum": options}),
        json!("x".repeat(100)),
        &[&format!(
            " expected one of 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, … (20 in all), found \"{}…",
            "x".repeat(59)
        )],
    );
}

#[test]
fn a_backtracking_pattern_ends() {
    let validator = Validator::compile(&json!({"pattern": "^(?=(a+)+$)b"})).unwrap();
    assert!(!validator.accepts(&json!(format!("{}!", "a".repeat(5_000)))));
}

#[test]
fn references_to_elsewhere_are_not_fetched() {
    assert!(Validator::compile(&json!({"$ref": "https://example.com/schema.json"})).is_err());
    assert!(Validator::compile(&json!({"$ref": "file:///etc/passwd"})).is_err());
}

#[test]
fn what_is_not_a_schema_is_refused() {
    assert!(Validator::compile(&json!({"type": "strnig"})).is_err());
    assert!(Validator::compile(&json!({"pattern": "("})).is_err());
    assert!(Validator::compile(&json!({"pattern": "(a{1000}){1000}"})).is_err());
}

/// A schema with a plan is not built by the `jsonschema` crate, and still refused in its words.
#[test]
fn what_is_no_schema_is_found_with_a_plan_too() {
    for schema in [
        json!({ "type": "nope" }),
        json!({ "type": ["string", "string"] }),
        json!({ "minLength": -1 }),
        json!({ "maxItems": 1.5 }),
        json!({ "multipleOf": 0 }),
        json!({ "required": ["a", "a"] }),
        json!({ "required": "a" }),
        json!({ "properties": { "a": { "type": 5 } } }),
        json!({ "properties": [] }),
        json!({ "additionalProperties": 1 }),
        json!({ "items": [] }),
        json!({ "enum": "x" }),
        json!({ "uniqueItems": 1 }),
        json!({ "description": 5 }),
        json!({ "deprecated": "yes" }),
        json!({ "examples": 1 }),
        json!({ "format": 1 }),
        json!({ "pattern": "(" }),
        json!({ "pattern": 1 }),
        json!({ "$comment": 1 }),
        json!({ "$ref": "#/nowhere" }),
        json!({ "$defs": { "x": { "$ref": "https://elsewhere.example/x" } } }),
        json!({ "$defs": { "x": { "type": "nope" } } }),
        json!({ "$schema": "https://elsewhere.example/dialect" }),
        json!(5),
    ] {
        let whole = standard_options().build(&schema).map_err(|error| SchemaError::of(&error));
        assert_eq!(Validator::compile(&schema).err(), whole.err(), "{schema}");
    }
}
