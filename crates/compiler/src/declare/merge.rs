//! Merges the values of a keyword from several parts of an `allOf`.

use serde_json::Value;

use super::facts::{Facts, SchemaKeyword};
use super::keyword::is_annotation;
use super::types;

/// The merged value of a keyword, and the occurrences that cannot be merged.
pub(super) fn combine<'s, 'a>(
    said: &'s [SchemaKeyword<'a>],
) -> Option<(Value, Vec<&'s SchemaKeyword<'a>>)> {
    let (first, rest) = said.split_first()?;
    let mut value = first.value.clone();
    let mut left_out = Vec::new();
    for other in rest {
        match both(first.keyword, &value, other.value) {
            Some(joined) => value = joined,
            None => left_out.push(other),
        }
    }
    Some((value, left_out))
}

/// A value that holds exactly when both hold, if the keyword has one.
fn both(keyword: &str, a: &Value, b: &Value) -> Option<Value> {
    if a == b || is_annotation(keyword) {
        return Some(a.clone());
    }
    match keyword {
        "minimum" | "exclusiveMinimum" | "minLength" | "minItems" | "minProperties" => {
            Some(if number(a)? >= number(b)? { a } else { b }.clone())
        }
        "maximum" | "exclusiveMaximum" | "maxLength" | "maxItems" | "maxProperties" => {
            Some(if number(a)? <= number(b)? { a } else { b }.clone())
        }
        "multipleOf" => multiple(a, b),
        "required" | "propertyOrdering" => Some(union(a.as_array()?, b.as_array()?)),
        "enum" => intersection(a.as_array()?, b.as_array()?),
        "uniqueItems" => Some(Value::Bool(a.as_bool()? || b.as_bool()?)),
        "type" => {
            let both = types::intersect(&types::parse(a)?, &types::parse(b)?);
            (!both.is_empty()).then(|| types::keyword(&both))
        }
        _ => None,
    }
}

fn number(value: &Value) -> Option<f64> {
    value.as_f64()
}

/// The larger of two steps when it is a multiple of the other.
fn multiple(a: &Value, b: &Value) -> Option<Value> {
    let (larger, smaller) = if number(a)? >= number(b)? { (a, b) } else { (b, a) };
    let (over, under) = (larger.as_u64()?, smaller.as_u64()?);
    (over.checked_rem(under) == Some(0)).then(|| larger.clone())
}

fn union(a: &[Value], b: &[Value]) -> Value {
    let new = b.iter().filter(|name| !a.contains(name));
    a.iter().chain(new).cloned().collect()
}

fn intersection(a: &[Value], b: &[Value]) -> Option<Value> {
    let both: Vec<_> = a.iter().filter(|value| b.contains(value)).cloned().collect();
    (!both.is_empty()).then_some(Value::Array(both))
}

/// Whether another part forbids a property, so that no value can have it.
///
/// `additionalProperties: false` knows only the properties of its own schema.
pub(super) fn is_shut_out(facts: &Facts<'_>, name: &str) -> bool {
    let closed = facts.get("additionalProperties").iter().filter(|s| s.value == false);
    closed.filter(|said| facts.beside("patternProperties", &said.at).is_none()).any(|said| {
        let own = facts.beside("properties", &said.at);
        own.and_then(|properties| properties.get(name)).is_none()
    })
}
