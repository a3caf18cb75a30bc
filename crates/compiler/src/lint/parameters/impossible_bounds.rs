//! Bounds that no value meets.

use std::cmp::Ordering;

use serde_json::{Map, Number, Value};

use crate::diagnostic::Diagnostic;
use crate::parameters::assertion::compare;
use crate::parameters::site::Site;
use crate::parameters::types::Types;
use crate::rule::rule;

rule! {
    /// A lower bound lies above the upper bound, so that no value fits both.
    ///
    /// ## Why
    /// Every call with this parameter would be refused, whatever the model sends.
    ///
    /// ## Example
    /// ```json
    /// { "type": "integer", "minimum": 10, "maximum": 5 }
    /// ```
    ///
    /// ## Fix
    /// Correct one of the two bounds. Exclusive bounds leave their own value out:
    /// `"exclusiveMinimum": 1, "exclusiveMaximum": 2` holds no integer.
    IMPOSSIBLE_BOUNDS, "AIL-A010", "impossible-bounds", Error
}

/// A lower bound and an upper one; whether both may be the same.
const PAIRS: &[(&str, &str, BoundsConflict)] = &[
    ("minimum", "maximum", BoundsConflict::Allowed),
    ("minimum", "exclusiveMaximum", BoundsConflict::Excluded),
    ("exclusiveMinimum", "maximum", BoundsConflict::Excluded),
    ("exclusiveMinimum", "exclusiveMaximum", BoundsConflict::Excluded),
    ("minLength", "maxLength", BoundsConflict::Allowed),
    ("minItems", "maxItems", BoundsConflict::Allowed),
    ("minProperties", "maxProperties", BoundsConflict::Allowed),
    ("minContains", "maxContains", BoundsConflict::Allowed),
    ("minContains", "maxItems", BoundsConflict::Allowed),
];

#[derive(Clone, Copy)]
enum BoundsConflict {
    Allowed,
    Excluded,
}

pub(crate) fn check(site: &Site<'_>, found: &mut Vec<Diagnostic>) {
    let before = found.len();
    for (lower, upper, meeting) in PAIRS {
        let bounds = number(site.schema, lower).zip(number(site.schema, upper));
        let Some((low, high)) = bounds else { continue };
        if is_empty(low, high, *meeting) && counts(site, lower) {
            let relation = if compare(low, high).is_gt() { "above" } else { "not below" };
            let message = format!(
                "`{lower}` of {} is {low}, {relation} its `{upper}` {high}",
                site.subject()
            );
            let help = format!("no value fits both; correct `{lower}` or `{upper}`");
            found.push(site.at_value(&IMPOSSIBLE_BOUNDS, lower, message).help(help));
        }
    }
    if found.len() == before {
        check_integers(site, found);
        check_required(site, found);
        check_closed(site, found);
    }
}

/// `minContains` has an effect only beside `contains`.
fn counts(site: &Site<'_>, lower: &str) -> bool {
    lower != "minContains" || site.get("contains").is_some()
}

fn is_empty(low: &Number, high: &Number, meeting: BoundsConflict) -> bool {
    match (compare(low, high), meeting) {
        (Ordering::Greater, _) | (Ordering::Equal, BoundsConflict::Excluded) => true,
        (Ordering::Equal, BoundsConflict::Allowed) | (Ordering::Less, _) => false,
    }
}

fn number<'a>(schema: &'a Map<String, Value>, keyword: &str) -> Option<&'a Number> {
    match schema.get(keyword)? {
        Value::Number(number) => Some(number),
        _ => None,
    }
}

/// Bounds that hold numbers, but no integer.
fn check_integers(site: &Site<'_>, found: &mut Vec<Diagnostic>) {
    let Some((lower, low)) = lowest(site.schema) else { return };
    let Some((upper, high)) = highest(site.schema) else { return };
    let numeric = Types::declared(site.schema).map(|types| types.intersection(Types::NUMBER));
    if numeric != Some(Types::INTEGER) || low <= high {
        return;
    }
    let message = format!("no integer lies between `{lower}` and `{upper}` of {}", site.subject());
    let help = format!("correct `{lower}` or `{upper}`");
    found.push(site.at_value(&IMPOSSIBLE_BOUNDS, lower, message).help(help));
}

fn lowest(schema: &Map<String, Value>) -> Option<(&'static str, f64)> {
    let inclusive = number(schema, "minimum").and_then(Number::as_f64).map(f64::ceil);
    let exclusive =
        number(schema, "exclusiveMinimum").and_then(Number::as_f64).map(|n| n.floor() + 1.0);
    match (inclusive, exclusive) {
        (Some(a), Some(b)) if a >= b => Some(("minimum", a)),
        (_, Some(b)) => Some(("exclusiveMinimum", b)),
        (a, None) => a.map(|a| ("minimum", a)),
    }
}

fn highest(schema: &Map<String, Value>) -> Option<(&'static str, f64)> {
    let inclusive = number(schema, "maximum").and_then(Number::as_f64).map(f64::floor);
    let exclusive =
        number(schema, "exclusiveMaximum").and_then(Number::as_f64).map(|n| n.ceil() - 1.0);
    match (inclusive, exclusive) {
        (Some(a), Some(b)) if a <= b => Some(("maximum", a)),
        (_, Some(b)) => Some(("exclusiveMaximum", b)),
        (a, None) => a.map(|a| ("maximum", a)),
    }
}

/// More required properties than there may be properties.
fn check_required(site: &Site<'_>, found: &mut Vec<Diagnostic>) {
    let Some(most) = number(site.schema, "maxProperties").and_then(Number::as_u64) else { return };
    let Some(required) = site.get("required").and_then(Value::as_array) else { return };
    if required.len() as u64 > most {
        let message = format!(
            "`required` of {} names {} properties, but its `maxProperties` is {most}",
            site.subject(),
            required.len()
        );
        found.push(
            site.at_value(&IMPOSSIBLE_BOUNDS, "required", message)
                .help("raise `maxProperties` or require fewer"),
        );
    }
}

/// A closed object or array that requires more members than it allows.
fn check_closed(site: &Site<'_>, found: &mut Vec<Diagnostic>) {
    let open = |keyword: &str| site.get(keyword) != Some(&Value::Bool(false));
    if !open("additionalProperties") && site.get("patternProperties").is_none() {
        let known = site.object("properties").map_or(0, Map::len);
        report_closed(site, "minProperties", known, "properties", found);
    }
    if !open("items") {
        let known = site.get("prefixItems").and_then(Value::as_array).map_or(0, Vec::len);
        report_closed(site, "minItems", known, "items", found);
    }
}

fn report_closed(
    site: &Site<'_>,
    lower: &str,
    known: usize,
    what: &str,
    found: &mut Vec<Diagnostic>,
) {
    let Some(least) = number(site.schema, lower) else { return };
    if compare(least, &Number::from(known)).is_gt() {
        let message = format!(
            "`{lower}` of {} is {least}, but it allows only {known} {what}",
            site.subject()
        );
        found.push(
            site.at_value(&IMPOSSIBLE_BOUNDS, lower, message)
                .help(format!("lower `{lower}` or allow more {what}")),
        );
    }
}
