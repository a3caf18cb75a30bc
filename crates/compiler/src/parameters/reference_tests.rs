//! References: where they lead, and those that lead nowhere.

use serde_json::{Map, json};

use super::tests::{check_help, check_parameter, check_parameters, findings};
use super::*;

/// A tool whose parameter `p` is this schema, beside these definitions.
fn tool(schema: impl Into<Value>, definitions: impl Into<Value>) -> Value {
    let (schema, definitions) = (schema.into(), definitions.into());
    json!({"type": "object", "additionalProperties": false, "properties": {"p": schema}, "$defs": definitions})
}

#[track_caller]
fn check_reference(reference: &str, definitions: Value, expected: &[&str]) {
    check_parameters(tool(json!({"$ref": reference}), definitions), expected);
}

#[test]
fn pointers_anchors_and_identifiers_lead_somewhere() {
    check_reference("#/$defs/a", json!({"a": {"type": "string"}}), &[]);
    check_reference("#", json!({}), &[]);
    check_reference("#a", json!({"a": {"$anchor": "a"}}), &[]);
    check_reference("#a", json!({"a": {"$dynamicAnchor": "a"}}), &[]);
    check_reference("item.json", json!({"a": {"$id": "item.json"}}), &[]);
    check_reference(
        "item.json#/$defs/b",
        json!({"a": {"$id": "item.json", "$defs": {"b": {}}}}),
        &[],
    );
    check_reference("#/$defs/a%20b~1c", json!({"a b/c": {}}), &[]);
    check_reference("#/$defs/a/items", json!({"a": {"items": true}}), &[]);
    check_parameter(json!({"$dynamicRef": "#n", "$defs": {"n": {"$dynamicAnchor": "n"}}}), &[]);
}

#[test]
fn an_identifier_changes_what_references_count_from() {
    let part =
        json!({"a": {"$id": "https://example.com/a", "$ref": "#/$defs/b", "$defs": {"b": {}}}});
    check_parameters(tool(json!({}), part), &[]);
    let part = json!({"a": {"$id": "https://example.com/a", "$ref": "#/$defs/a"}});
    check_parameters(
        tool(json!({}), part),
        &["A004 /$defs/a/$ref `$ref` of `a` points to `#/$defs/a`, which does not exist"],
    );
}

#[test]
fn references_to_nowhere_are_reported() {
    for (reference, what) in [
        ("#/$defs/b", "which does not exist"),
        ("#/$defs/a/items/0", "which does not exist"),
        ("#b", "but the schema has no such `$anchor`"),
        ("#/$defs/a/title", "which is not a schema"),
        ("#/$defs/List<a>", "which is not a URI reference"),
        ("#/$defs/%zz", "which is not a URI reference"),
    ] {
        check_reference(
            reference,
            json!({"a": {"title": "A"}}),
            &[&format!("A004 /properties/p/$ref `$ref` of `p` points to `{reference}`, {what}")],
        );
    }
}

#[test]
fn references_to_nowhere_get_a_better_one() {
    let with = |reference: &str| {
        let found = findings(
            &json!({"parameters": tool(json!({"$ref": reference}), json!({"Filter": {"$anchor": "node"}}))}),
            "/parameters",
        );
        found.0.into_iter().filter_map(|finding| finding.help).collect::<Vec<_>>()
    };
    assert_eq!(with("#/$defs/Filters"), ["did you mean `#/$defs/Filter`?"]);
    assert_eq!(with("#/parameters/$defs/Filter"), ["did you mean `#/$defs/Filter`?"]);
    assert_eq!(with("#/components/schemas/Filter"), ["did you mean `#/$defs/Filter`?"]);
    assert_eq!(with("#nod"), ["did you mean `#node`?"]);
    assert_eq!(with("Filter"), ["did you mean `#/$defs/Filter`?"]);
    assert_eq!(
        with("#/$defs/A b"),
        ["write `#/$defs/A%20b`, or choose a name of plain letters and digits"]
    );
    check_help(
        json!({"$ref": "#/$defs/x"}),
        "add the schema under `$defs` and point to `#/$defs/name`",
    );
}

#[test]
fn references_out_of_the_schema_are_reported() {
    for reference in [
        "https://example.com/schema.json",
        "file:///etc/passwd",
        "other.json#/$defs/a",
        "https://json-schema.org/draft/2020-12/schema",
    ] {
        check_parameter(
            json!({"$ref": reference}),
            &[&format!("A005 /$ref `$ref` of `p` points out of the schema, to `{reference}`")],
        );
    }
}

