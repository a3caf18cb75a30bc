//! Breaking changes between two schemas, case by case.

use serde_json::json;

use super::*;

/// The codes and messages of the changes for callers.
fn changes(previous: &Value, current: &Value) -> Vec<String> {
    let found = arguments(&wrap(previous), &wrap(current));
    found.iter().map(|found| format!("{}: {}", found.promise.rule.code, found.message)).collect()
}

/// A closed object with the parameter `x`, and definitions for it to refer to.
fn wrap(schema: &Value) -> Value {
    json!({
        "type": "object", "additionalProperties": false, "properties": {"x": schema},
        "$defs": {
            "text": {"type": "string"},
            "tree": {"type": "object", "properties": {"left": {"$ref": "#/$defs/tree"}}},
            "named": {"$anchor": "here", "type": "integer"},
        }
    })
}

#[track_caller]
fn check_same(previous: &Value, current: &Value) {
    assert_eq!(changes(previous, current), [""; 0], "{previous} to {current}");
    assert_eq!(changes(current, previous), [""; 0], "{current} to {previous}");
}

/// The first is a part of the second: a break one way, an addition the other way.
#[track_caller]
fn check_narrower(narrow: &Value, wide: &Value, code: &str) {
    let broken = changes(wide, narrow);
    assert!(!broken.is_empty(), "no break from {wide} to {narrow}");
    assert!(broken.iter().all(|found| found.starts_with(code)), "{broken:?}");
    let added = changes(narrow, wide);
    assert!(!added.is_empty(), "no addition from {narrow} to {wide}");
    assert!(added.iter().all(|found| found.starts_with("ADDITION_NEEDS_MINOR")), "{added:?}");
}

#[test]
fn other_words_for_the_same_are_no_change() {
    check_same(&json!({"type": "string"}), &json!({"$ref": "#/$defs/text"}));
    check_same(&json!({"type": "string"}), &json!({"allOf": [{"$ref": "#/$defs/text"}]}));
    check_same(&json!({"type": "string"}), &json!({"type": ["string"], "title": "Text"}));
    check_same(&json!({"type": "integer"}), &json!({"$ref": "#here"}));
    check_same(&json!({"const": "a"}), &json!({"enum": ["a"]}));
    check_same(&json!({"enum": ["a", "b"]}), &json!({"type": "string", "enum": ["b", "a"]}));
    check_same(&json!({"enum": ["a", "b"]}), &json!({"anyOf": [{"const": "a"}, {"const": "b"}]}));
    check_same(&json!({"enum": [1, 2]}), &json!({"enum": [1.0, 2], "minimum": 1, "maximum": 2}));
    check_same(&json!({"type": "boolean"}), &json!({"enum": [true, false]}));
    check_same(
        &json!({"type": ["string", "null"]}),
        &json!({"anyOf": [{"type": "string"}, {"type": "null"}]}),
    );
    check_same(
        &json!({"type": "integer", "minimum": 1}),
        &json!({"type": "integer", "exclusiveMinimum": 0}),
    );
    check_same(
        &json!({"type": "integer", "maximum": 9.5}),
        &json!({"type": "integer", "maximum": 9}),
    );
    check_same(&json!({"type": "integer"}), &json!({"type": "integer", "multipleOf": 1}));
    check_same(
        &json!({"type": "string"}),
        &json!({"type": "string", "minLength": 0, "minimum": 5}),
    );
    check_same(
        &json!({"type": "array"}),
        &json!({"type": "array", "uniqueItems": false, "items": true}),
    );
    check_same(&json!({"type": "object"}), &json!({"type": "object", "additionalProperties": {}}));
    check_same(&json!({}), &json!(true));
}

#[test]
fn union_branches_may_be_reordered() {
    let branches = [
        json!({"type": "object", "properties": {"kind": {"const": "a"}}, "required": ["kind"]}),
        json!({"type": "object", "properties": {"kind": {"const": "b"}}, "required": ["kind"]}),
    ];
    let [a, b] = &branches;
    check_same(&json!({"oneOf": [a, b]}), &json!({"oneOf": [b, a]}));
    check_same(&json!({"oneOf": [a, b]}), &json!({"anyOf": [b, a]}));
    check_narrower(&json!({"oneOf": [a]}), &json!({"oneOf": [a, b]}), "");
}

