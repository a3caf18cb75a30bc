//! A plan and the `jsonschema` crate agree, fault for fault, over random schemas and values.

use std::collections::BTreeMap;

use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::RngSeed;
use serde_json::json;

use super::*;
use crate::defaults::Defaults;
use crate::validator::{faults, standard_options};

/// Gives both engines the same values, if there is a plan.
#[track_caller]
fn compare(schema: &Value, values: &[Value]) {
    let options = standard_options();
    let Ok(whole) = options.build(schema) else { return };
    let Some(plan) = Plan::of(schema, options) else { return };
    for value in values {
        assert_eq!(plan.faults(value), faults(&whole, value), "{schema} for {value}");
        assert_eq!(plan.accepts(value), whole.is_valid(value), "{schema} for {value}");
        let (mut ours, mut theirs) = (value.clone(), value.clone());
        let found = plan.fill(&mut ours);
        Defaults::of(schema).fill(&mut theirs);
        assert_eq!(ours, theirs, "{schema} for {value}");
        assert_eq!(found, faults(&whole, &theirs), "{schema} for {value}");
    }
}

/// Keywords without schemas inside, and values for each.
fn keyword() -> impl Strategy<Value = (String, Value)> {
    let all = json!({
        "type": ["string", "integer", "number", "object", "array", "null", ["string", "null"],
            ["number", "integer"], ["boolean"]],
        "enum": [["a", "b", "é"], ["a", 1, null], [1, 2.0, 9_007_199_254_740_993_u64],
            [true, {"a": 1}, [1.0]], [null, "ab", "ba", "aaa"], ["a"], [1]],
        "const": ["a", 2, null, {"a": 1.0}, [1], false],
        "minimum": [1, 1.5, -1e300, i64::MIN],
        "maximum": [2, 9_007_199_254_740_992_u64, u64::MAX, 1.5],
        "exclusiveMinimum": [0, 9_007_199_254_740_993_u64],
        "exclusiveMaximum": [1.0, 1e20],
        "multipleOf": [2, 0.1, 1.5, 1e300],
        "minLength": [1, 3],
        "maxLength": [2, 0, 59],
        "minItems": [1, 2],
        "maxItems": [1],
        "uniqueItems": [true, false],
        "minProperties": [1],
        "maxProperties": [1],
        "pattern": ["^a", "^a+$", "^(?=(a+)+$)b", "\\p{L}\\d"],
        "format": ["date", "date-time", "email", "no-such-format"],
        "required": [["b", "a"], ["a/b"], ["a", "b", "~", "é"], []],
        "additionalProperties": [false, true],
        "description": ["Words."],
        "default": [1, "a", null, {}, {"a": {}}, {"b": [{}, 1]}, [{}], [{"a": 1}, 2]],
        "examples": [[1]],
        "deprecated": [true],
    });
    let all: BTreeMap<String, Vec<Value>> = serde_json::from_value(all).unwrap();
    let of_one = |(keyword, values): (String, Vec<Value>)| {
        values.into_iter().map(move |value| (keyword.clone(), value))
    };
    select(all.into_iter().flat_map(of_one).collect::<Vec<_>>())
}

fn name() -> impl Strategy<Value = String> {
    select(vec!["a", "b", "ab", "a/b", "a-b", "~", "é", "", "$ref", "type"]).prop_map(str::to_owned)
}

fn schema() -> impl Strategy<Value = Value> {
    let keywords = || vec(keyword(), 0..4);
    let object = |pairs: Vec<(String, Value)>| Value::Object(pairs.into_iter().collect());
    let reference = select(vec!["#/$defs/x", "#/$defs/y", "#/$defs/x/items"]);
    let leaf = prop_oneof![
        8 => keywords().prop_map(object),
        1 => any::<bool>().prop_map(Value::from),
        1 => reference.prop_map(|to| json!({"$ref": to, "title": "Words."})),
        1 => select(vec!["#/$defs/x", "#/$defs/y"]).prop_map(|to| json!({"$ref": to, "default": {}})),
    ];
    leaf.prop_recursive(3, 24, 3, move |inner| {
        let one = select(vec!["items", "additionalProperties"]).prop_map(str::to_owned);
        let nested = prop_oneof![
            2 => (one, inner.clone()),
            1 => vec(inner.clone(), 1..3).prop_map(|list| ("prefixItems".to_owned(), json!(list))),
            3 => btree_map(name(), inner, 1..4).prop_map(|map| ("properties".to_owned(), json!(map))),
        ];
        (vec(nested, 1..3), keywords())
            .prop_map(move |(nested, plain)| object(plain.into_iter().chain(nested).collect()))
    })
}

