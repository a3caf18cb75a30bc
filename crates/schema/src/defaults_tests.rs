//! Defaults through every path they are followed on, and through none they are not.

use serde_json::json;

use super::*;

#[track_caller]
fn check(schema: Value, value: Value, expected: Value) {
    let mut filled = value;
    Defaults::of(&schema).fill(&mut filled);
    assert_eq!(filled, expected);
}

#[test]
fn missing_properties_are_filled_and_present_ones_kept() {
    let schema = json!({"properties": {"top_k": {"default": 5}, "namespace": {"default": "studio"}, "query": {}}});
    check(
        schema.clone(),
        json!({"query": "x"}),
        json!({"query": "x", "top_k": 5, "namespace": "studio"}),
    );
    check(schema.clone(), json!({"top_k": null}), json!({"top_k": null, "namespace": "studio"}));
    check(schema, json!("not an object"), json!("not an object"));
}

#[test]
fn many_properties_are_filled_and_kept_alike() {
    let default = |number: usize| (format!("p{number}"), json!({"default": number}));
    let properties: Map<_, _> = (0..150).map(default).collect();
    let given: Map<_, _> = (0..150).step_by(3).map(|it| (format!("p{it}"), json!(null))).collect();
    let filled = |number: usize| if number.is_multiple_of(3) { Value::Null } else { json!(number) };
    let expected: Map<_, _> = (0..150).map(|it| (format!("p{it}"), filled(it))).collect();
    check(json!({"properties": properties}), given.into(), expected.into());
}

#[test]
fn nested_objects_are_filled_only_when_they_are_there() {
    let schema = json!({"properties": {"filters": {"properties": {"limit": {"default": 5}}}}});
    check(schema.clone(), json!({}), json!({}));
    check(schema, json!({"filters": {}}), json!({"filters": {"limit": 5}}));
}

#[test]
fn a_default_is_itself_filled() {
    let schema = json!({"properties": {"filters": {"default": {}, "properties": {"limit": {"default": 5}}}}});
    check(schema, json!({}), json!({"filters": {"limit": 5}}));
}

#[test]
fn items_and_prefix_items_are_followed() {
    let with = |n: i32| json!({"properties": {"a": {"default": n}}});
    check(json!({"items": with(1)}), json!([{}, {"a": 9}, 3]), json!([{"a": 1}, {"a": 9}, 3]));
    check(
        json!({"prefixItems": [{}, with(1)], "items": with(2)}),
        json!([{}, {}, {}]),
        json!([{}, {"a": 1}, {"a": 2}]),
    );
}

#[test]
fn references_and_all_of_are_followed() {
    let schema = json!({
        "$defs": {"page": {"properties": {"size": {"default": 10}}}, "flag": {"default": true}},
        "allOf": [{"$ref": "#/$defs/page"}, {"properties": {"sort": {"default": "new"}}}],
        "properties": {"deep": {"$ref": "#/$defs/page"}, "on": {"$ref": "#/$defs/flag"}}
    });
    check(
        schema,
        json!({"deep": {}}),
        json!({"deep": {"size": 10}, "on": true, "size": 10, "sort": "new"}),
    );
}

#[test]
fn choices_are_not_followed() {
    for keyword in ["anyOf", "oneOf"] {
        check(json!({keyword: [{"properties": {"a": {"default": 1}}}]}), json!({}), json!({}));
    }
    check(json!({"if": {"properties": {"a": {"default": 1}}}}), json!({}), json!({}));
}

#[test]
fn recursive_schemas_end() {
    let node = json!({"properties": {"value": {"default": 0}, "next": {"$ref": "#"}}});
    check(
        node,
        json!({"next": {"next": {}}}),
        json!({"value": 0, "next": {"value": 0, "next": {"value": 0}}}),
    );
    let endless = json!({"properties": {"next": {"$ref": "#", "default": {}}}});
    check(endless, json!({}), json!({"next": {}}));
    check(json!({"$ref": "#"}), json!({}), json!({}));
    check(json!({"$ref": "#", "properties": {"a": {"default": 1}}}), json!({}), json!({"a": 1}));
    check(json!({"allOf": [{"$ref": "#"}]}), json!({}), json!({}));
}
