//! A schema that no value fits.

use serde_json::{Map, Value};

use crate::diagnostic::Diagnostic;
use crate::document::Document;
use crate::parameters::site::{Site, subject};
use crate::parameters::types::Types;
use crate::rule::rule;

rule! {
    /// A schema allows no value at all, where one is needed.
    ///
    /// ## Why
    /// No call can succeed if a required parameter fits nothing, and a schema whose parts
    /// ask for different types fits nothing.
    ///
    /// ## Example
    /// ```json
    /// { "type": "string", "allOf": [{ "type": "integer" }] }
    /// ```
    ///
    /// ## Fix
    /// Correct the type, remove one of the parts that contradict each other, or remove
    /// the property from `required`. For a choice between types, use `anyOf` instead of `allOf`.
    NEVER_VALID, "AIL-A017", "never-valid", Error
}

pub(crate) fn check(site: &Site<'_>, found: &mut Vec<Diagnostic>) {
    if site.get("type").and_then(Value::as_array).is_some_and(Vec::is_empty) {
        let message = format!("`type` of {} is an empty list, which no value fits", site.subject());
        found.push(
            site.at_value(&NEVER_VALID, "type", message)
                .help("name a type, or leave `type` out to allow any"),
        );
    }
    if let Some(keyword) = contradiction(site.schema) {
        let message = format!(
            "no value fits {}: its `{keyword}` asks for other types than the rest of it",
            site.subject()
        );
        let fault = site.at_key(&NEVER_VALID, keyword, message);
        found.push(fault.help("correct one of the types; for a choice between types, use `anyOf`"));
    }
    check_required(site, found);
}

/// A whole schema that is `false`.
pub(crate) fn diagnose_false(document: &Document, root: &str) -> Diagnostic {
    let message = format!("no value fits {}: it is false", subject(root));
    document
        .at_value(&NEVER_VALID, root, message)
        .help("describe what is allowed, or write true to allow anything")
}

fn check_required(site: &Site<'_>, found: &mut Vec<Diagnostic>) {
    let Some(Value::Array(required)) = site.get("required") else { return };
    let Some(properties) = site.object("properties") else { return };
    for name in required.iter().filter_map(Value::as_str) {
        if properties.get(name).is_some_and(is_never) {
            let message =
                format!("`{name}` of {} is required, but no value fits it", site.subject());
            let fault = site.at_entry(&NEVER_VALID, "properties", name, message);
            found.push(fault.help("remove it from `required`, or say what it may be"));
        }
    }
}

/// Whether a schema forbids all values explicitly.
fn is_never(schema: &Value) -> bool {
    let schema = match schema {
        Value::Bool(allowed) => return !allowed,
        Value::Object(schema) => schema,
        _ => return false,
    };
    let all_never = |keyword: &str| {
        list(schema, keyword).is_some_and(|list| !list.is_empty() && list.iter().all(is_never))
    };
    schema.get("not").is_some_and(is_always)
        || list(schema, "allOf").is_some_and(|list| list.iter().any(is_never))
        || all_never("anyOf")
        || all_never("oneOf")
}

fn is_always(schema: &Value) -> bool {
    *schema == Value::Bool(true) || schema.as_object().is_some_and(Map::is_empty)
}

fn list<'a>(schema: &'a Map<String, Value>, keyword: &str) -> Option<&'a Vec<Value>> {
    schema.get(keyword)?.as_array()
}

/// The keyword whose types contradict those beside it.
fn contradiction(schema: &Map<String, Value>) -> Option<&'static str> {
    let types = |schema: &Value| match schema.as_object() {
        Some(schema) => Types::declared(schema).unwrap_or(Types::ANY),
        None => Types::ANY,
    };
    let mut left = Types::declared(schema).unwrap_or(Types::ANY);
    for part in list(schema, "allOf").into_iter().flatten() {
        left = left.intersection(types(part));
    }
    if left.is_empty() {
        return Some("allOf");
    }
    ["anyOf", "oneOf"].into_iter().find(|keyword| {
        list(schema, keyword).is_some_and(|list| {
            !list.is_empty() && !list.iter().any(|part| types(part).overlaps(left))
        })
    })
}
