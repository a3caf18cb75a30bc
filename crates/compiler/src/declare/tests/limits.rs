//! Schemas made to never end: every target ends, and says where it stopped.

use super::*;

/// The losses of a schema at every target, without the keywords.
fn kinds(parameters: &Value) -> Vec<Vec<LossKind>> {
    let kinds = |(target, form)| {
        let declaration = declare(&tool(parameters), target, form).unwrap();
        let mut kinds: Vec<_> = declaration.losses.iter().map(|loss| loss.kind).collect();
        kinds.sort();
        kinds.dedup();
        kinds
    };
    FORMS.into_iter().map(kinds).collect()
}

fn native(parameters: &Value) -> Declaration {
    declare(&tool(parameters), Provider::GeminiNative, OpenAiForm::Plain).unwrap()
}

fn with_definitions(definitions: &Value) -> Value {
    json!({
        "type": "object",
        "properties": { "p": { "$ref": "#/$defs/d0" } },
        "$defs": definitions,
    })
}

/// `count` definitions, each made of the reference to the next; the last is a text.
fn chain(count: usize, link: fn(Value) -> Value) -> Value {
    let reference = |i: usize| json!({ "$ref": format!("#/$defs/d{i}") });
    let mut definitions: serde_json::Map<_, _> =
        (0..count).map(|i| (format!("d{i}"), link(reference(i + 1)))).collect();
    definitions.insert(format!("d{count}"), json!({ "type": "string" }));
    with_definitions(&Value::Object(definitions))
}

fn has(declaration: &Declaration, kind: LossKind) -> bool {
    declaration.losses.iter().any(|loss| loss.kind == kind)
}

#[test]
fn references_that_only_lead_to_each_other_are_cut() {
    let loops = [
        json!({ "d0": { "$ref": "#/$defs/d0" } }),
        json!({ "d0": { "$ref": "#/$defs/d1" }, "d1": { "$ref": "#/$defs/d0" } }),
        json!({ "d0": { "allOf": [{ "$ref": "#/$defs/d0" }, { "type": "object" }] } }),
        json!({ "d0": { "anyOf": [{ "$ref": "#/$defs/d0" }] } }),
        json!({ "d0": { "anyOf": [{ "$ref": "#/$defs/d0" }, { "type": "string" }] } }),
        json!({ "d0": { "anyOf": [{ "$ref": "#/$defs/d1" }] },
            "d1": { "oneOf": [{ "$ref": "#/$defs/d1" }] } }),
    ];
    for definitions in &loops {
        let parameters = with_definitions(definitions);
        assert_eq!(kinds(&parameters).len(), FORMS.len());
    }
}

#[test]
fn mutual_recursion_is_cut_once_around() {
    let parameters = with_definitions(&json!({
        "d0": { "type": "object", "properties": { "next": { "$ref": "#/$defs/d1" } } },
        "d1": { "type": "object", "properties": { "back": { "$ref": "#/$defs/d0" } } },
    }));
    let declaration = native(&parameters);
    assert!(has(&declaration, LossKind::Recursive));
    assert_eq!(
        declaration.value["parameters"]["properties"]["p"],
        json!({ "type": "OBJECT", "properties": { "next": {
            "type": "OBJECT", "properties": { "back": {
                "type": "OBJECT", "description": "Has the same form as `d0`.",
            } },
        } } })
    );
}

#[test]
fn a_long_chain_of_bare_references_is_followed() {
    let declaration = native(&chain(2_000, |next| next));
    let p = &declaration.value["parameters"]["properties"]["p"];
    assert_eq!(p, &json!({ "type": "STRING" }));
}

#[test]
fn definitions_inside_of_definitions_end_at_a_depth() {
    let parameters = chain(500, |next| json!({ "type": "object", "properties": { "x": next } }));
    assert!(has(&native(&parameters), LossKind::TooLarge));
}

#[test]
fn definitions_that_double_end_at_a_size() {
    let links: [fn(Value) -> Value; 4] = [
        |next| json!({ "type": "object", "properties": { "x": next, "y": next } }),
        |next| json!({ "anyOf": [next, { "type": "array", "items": next }] }),
        |next| json!({ "type": "array", "items": next, "contains": next, "prefixItems": [next, next] }),
        |next| json!({ "type": "object", "title": "T", "properties": { "x": { "allOf": [next], "title": "X" }, "y": { "allOf": [next], "title": "Y" } } }),
    ];
    for link in links {
        let parameters = chain(40, link);
        let found = kinds(&parameters);
        assert_eq!(found.len(), FORMS.len());
    }
    assert!(has(&native(&chain(40, links[0])), LossKind::TooLarge));
}

#[test]
fn the_same_definition_in_one_all_of_is_said_once() {
    let parameters = chain(60, |next| json!({ "allOf": [next, next, { "minLength": 1 }] }));
    let p = &native(&parameters).value["parameters"]["properties"]["p"];
    assert_eq!(p, &json!({ "type": "STRING", "minLength": 1 }));
}

#[test]
fn many_branches_beside_many_properties_end_at_a_size() {
    let properties: serde_json::Map<_, _> =
        (0..300).map(|i| (format!("p{i}"), json!({ "type": "string" }))).collect();
    let branches: Vec<_> = (0..300).map(|i| json!({ "minProperties": i })).collect();
    let parameters = json!({ "type": "object", "properties": { "p": {
        "type": "object", "properties": properties, "anyOf": branches,
    } } });
    assert!(has(&native(&parameters), LossKind::TooLarge));
}

#[test]
fn nesting_as_deep_as_json_allows_is_taken_as_it_is_written() {
    let deep = (0..110)
        .fold(json!({ "type": "string" }), |inner, _| json!({ "type": "array", "items": inner }));
    let parameters = json!({ "type": "object", "properties": { "p": deep } });
    let found = kinds(&parameters);
    let too_large = vec![LossKind::TooLarge];
    assert_eq!(found[0], []);
    assert_eq!(found[4], too_large);
    let declaration = declare(&tool(&parameters), Provider::Anthropic, OpenAiForm::Plain).unwrap();
    assert_eq!(declaration.value["input_schema"], parameters);
}