/// A schema with the two definitions that others refer to.
fn document() -> impl Strategy<Value = Value> {
    let plain = || vec(keyword(), 0..3).prop_map(|pairs| pairs.into_iter().collect::<Map<_, _>>());
    (schema(), plain(), plain(), plain()).prop_map(|(mut document, x, items, y)| {
        if let Some(keywords) = document.as_object_mut() {
            let mut x = x;
            x.insert("items".to_owned(), items.into());
            keywords.insert("$defs".to_owned(), json!({"x": x, "y": y}));
        }
        document
    })
}

/// Values that meet, nearly meet and miss the keywords.
fn value() -> impl Strategy<Value = Value> {
    let numbers = json!([
        0,
        1,
        2,
        1.0,
        2.0,
        1.5,
        -0.0,
        0.3,
        -1,
        9_007_199_254_740_992_u64,
        9_007_199_254_740_993_u64,
        9_007_199_254_740_992.0,
        u64::MAX,
        i64::MIN,
        18_446_744_073_709_551_616.0,
        1e20,
        1e300,
        -1e300,
        5e-324
    ]);
    let texts = json!([
        "",
        "a",
        "b",
        "é",
        "ab",
        "aaa",
        "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!",
        "e\u{301}",
        "\u{1f600}\u{1f600}",
        "é1",
        "2026-01-31",
        "2026-02-30",
        "2026-01-31T09:30:00Z",
        "a@b.c",
        "line\nand \"quote\"",
        "x".repeat(70)
    ]);
    let others = json!([null, true, false, {}, [], [1, 1.0], {"a": 1}, [true], {"b": 1, "a": 1.0}]);
    let picked: Vec<Value> =
        [numbers, texts, others].iter().flat_map(|list| list.as_array().unwrap().clone()).collect();
    let plain = prop_oneof![
        8 => select(picked),
        1 => any::<i64>().prop_map(Value::from),
        1 => any::<f64>().prop_map(Value::from),
        1 => ".*".prop_map(Value::from),
    ];
    plain.prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            1 => vec(inner.clone(), 0..13).prop_map(Value::from),
            2 => btree_map(name(), inner, 0..5).prop_map(|map| json!(map)),
        ]
    })
}

#[test]
fn both_engines_find_the_same_faults() {
    let config = ProptestConfig {
        cases: 2_000,
        rng_seed: RngSeed::Fixed(20_260_131),
        ..ProptestConfig::default()
    };
    proptest!(config, |(schema in document(), values in vec(value(), 1..12))| compare(&schema, &values));
}

#[track_caller]
fn has_plan(schema: Value, expected: bool) {
    assert_eq!(Plan::of(&schema, standard_options()).is_some(), expected, "{schema}");
}

#[test]
fn what_tools_ask_for_has_a_plan() {
    has_plan(
        json!({"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object"}),
        true,
    );
    has_plan(
        json!({"properties": {"a": {"$ref": "#/$defs/a"}, "$ref": {}}, "$defs": {"a": {}}}),
        true,
    );
    has_plan(json!({"prefixItems": [{"format": "date"}], "items": {"pattern": "^(?!x)"}}), true);
    has_plan(json!({"additionalProperties": {"enum": [1, "a", null]}, "required": ["a"]}), true);
}

#[test]
fn whatever_else_a_schema_says_is_left_to_the_other_engine() {
    for keyword in ["allOf", "anyOf", "oneOf"] {
        has_plan(json!({keyword: [{}]}), false);
    }
    for keyword in ["not", "if", "contains", "propertyNames", "unevaluatedProperties", "x-unknown"]
    {
        has_plan(json!({"items": {keyword: {}}}), false);
    }
    has_plan(json!({"patternProperties": {"^a": {}}}), false);
    has_plan(json!({"$ref": "#/$defs/a", "minLength": 1, "$defs": {"a": {}}}), false);
    has_plan(json!({"properties": {"next": {"$ref": "#"}}}), false);
    has_plan(json!({"$ref": "#/$defs/a%20b", "$defs": {"a b": {}}}), false);
    has_plan(
        json!({"$ref": "#/$defs/a", "$defs": {"a": {}, "b": {"$id": "https://example.com/b"}}}),
        false,
    );
    has_plan(json!({"items": {"$schema": "https://json-schema.org/draft/2020-12/schema"}}), false);
    has_plan(json!({"properties": {}, "additionalProperties": false, "required": ["a"]}), false);
    has_plan(json!({"maxLength": 2.0}), false);
}

#[test]
fn a_schema_that_goes_too_deep_has_no_plan() {
    let nested = |depth: usize| (1..depth).fold(json!({}), |inner, _| json!({"items": inner}));
    has_plan(nested(64), true);
    has_plan(nested(65), false);
}
