//! The assertions that depend on the value alone: types, bounds and sizes.

use std::cmp::Ordering;

use serde_json::{Map, Number, Value};

use super::types::Types;

/// The keywords that `broken` judges.
const JUDGED: &[&str] = &[
    "type",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
    "minProperties",
    "maxProperties",
];

/// Whether `broken` judges this keyword.
pub(crate) fn is_judged(keyword: &str) -> bool {
    JUDGED.contains(&keyword)
}

/// The first of these keywords that a value breaks.
pub(crate) fn broken(schema: &Map<String, Value>, value: &Value) -> Option<&'static str> {
    JUDGED.iter().copied().find(|keyword| match schema.get(*keyword) {
        None => false,
        Some(_) if *keyword == "type" => {
            Types::declared(schema).is_some_and(|types| !types.overlaps(Types::of(value)))
        }
        Some(Value::Number(bound)) => breaks(keyword, bound, value),
        Some(_) => false,
    })
}

fn breaks(keyword: &str, bound: &Number, value: &Value) -> bool {
    let ordering = match (keyword, value) {
        ("minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum", Value::Number(n)) => {
            compare(n, bound)
        }
        ("minLength" | "maxLength", Value::String(text)) => size(text.chars().count(), bound),
        ("minItems" | "maxItems", Value::Array(items)) => size(items.len(), bound),
        ("minProperties" | "maxProperties", Value::Object(map)) => size(map.len(), bound),
        _ => return false,
    };
    match keyword {
        "exclusiveMinimum" => ordering != Ordering::Greater,
        "exclusiveMaximum" => ordering != Ordering::Less,
        _ if keyword.starts_with("min") => ordering == Ordering::Less,
        _ => ordering == Ordering::Greater,
    }
}

fn size(size: usize, bound: &Number) -> Ordering {
    compare(&Number::from(size), bound)
}

/// Which of two numbers is greater; whole numbers are compared digit by digit.
pub(crate) fn compare(a: &Number, b: &Number) -> Ordering {
    match (a.as_i128(), b.as_i128()) {
        (Some(a), Some(b)) => a.cmp(&b),
        _ => {
            let (a, b) = (a.as_f64().unwrap_or_default(), b.as_f64().unwrap_or_default());
            a.partial_cmp(&b).unwrap_or(Ordering::Equal)
        }
    }
}