#[test]
fn types_have_parts() {
    let code = "PARAM_SAME_TYPE";
    check_narrower(&json!({"type": "integer"}), &json!({"type": "number"}), code);
    check_narrower(&json!({"type": "string"}), &json!({"type": ["string", "null"]}), code);
    check_narrower(&json!({"type": "string"}), &json!({}), code);
    assert_eq!(
        changes(&json!({"type": "string"}), &json!({"type": "integer", "minimum": 1})),
        ["PARAM_SAME_TYPE: parameter `x`: string became integer"]
    );
}

#[test]
fn bounds_of_numbers_know_their_edges() {
    let code = "BOUNDS_NO_TIGHTEN";
    let number = |keyword: &str, value: f64| json!({"type": "number", keyword: value});
    check_narrower(&number("exclusiveMinimum", 1.0), &number("minimum", 1.0), code);
    check_narrower(&number("maximum", 1.0), &number("exclusiveMaximum", 1.5), code);
    check_narrower(&number("minimum", 1.5), &number("exclusiveMinimum", 1.0), code);
    check_narrower(&number("multipleOf", 0.2), &number("multipleOf", 0.1), code);
    check_narrower(
        &json!({"type": "integer", "minimum": 2}),
        &json!({"type": "integer", "exclusiveMinimum": 0.5}),
        code,
    );
    let large = |value: u64| json!({"type": "integer", "maximum": value});
    check_narrower(&large(9_007_199_254_740_992), &large(9_007_199_254_740_993), code);
}

#[test]
fn listed_values_are_measured_by_the_bounds_they_meet() {
    assert_eq!(
        changes(&json!({"enum": [1, 2, 3]}), &json!({"type": "integer", "minimum": 2})),
        ["BOUNDS_NO_TIGHTEN: parameter `x`: no `minimum` became `minimum: 2`"]
    );
    let loosened =
        changes(&json!({"enum": ["a", "b"]}), &json!({"type": "string", "pattern": "^[ab]$"}));
    assert_eq!(
        loosened,
        ["ADDITION_NEEDS_MINOR: parameter `x`: only \"a\", \"b\" became any string"]
    );
}

#[test]
fn recursive_schemas_end() {
    let tree = |leaf: &str| {
        json!({"type": "object", "properties": {
            "value": {"type": leaf}, "left": {"$ref": "#/properties/x"},
            "right": {"anyOf": [{"type": "null"}, {"$ref": "#/properties/x"}]}
        }})
    };
    check_same(&tree("string"), &json!({"allOf": [tree("string")]}));
    assert_eq!(
        changes(&tree("string"), &tree("integer")),
        ["PARAM_SAME_TYPE: parameter `x.value` (and elsewhere): string became integer"]
    );
    check_same(
        &json!({"$ref": "#/$defs/tree"}),
        &json!({"type": "object", "properties": {
        "left": {"type": "object", "properties": {"left": {"$ref": "#/$defs/tree"}}}}}),
    );
}

#[test]
fn references_that_lead_nowhere_or_in_circles_are_survived() {
    let circle = json!({"$ref": "#/properties/x"});
    let nowhere = json!({"$ref": "#/$defs/missing"});
    let other = json!({"$ref": "https://example.com/schema"});
    changes(&circle, &nowhere);
    changes(&nowhere, &circle);
    check_narrower(&other, &json!({}), "SCHEMA_NO_UNJUDGED_CHANGE");
    check_same(&other, &json!({"title": "Other", "$ref": "https://example.com/schema"}));
}

#[test]
fn a_definition_that_changes_breaks_where_it_is_used() {
    let with = |kind: &str| {
        json!({"type": "object", "additionalProperties": false,
            "properties": {"from": {"$ref": "#/$defs/day"}, "to": {"items": {"$ref": "#/$defs/day"}}},
            "$defs": {"day": {"type": kind}, "unused": {"type": kind}}})
    };
    let found = arguments(&with("string"), &with("integer"));
    let found: Vec<_> = found.iter().map(|f| (f.pointer.as_str(), f.message.as_str())).collect();
    assert_eq!(
        found,
        [("/parameters/$defs/day/type", "parameter `from` (and elsewhere): string became integer"),]
    );
}

