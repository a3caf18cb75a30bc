//! Made-up schemas, from plain garbage to ones that nearly make sense.

use aileron_schema::Validator;
use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use proptest::sample::{select, subsequence};

use super::meaning::{array_levels, declared};
use super::rules::faults;
use super::*;

const KEYWORDS: &[&str] = &[
    "type",
    "properties",
    "required",
    "items",
    "enum",
    "const",
    "anyOf",
    "oneOf",
    "allOf",
    "not",
    "if",
    "then",
    "else",
    "$ref",
    "$defs",
    "definitions",
    "format",
    "nullable",
    "default",
    "minimum",
    "exclusiveMaximum",
    "multipleOf",
    "minLength",
    "pattern",
    "uniqueItems",
    "contains",
    "minProperties",
    "additionalProperties",
    "patternProperties",
    "propertyNames",
    "description",
    "dependentRequired",
    "dependentSchemas",
    "prefixItems",
    "$schema",
    "$id",
    "$anchor",
    "x-other",
];

const TEXTS: &[&str] = &[
    "",
    "string",
    "object",
    "array",
    "integer",
    "null",
    "a",
    "b",
    "#",
    "#/$defs/a",
    "#/$defs/b",
    "#/properties/a",
    "#a",
    "date-time",
    "https://example.com/",
    "é%/~",
    "#/%7E%",
    "#/$defs/%61",
];

fn leaf() -> impl Strategy<Value = Value> {
    prop_oneof![
        any::<bool>().prop_map(Value::from),
        (-3i64..9).prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        select(TEXTS).prop_map(Value::from),
        Just(Value::Null),
    ]
}

fn key() -> impl Strategy<Value = String> {
    prop_oneof![
        6 => select(KEYWORDS).prop_map(str::to_owned),
        2 => select(TEXTS).prop_map(str::to_owned),
    ]
}

/// JSON that looks like a schema now and then.
fn garbage() -> impl Strategy<Value = Value> {
    leaf().prop_recursive(6, 120, 8, |inner| {
        prop_oneof![
            1 => vec(inner.clone(), 0..5).prop_map(Value::from),
            4 => btree_map(key(), inner, 0..8)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

/// A schema without further schemas.
fn simple() -> impl Strategy<Value = Value> {
    select(vec![
        json!({}),
        json!(true),
        json!({ "type": "string", "minLength": 1 }),
        json!({ "type": "string", "enum": ["a", "b"] }),
        json!({ "enum": ["a", 1, null] }),
        json!({ "const": "a" }),
        json!({ "const": 1 }),
        json!({ "type": "integer", "minimum": 1 }),
        json!({ "type": ["integer", "null"], "exclusiveMaximum": 3 }),
        json!({ "type": ["string", "boolean"] }),
        json!({ "type": "null" }),
        json!({ "type": "number", "multipleOf": 2 }),
        json!({ "description": "A value" }),
        json!({ "$ref": "#/$defs/a" }),
        json!({ "$ref": "#/$defs/b" }),
        json!({ "$ref": "#/definitions/c" }),
        json!({ "enum": ["a", 1, 2.5, true, null, ["a"], { "a": 1 }] }),
        json!({ "type": "string", "pattern": "^a" }),
        json!({ "type": "string", "nullable": true }),
        json!({ "type": "array", "contains": { "const": "a" } }),
        json!({ "type": "array", "items": true, "uniqueItems": true }),
        json!({ "not": { "type": "string" } }),
    ])
}

/// A keyword whose loss makes other keywords beside it mean more than before.
fn conditional(inner: impl Strategy<Value = Value> + Clone) -> impl Strategy<Value = Value> {
    let closed = select(vec![json!(false), json!(true), json!({ "type": "string" })]);
    let one = || inner.clone();
    prop_oneof![
        (select(vec!["^a", "b", "^p"]), one(), closed.clone()).prop_map(
            |(pattern, a, rest)| json!({
                "type": "object", "patternProperties": { pattern: a }, "additionalProperties": rest
            })
        ),
        (one(), one()).prop_map(|(a, items)| json!({
            "type": "array", "prefixItems": [a], "items": items
        })),
        (one(), one()).prop_map(|(a, b)| json!({ "type": "array", "prefixItems": [a, b] })),
        (one(), one())
            .prop_map(|(a, b)| json!({ "type": "array", "prefixItems": [a, b], "items": false })),
        (one(), one(), one()).prop_map(|(a, b, c)| json!({ "if": a, "then": b, "else": c })),
        (one(), closed).prop_map(|(a, rest)| json!({
            "type": "object", "allOf": [{ "properties": { "a": a } }], "unevaluatedProperties": rest
        })),
        one().prop_map(|a| json!({ "type": "object", "dependentSchemas": { "a": a } })),
        one().prop_map(|a| json!({ "type": "object", "additionalProperties": a })),
        one().prop_map(|a| json!({ "oneOf": [
            beside(a.clone(), json!({ "type": "string", "minLength": 1 })),
            beside(a, json!({ "type": "string", "maxLength": 0 })),
        ] })),
    ]
}

/// Merges two schemas; the second one wins.
fn beside(a: Value, b: Value) -> Value {
    match (a, b) {
        (Value::Object(mut a), Value::Object(b)) => {
            a.extend(b);
            Value::Object(a)
        }
        (_, b) => b,
    }
}

fn object(inner: impl Strategy<Value = Value>) -> impl Strategy<Value = Value> {
    let names = subsequence(vec!["a", "b"], 0..=2);
    let closed = select(vec![json!({}), json!({ "additionalProperties": false })]);
    (btree_map(select(vec!["a", "b"]), inner, 0..3), names, closed).prop_map(
        |(properties, required, closed)| {
            beside(
                json!({ "type": "object", "properties": properties, "required": required }),
                closed,
            )
        },
    )
}

/// A schema that JSON Schema takes.
fn schema() -> impl Strategy<Value = Value> {
    simple().prop_recursive(4, 40, 4, |inner| {
        let list = || vec(inner.clone(), 1..4);
        prop_oneof![
            3 => object(inner.clone()),
            1 => inner.clone().prop_map(|items| json!({ "type": "array", "items": items })),
            2 => list().prop_map(|list| json!({ "anyOf": list })),
            1 => list().prop_map(|list| json!({ "oneOf": list })),
            2 => list().prop_map(|list| json!({ "allOf": list })),
            1 => inner.clone().prop_map(|schema| json!({ "not": schema })),
            4 => conditional(inner.clone()),
            3 => (inner.clone(), inner.clone()).prop_map(|(a, b)| beside(a, b)),
        ]
    })
}

fn parameters() -> impl Strategy<Value = Value> {
    (object(schema()), schema(), schema(), simple()).prop_map(|(root, a, b, c)| {
        beside(root, json!({ "$defs": { "a": a, "b": b }, "definitions": { "c": c } }))
    })
}

fn argument() -> impl Strategy<Value = Value> {
    let scalar = [json!("a"), json!("b"), json!(""), json!(1), json!(2), json!(true), json!(null)];
    select(scalar.to_vec()).prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..2).prop_map(Value::from),
            btree_map(select(NAMES), inner, 0..3).prop_map(|map| json!(map)),
        ]
    })
}

