//! The schema of a value that has one type.

use serde_json::{Map, Value};

use super::super::describe;
use super::super::dialect::Treatment;
use super::super::emit::Emission;
use super::super::facts::Facts;
use super::super::lower::Lowering;
use super::super::types::Type;
use super::any::any_items;

const NO_ITEMS: &str = "an array must say what its `items` are";

/// The schema of a value that has one type.
pub(super) fn typed<'a>(lowering: &mut Lowering<'a>, facts: &Facts<'a>, kind: Type) -> Emission {
    let facts = facts.about(&[kind]);
    let mut emission = lowering.emit(&facts);
    emission.set("type", kind.as_str().to_ascii_uppercase());
    say_values(lowering, &facts, kind, &mut emission);
    say_format(lowering, &facts, kind, &mut emission);
    match kind {
        Type::Object => say_required(lowering, &facts, &mut emission.schema),
        Type::Array => check_items(lowering, &facts, &mut emission.schema),
        _ => {}
    }
    emission
}

/// Adds the allowed values: as `enum` if they are strings, in the description otherwise.
fn say_values<'a>(
    lowering: &mut Lowering<'a>,
    facts: &Facts<'a>,
    kind: Type,
    emission: &mut Emission,
) {
    let Some(mut values) = facts.values() else { return };
    values.retain(|value| kind.admits(value));
    let is_text = |value: &&Value| value.as_str().is_some_and(|text| !text.is_empty());
    if !values.is_empty() && values.iter().all(is_text) {
        for said in facts.get("const") {
            lowering.losses.rewritten(&said.at, "const", "`enum`");
        }
        emission.set("enum", values.into_iter().cloned().collect::<Value>());
        return;
    }
    let described = emission.say(describe::values(&values));
    for said in facts.get("enum").iter().chain(facts.get("const")) {
        lowering.losses.dropped(&said.at, said.keyword, described);
    }
}

/// Keeps supported formats; describes others.
fn say_format<'a>(
    lowering: &mut Lowering<'a>,
    facts: &Facts<'a>,
    kind: Type,
    emission: &mut Emission,
) {
    let taken: &[&str] = match kind {
        Type::String => &["date-time", "enum"],
        Type::Integer => &["int32", "int64"],
        Type::Number => &["float", "double"],
        _ => &[],
    };
    match facts.get("format") {
        [said] if said.value.as_str().is_some_and(|format| taken.contains(&format)) => {
            emission.set("format", said.value.clone());
        }
        said => lowering.leave_out(Treatment::Describe, said, facts, emission),
    }
}

/// Adds `required` for existing properties.
fn say_required<'a>(
    lowering: &mut Lowering<'a>,
    facts: &Facts<'a>,
    schema: &mut Map<String, Value>,
) {
    let properties = schema.get("properties").and_then(Value::as_object);
    let is_defined = |name: &str| properties.is_some_and(|all| all.contains_key(name));
    let (defined, undefined): (Vec<_>, Vec<_>) =
        facts.required().into_iter().partition(|name| is_defined(name));
    if let Some(name) = undefined.first() {
        let why = format!("there is no property `{name}`");
        for said in facts.get("required") {
            lowering.losses.dropped_because(&said.at, "required", &why);
        }
    }
    if !defined.is_empty() {
        schema.insert("required".to_owned(), defined.into());
    }
}

/// Ensures that an array has `items`.
fn check_items<'a>(
    lowering: &mut Lowering<'a>,
    facts: &Facts<'a>,
    schema: &mut Map<String, Value>,
) {
    if schema.contains_key("items") {
        return;
    }
    if facts.has("prefixItems") || facts.recursion.is_some() {
        schema.insert("items".to_owned(), any_items());
    } else {
        lowering.losses.refused(&facts.at, "items", NO_ITEMS);
    }
}
