//! Any JSON at all as parameters: every target ends, without a panic, by its own rules.

use proptest::collection::{btree_map, vec};
use proptest::prelude::*;

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
        proptest::sample::select(TEXTS).prop_map(Value::from),
        Just(Value::Null),
    ]
}

fn key() -> impl Strategy<Value = String> {
    prop_oneof![
        6 => proptest::sample::select(KEYWORDS).prop_map(str::to_owned),
        2 => proptest::sample::select(TEXTS).prop_map(str::to_owned),
    ]
}

/// JSON that looks like a schema now and then.
fn json() -> impl Strategy<Value = Value> {
    leaf().prop_recursive(6, 120, 8, |inner| {
        prop_oneof![
            1 => vec(inner.clone(), 0..5).prop_map(Value::from),
            4 => btree_map(key(), inner, 0..8)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn any_json_is_declared_or_refused(parameters in json()) {
        let tool = tool(&parameters);
        for (target, form) in FORMS {
            let Some(declaration) = declare(&tool, target, form) else { continue };
            if declaration.losses.iter().any(|loss| loss.kind.is_refusal()) {
                continue;
            }
            let faults = faults(target, form, &declaration.value);
            prop_assert!(faults.is_empty(), "{target}: {faults:?}\n{:#}", declaration.value);
        }
    }
}
