//! A keyword of an older draft.

use serde_json::{Map, Value};

use crate::diagnostic::Diagnostic;
use crate::parameters::keyword::{Keyword, KeywordType};
use crate::parameters::site::Site;
use crate::parameters::words;
use crate::rule::rule;

rule! {
    /// A keyword, or a form of one, comes from an older draft of JSON Schema.
    ///
    /// ## Why
    /// JSON Schema 2020-12 gave these keywords other names or other meanings. A 2020-12 validator
    /// ignores the old ones or refuses them, and so do the providers: an ignored limit protects
    /// nothing.
    ///
    /// ## Example
    /// ```json
    /// { "type": "array", "items": [{ "type": "number" }, { "type": "number" }] }
    /// ```
    ///
    /// ## Fix
    /// Write what the help says; here, `prefixItems` instead of `items`. Of the others,
    /// `definitions` became `$defs`, `dependencies` became `dependentRequired` and
    /// `dependentSchemas`, `additionalItems` became `items`, `id` became `$id`, and
    /// `exclusiveMinimum` and `exclusiveMaximum` are numbers of their own.
    OUTDATED_KEYWORD, "AIL-A014", "outdated-keyword", Error
}

/// Reports a keyword that 2020-12 no longer has; whether it was one.
pub(crate) fn check(
    site: &Site<'_>,
    name: &str,
    value: &Value,
    found: &mut Vec<Diagnostic>,
) -> bool {
    let Some((draft, help)) = replaced(site, name, value) else { return false };
    report(site, name, &format!("`{name}`"), draft, help, found);
    true
}

/// Reports a keyword in a form that 2020-12 no longer has; whether it was.
pub(crate) fn check_form(
    site: &Site<'_>,
    keyword: &Keyword,
    value: &Value,
    found: &mut Vec<Diagnostic>,
) -> bool {
    let (form, draft, help) = match (keyword.name, value) {
        ("items", Value::Array(_)) => (
            "a list as `items`".to_owned(),
            "2019-09",
            "rename it to `prefixItems`; an `additionalItems` beside it becomes `items`".to_owned(),
        ),
        (name @ ("exclusiveMinimum" | "exclusiveMaximum"), Value::Bool(flag)) => {
            (format!("true or false as `{name}`"), "draft-04", exclusive(site, name, *flag))
        }
        ("$id", Value::String(id)) if id.len() > 1 && id.starts_with('#') => (
            "a name as `$id`".to_owned(),
            "draft-07",
            format!("write `\"$anchor\": {}`", Value::from(id.trim_start_matches('#'))),
        ),
        _ => return false,
    };
    report(site, keyword.name, &form, draft, help, found);
    true
}

/// How an outdated keyword contains schemas, so that they are checked too.
pub(crate) fn shape(name: &str, value: &Value) -> Option<KeywordType> {
    let is_schema = |value: &Value| value.is_object() || value.is_boolean();
    match name {
        "definitions" => Some(KeywordType::SchemaMap),
        "items" if value.is_array() => Some(KeywordType::Schemas),
        "additionalItems" => Some(KeywordType::Schema),
        "dependencies" if value.as_object()?.values().all(is_schema) => {
            Some(KeywordType::SchemaMapInPlace)
        }
        _ => None,
    }
}

fn report(
    site: &Site<'_>,
    name: &str,
    what: &str,
    draft: &str,
    help: String,
    found: &mut Vec<Diagnostic>,
) {
    let message =
        format!("{what} in {} is JSON Schema {draft}; 2020-12 does not have it", site.subject());
    found.push(site.at_key(&OUTDATED_KEYWORD, name, message).help(help));
}

/// The last draft with a keyword, and its replacement.
fn replaced(site: &Site<'_>, name: &str, value: &Value) -> Option<(&'static str, String)> {
    let text = value.as_str().map(words::shorten);
    Some(match name {
        "definitions" => (
            "draft-07",
            "rename it to `$defs`, and `#/definitions/...` in references to `#/$defs/...`"
                .to_owned(),
        ),
        "dependencies" => ("draft-07", dependencies(value)),
        "additionalItems" if site.get("items").is_none_or(Value::is_array) => {
            ("2019-09", "rename it to `items`, and the list beside it to `prefixItems`".to_owned())
        }
        "additionalItems" => {
            ("2019-09", "remove it: beside an `items` that is a schema it had no effect".to_owned())
        }
        "$recursiveRef" => ("2019-09", "write `\"$dynamicRef\": \"#node\"`".to_owned()),
        "$recursiveAnchor" => ("2019-09", "write `\"$dynamicAnchor\": \"node\"`".to_owned()),
        "id" => ("draft-04", format!("write `\"$id\": {}`, or remove it", Value::from(text?))),
        "divisibleBy" => ("draft-03", format!("write `\"multipleOf\": {}`", words::shown(value))),
        "disallow" => ("draft-03", "write `\"not\": {\"type\": ...}`".to_owned()),
        "extends" => ("draft-03", "write `\"allOf\": [...]`".to_owned()),
        _ => return None,
    })
}

fn exclusive(site: &Site<'_>, name: &str, flag: bool) -> String {
    let bound = if name == "exclusiveMinimum" { "minimum" } else { "maximum" };
    match site.get(bound) {
        _ if !flag => format!("remove `{name}`"),
        Some(limit) => {
            format!("write `\"{name}\": {}` and remove `{bound}`", words::shown(limit))
        }
        None => format!("write the bound itself: `\"{name}\": 0`"),
    }
}

fn dependencies(value: &Value) -> String {
    let entries = value.as_object().into_iter().flat_map(Map::values);
    let (lists, schemas): (Vec<_>, Vec<_>) = entries.partition(|entry| entry.is_array());
    match (lists.is_empty(), schemas.is_empty()) {
        (_, true) => "rename it to `dependentRequired`".to_owned(),
        (true, false) => "rename it to `dependentSchemas`".to_owned(),
        (false, false) => {
            "move its lists to `dependentRequired` and its schemas to `dependentSchemas`".to_owned()
        }
    }
}
