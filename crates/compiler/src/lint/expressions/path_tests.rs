//! Paths are split, followed and spelled.

use serde_json::json;

use super::*;

#[track_caller]
fn check(path: &str, expected: &str) {
    let schema = json!({
        "type": "object", "additionalProperties": false,
        "properties": {
            "query": {"type": "string"},
            "free": {"type": "object"},
            "filters": {"type": "object", "additionalProperties": false, "properties": {
                "tags": {"type": "array", "items": {"type": "string"}}}},
            "rows": {"type": "array", "items": {"$ref": "#/$defs/row"}},
            "tree": {"$ref": "#/$defs/tree"},
        },
        "$defs": {
            "row": {"type": "object", "additionalProperties": false, "properties": {"name": {}}},
            "tree": {"type": "object", "additionalProperties": false, "properties": {
                "value": {"type": "integer"}, "left": {"$ref": "#/$defs/tree"}}},
        }
    });
    let segments = parse(path).unwrap();
    let found = match resolve(&PlaceSchemas::of(&schema), &segments, Arrays::Implied) {
        Resolution::Found(shape) => format!("found {}", shape.kind()),
        Resolution::Open => "open".to_owned(),
        Resolution::Unknown { depth, candidates } => {
            let (name, owner) = (spelled(&segments[depth..=depth]), spelled(&segments[..depth]));
            format!("no {name} in {owner:?}: {}", candidates.join(" "))
        }
    };
    assert_eq!(found, expected);
}

#[test]
fn paths_go_through_objects_and_arrays() {
    check("query", "found string");
    check("filters.tags", "found array");
    check("filters.tags[]", "found string");
    check("rows[].name", "found ");
    check("rows[0].name", "found ");
    check("rows.name", "found ");
}

#[test]
fn references_are_followed_as_deep_as_the_path_goes() {
    check("tree.left.left.left.value", "found integer");
    check("tree.left.right", "no right in \"tree.left\": left value");
}

#[test]
fn what_is_not_there_is_named_with_what_is() {
    check("quary", "no quary in \"\": filters free query rows tree");
    check("filters.tag", "no tag in \"filters\": tags");
    check("rows[].nme", "no nme in \"rows[]\": name");
    check("query.length", "no length in \"query\": ");
}

#[test]
fn an_open_object_may_hold_anything() {
    check("free.whatever.else", "open");
}

#[test]
fn texts_that_are_no_paths_are_left_alone() {
    for text in ["", "two words", "\"quoted\"", "a..b", "a.", "5", "a[", "a[x]", "a[]b", "f(x)"] {
        assert_eq!(parse(text), None, "{text}");
    }
    assert_eq!(
        parse("a[][*].b"),
        Some(vec![Segment::Name("a"), Segment::Items, Segment::Items, Segment::Name("b")])
    );
}
