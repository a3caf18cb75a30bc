//! An allowed value that the same schema refuses.

use serde_json::Value;

use crate::diagnostic::Diagnostic;
use crate::parameters::assertion::broken;
use crate::parameters::site::Site;
use crate::parameters::words;
use crate::rule::rule;

rule! {
    /// A value of `enum`, or a `const`, does not fit the keywords beside it.
    ///
    /// ## Why
    /// The declaration offers the value to the model, but a call with it is refused:
    /// a value must pass `enum` and `type` and the bounds. Most often the type is wrong, as with
    /// numbers written as strings, or `null` in an `enum` whose `type` leaves it out.
    ///
    /// ## Example
    /// ```json
    /// { "type": "integer", "enum": ["1", "2", "3"] }
    /// ```
    ///
    /// ## Fix
    /// Write the values in the type of the parameter, or correct the type:
    /// `{ "type": ["string", "null"], "enum": ["asc", "desc", null] }`.
    ENUM_VALUE_MISMATCH, "AIL-A016", "enum-value-mismatch", Error
}

pub(crate) fn check(site: &Site<'_>, found: &mut Vec<Diagnostic>) {
    if let Some(Value::Array(values)) = site.get("enum") {
        check_enum(site, values, found);
    }
    let Some(value) = site.get("const") else { return };
    if let Some(keyword) = broken(site.schema, value) {
        let message = message(site, "`const`", value, keyword);
        found.push(site.at_value(&ENUM_VALUE_MISMATCH, "const", message).help(help(value)));
    } else if let Some(Value::Array(values)) = site.get("enum")
        && !values.iter().any(|option| same(option, value))
    {
        let message = message(site, "`const`", value, "enum");
        found.push(site.at_value(&ENUM_VALUE_MISMATCH, "const", message).help(help(value)));
    }
}

fn check_enum(site: &Site<'_>, values: &[Value], found: &mut Vec<Diagnostic>) {
    let misfits: Vec<_> = values
        .iter()
        .enumerate()
        .filter_map(|(index, value)| Some((index, value, broken(site.schema, value)?)))
        .collect();
    if misfits.len() > 1 && misfits.len() == values.len() {
        let keyword = misfits.first().map_or("type", |(_, _, keyword)| keyword);
        let message = format!(
            "none of the `enum` values of {} fits its `{keyword}` {}",
            site.subject(),
            site.get(keyword).map(words::shown).unwrap_or_default()
        );
        let help = format!("correct the values or the `{keyword}`");
        found.push(site.at_key(&ENUM_VALUE_MISMATCH, "enum", message).help(help));
        return;
    }
    for (index, value, keyword) in misfits {
        let message = message(site, "`enum` value", value, keyword);
        let fault = site.at_entry(&ENUM_VALUE_MISMATCH, "enum", &index.to_string(), message);
        found.push(fault.help(help(value)));
    }
}

fn message(site: &Site<'_>, what: &str, value: &Value, keyword: &str) -> String {
    format!(
        "{what} {} of {} does not fit its `{keyword}` {}",
        words::shown(value),
        site.subject(),
        site.get(keyword).map(words::shown).unwrap_or_default()
    )
}

fn help(value: &Value) -> &'static str {
    if value.is_null() {
        "remove null, or add \"null\" to the type"
    } else {
        "correct the value or the keywords beside it"
    }
}

/// `1` and `1.0` are the same value.
fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => a.as_f64() == b.as_f64(),
        _ => a == b,
    }
}