#[test]
fn a_changed_branch_is_told_from_a_lost_one() {
    let either = |length: u64| json!({"anyOf": [{"type": "string", "maxLength": length}, {"type": "integer"}]});
    assert_eq!(
        changes(&either(9), &either(5)),
        ["BOUNDS_NO_TIGHTEN: parameter `x`: `maxLength: 9` became `maxLength: 5`"]
    );
    assert_eq!(
        changes(&either(9), &json!({"type": "string", "maxLength": 9})),
        [
            "UNION_NO_NARROW: parameter `x` lost the alternative `/parameters/properties/x/anyOf/1` (integer)"
        ]
    );
    assert_eq!(
        changes(&json!({"type": ["string", "integer"], "maxLength": 9}), &either(5)),
        ["BOUNDS_NO_TIGHTEN: parameter `x`: `maxLength: 9` became `maxLength: 5`"]
    );
}

#[test]
fn a_one_of_that_may_overlap_cannot_be_judged() {
    let one =
        |keyword: &str| json!({keyword: [{"type": "string"}, {"type": "string", "minLength": 3}]});
    let found = changes(&one("anyOf"), &one("oneOf"));
    assert_eq!(
        found,
        ["SCHEMA_NO_UNJUDGED_CHANGE: parameter `x`: `oneOf` was added, which cannot be judged"]
    );
    check_same(&one("oneOf"), &json!({"title": "One", "oneOf": one("oneOf")["oneOf"]}));
}

#[test]
fn open_objects_take_what_they_do_not_name() {
    let open = json!({"type": "object"});
    let named = |schema: &Value| json!({"type": "object", "properties": {"a": schema}});
    assert_eq!(
        changes(&open, &named(&json!({"type": "string"}))),
        ["PARAM_SAME_TYPE: parameter `x.a`: any type became string"]
    );
    let described = changes(&open, &named(&json!({"description": "Anything."})));
    assert_eq!(described, ["ADDITION_NEEDS_MINOR: parameter `x.a` is added"]);
    let map = |kind: &str| json!({"type": "object", "additionalProperties": {"type": kind}});
    check_narrower(&map("integer"), &map("number"), "PARAM_SAME_TYPE: parameter `x.*`");
}

#[test]
fn a_default_fills_in_what_is_required() {
    let object = |required: &[&str]| json!({"type": "object", "required": required, "properties": {"a": {"type": "string", "default": "b"}}});
    check_same(&object(&[]), &object(&["a"]));
    let items = |required: &[&str]| json!({"type": "array", "items": object(required)});
    check_same(&items(&[]), &items(&["a"]));
    let map =
        |required: &[&str]| json!({"type": "object", "additionalProperties": object(required)});
    check_narrower(
        &map(&["a"]),
        &map(&[]),
        "PARAM_NO_NEW_REQUIRED: parameter `x.*.a` became required",
    );
}

#[test]
fn a_schema_that_is_too_large_is_said_to_be() {
    let branches: Vec<_> = (0..300).map(|n| json!({"const": n})).collect();
    let wide = json!({"anyOf": branches});
    let found = changes(&wide, &json!({"title": "Wide", "anyOf": branches}));
    assert_eq!(found, ["SCHEMA_NO_UNJUDGED_CHANGE: parameter `x` is too large to compare"]);
}

#[test]
fn definitions_that_share_definitions_are_compared_once() {
    let with = |leaf: &str| {
        let both = |n: u32| {
            let next = json!({"$ref": format!("#/$defs/{}", n + 1)});
            (n.to_string(), json!({"type": "object", "properties": {"a": next, "b": next}}))
        };
        let mut definitions: serde_json::Map<_, _> = (0..40).map(both).collect();
        definitions.insert("40".to_owned(), json!({"type": leaf}));
        json!({"properties": {"x": {"$ref": "#/$defs/0"}}, "$defs": definitions})
    };
    let found = arguments(&with("string"), &with("integer"));
    let found: Vec<_> = found.iter().map(|found| found.pointer.as_str()).collect();
    assert_eq!(found, ["/parameters/$defs/40/type"]);
}