#[test]
fn what_references_lead_to_is_checked_once() {
    check_parameters(
        json!({"type": "object", "additionalProperties": false, "x-types": {"a": {"type": "int"}},
            "properties": {"p": {"$ref": "#/x-types/a"}, "q": {"$ref": "#/x-types/a"}}}),
        &[
            "A009 /x-types/a/type unknown type `int` of `parameters`: expected string, integer, number, boolean, array, object, null",
        ],
    );
}

#[test]
fn endless_references_are_reported() {
    let endless = |place: &str, subject: &str| {
        format!(
            "A006 {place} `$ref` of `{subject}` leads back to itself without going into a property or an item"
        )
    };
    check_reference(
        "#/$defs/a",
        json!({"a": {"$ref": "#/$defs/a"}}),
        &[&endless("/$defs/a/$ref", "a")],
    );
    check_parameter(json!({"$ref": "#/properties/p"}), &[&endless("/$ref", "p")]);
    check_reference(
        "#/$defs/a",
        json!({"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}),
        &[&endless("/$defs/a/$ref", "a")],
    );
    for part in [
        json!({"allOf": [{"$ref": "#/$defs/a"}]}),
        json!({"anyOf": [{"type": "null"}, {"not": {"$ref": "#/$defs/a"}}]}),
        json!({"if": {"$ref": "#/$defs/a"}}),
        json!({"dependentSchemas": {"x": {"$ref": "#/$defs/a"}}}),
    ] {
        let (found, compiled) =
            findings(&json!({"parameters": tool(json!({}), json!({"a": part}))}), "/parameters");
        let codes: Vec<_> = found.iter().map(|finding| finding.rule.code).collect();
        assert_eq!((codes, compiled), (vec!["AIL-A006"], false), "{part}");
    }
}

#[test]
fn recursion_into_the_value_is_fine() {
    for part in [
        json!({"properties": {"x": {"$ref": "#/$defs/a"}}}),
        json!({"items": {"$ref": "#/$defs/a"}}),
        json!({"anyOf": [{"type": "string"}, {"type": "array", "items": {"$ref": "#/$defs/a"}}]}),
        json!({"additionalProperties": {"anyOf": [{"$ref": "#/$defs/a"}, {"$ref": "#/$defs/a"}]}}),
    ] {
        check_reference("#/$defs/a", json!({"a": part}), &[]);
    }
}

/// `a0` refers to `a1` by way of `link`, and so on.
fn chain(length: usize, link: impl Fn(Value) -> Value) -> Value {
    let mut definitions = Map::new();
    for at in 0..length {
        let next = json!({"$ref": format!("#/$defs/a{}", at + 1)});
        definitions.insert(format!("a{at}"), link(next));
    }
    definitions.insert(format!("a{length}"), json!({"type": "string"}));
    tool(json!({"$ref": "#/$defs/a0"}), Value::Object(definitions))
}

fn codes(schema: &Value) -> (Vec<&'static str>, bool) {
    let (found, compiled) = findings(&json!({"parameters": schema}), "/parameters");
    (found.iter().map(|finding| finding.rule.code).collect(), compiled)
}

#[test]
fn long_chains_end_in_a_finding_and_not_in_a_full_stack() {
    assert_eq!(codes(&chain(60, |next| next)), (vec![], true));
    let (found, compiled) = codes(&chain(10_000, |next| next));
    assert!(!compiled && found.iter().all(|code| *code == "AIL-A006"));
    assert_eq!(codes(&chain(20, |next| json!({"allOf": [next]}))), (vec![], true));
    let (found, compiled) =
        codes(&chain(10_000, |next| json!({"anyOf": [{"type": "null"}, next]})));
    assert!(!compiled && found.contains(&"AIL-A006"));
    assert_eq!(codes(&chain(500, |next| json!({"properties": {"x": next}}))), (vec![], true));
}

#[test]
fn references_that_multiply_are_reported() {
    let twice = |next: Value| json!({"allOf": [next, next]});
    assert_eq!(codes(&chain(10, twice)), (vec![], true));
    assert_eq!(codes(&chain(30, twice)), (vec!["AIL-A006"], false));
}
