//! Schemas with anything put anywhere: the check never panics, accepted schemas compile, and it
//! refuses no schema that the meta-schema allows.

use proptest::prelude::*;
use serde_json::json;

use super::suite_tests::{meta_schema_accepts, refused_values};
use super::tests::findings;
use super::*;

fn kb_search() -> Value {
    json!({
        "type": "object", "additionalProperties": false, "required": ["query"],
        "properties": {
            "query": {"type": "string", "minLength": 1, "maxLength": 500, "pattern": "^\\S"},
            "top_k": {"type": "integer", "minimum": 1, "maximum": 20, "default": 5},
            "filters": {"type": "object", "properties": {
                "namespace": {"enum": ["people", "docs"]},
                "tags": {"type": "array", "items": {"type": "string"}, "maxItems": 10, "uniqueItems": true},
                "range": {"$ref": "#/$defs/range"}}},
            "fields": {"anyOf": [{"const": "all"}, {"type": "array", "prefixItems": [{}], "contains": {}}]}
        },
        "$defs": {"range": {"$anchor": "range", "if": {"required": ["from"]}, "then": {},
            "properties": {"from": {"format": "date-time"}, "parts": {"items": {"$ref": "#range"}}}}}
    })
}

fn name() -> impl Strategy<Value = String> {
    let known: Vec<_> = keyword::names().map(str::to_owned).collect();
    prop_oneof![
        8 => proptest::sample::select(known),
        1 => proptest::sample::select(vec![
            "definitions", "dependencies", "additionalItems", "id", "nullable", "$recursiveRef",
            "x-note", "maxLenght", "", "a/b~c", "query",
        ]).prop_map(str::to_owned),
    ]
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => proptest::sample::select(vec![
            "#", "#/$defs/range", "#range", "#/properties/filters", "#/$defs/none", "#/properties",
            "http://example.com/", "item.json", "item", "", "#/", "#/$defs/range/properties/parts",
            "string", "object", "int", "null", "(a+)+", "[", "\\", "(?=x)", "^a$", "\\a", "date-time",
            "query", "a b", "//", "%", "#%", "urn:a:b", "\u{0}", "http://[", "#/required/0",
            "http://json-schema.org/draft-07/schema#", "https://json-schema.org/draft/2020-12/schema",
        ]).prop_map(str::to_owned),
        1 => "\\PC{0,12}",
    ]
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        (-3_i64..30).prop_map(Value::from),
        proptest::sample::select(vec![0.5, 2.0, -0.0, 1e30, 1e-300, -1.5]).prop_map(Value::from),
        text().prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 16, 4, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            proptest::collection::btree_map(name(), inner, 0..4)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

/// Where to put what: the place is found by taking the step of that number at each level.
fn mutation() -> impl Strategy<Value = (Vec<prop::sample::Index>, String, Value)> {
    (proptest::collection::vec(any::<prop::sample::Index>(), 0..7), name(), value())
}

fn mutate(schema: &mut Value, path: &[prop::sample::Index], name: &str, value: Value) {
    match (schema, path) {
        (Value::Object(map), [step, rest @ ..]) if !map.is_empty() => {
            let at = step.index(map.len());
            if let Some(child) = map.values_mut().nth(at) {
                mutate(child, rest, name, value);
            }
        }
        (Value::Array(items), [step, rest @ ..]) if !items.is_empty() => {
            let at = step.index(items.len());
            mutate(&mut items[at], rest, name, value);
        }
        (Value::Object(map), _) => {
            map.insert(name.to_owned(), value);
        }
        (Value::Array(items), _) => items.push(value),
        (leaf, _) => *leaf = value,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_let_through_compiles(mutations in proptest::collection::vec(mutation(), 1..6)) {
        let mut schema = kb_search();
        for (path, name, value) in mutations {
            mutate(&mut schema, &path, &name, value);
        }
        let (found, compiled) = findings(&json!({"parameters": schema}), "/parameters");
        let refused = found.iter().any(|finding| finding.severity == Severity::Error);
        prop_assert!(refused || compiled, "{schema}");
        let unexplained: Vec<_> = found.iter().filter(|f| f.rule.code == "AIL-A020").collect();
        prop_assert!(unexplained.is_empty(), "{unexplained:?} in {schema}");
    }

    #[test]
    fn values_that_the_meta_schema_allows_are_allowed(mutations in proptest::collection::vec(mutation(), 1..3)) {
        let mut schema = kb_search();
        for (path, name, value) in mutations {
            mutate(&mut schema, &path, &name, value);
        }
        let refused = refused_values(&schema);
        prop_assert!(refused.is_empty() || !meta_schema_accepts(&schema), "{refused:?} in {schema}");
    }
}