/// The names of members, two of which are properties.
const NAMES: &[&str] = &["a", "b", "p", "x"];

fn arguments() -> impl Strategy<Value = Vec<Value>> {
    vec(btree_map(select(NAMES), argument(), 0..3).prop_map(|map| json!(map)), 12)
}

/// As many cases as `PROPTEST_CASES` asks for, or enough for every build.
fn config() -> ProptestConfig {
    ProptestConfig { failure_persistence: None, ..ProptestConfig::default() }
}

fn check_rules(tool: &Value) -> Result<(), TestCaseError> {
    for (target, form) in FORMS {
        let Some(declaration) = declare(tool, target, form) else { continue };
        if declaration.losses.iter().any(|loss| loss.kind.is_refusal()) {
            continue;
        }
        let faults = faults(target, form, &declaration.value);
        prop_assert!(faults.is_empty(), "{target}: {faults:?}\n{:#}", declaration.value);
    }
    Ok(())
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn garbage_is_declared_or_refused(parameters in garbage()) {
        check_rules(&tool(&parameters))?;
    }

    #[test]
    fn schemas_are_declared_by_the_targets_rules(parameters in parameters()) {
        check_rules(&tool(&parameters))?;
    }

    #[test]
    fn what_the_schema_takes_the_declaration_takes(
        parameters in parameters(),
        calls in arguments(),
    ) {
        let tool = tool(&parameters);
        let Ok(validator) = Validator::compile(&parameters) else { return Ok(()) };
        let valid: Vec<_> = calls.iter().filter(|call| validator.accepts(call)).collect();
        for (target, form) in FORMS.into_iter().filter(|(_, form)| *form == OpenAiForm::Plain) {
            let Some((declared, schema)) = declared(&tool, target, form) else { continue };
            let sayable = |call: &&&Value| {
                target != Provider::GeminiNative || array_levels(call) <= 2
            };
            for call in valid.iter().filter(sayable) {
                prop_assert!(declared.accepts(call), "{target}: {call}\n{parameters:#}\n{schema:#}");
            }
        }
    }
}
