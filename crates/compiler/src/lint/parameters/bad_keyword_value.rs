//! A keyword with an invalid value.

use std::collections::HashSet;

use aileron_contract::canonical;
use aileron_schema::uri;
use serde_json::Value;

use crate::diagnostic::Diagnostic;
use crate::document::Document;
use crate::parameters::keyword::{Keyword, KeywordType};
use crate::parameters::site::{Site, subject};
use crate::parameters::types::Types;
use crate::parameters::words;
use crate::rule::rule;

rule! {
    /// The value of a keyword is not of the form that the keyword takes.
    ///
    /// ## Why
    /// Each keyword of JSON Schema says what its value must be: `minLength` a non-negative
    /// integer, `required` a list of different names, `properties` an object of schemas.
    /// A schema that breaks this is refused by every validator and by every provider.
    ///
    /// ## Example
    /// ```json
    /// { "type": "string", "minLength": "1" }
    /// ```
    ///
    /// ## Fix
    /// Write the value in the form that the message names; here, `"minLength": 1`.
    BAD_KEYWORD_VALUE, "AIL-A002", "bad-keyword-value", Error
}

const REQUIRED_FLAG: &str =
    "name the property in the `required` list of the object that holds it, and remove this";

pub(crate) fn check(
    site: &Site<'_>,
    keyword: &Keyword,
    value: &Value,
    found: &mut Vec<Diagnostic>,
) {
    if !fits(keyword.shape, value) {
        found.push(misfit(site, keyword, value));
        return;
    }
    match (keyword.shape, value) {
        (KeywordType::Names, Value::Array(names)) => {
            check_names(site, keyword.name, "", names, found);
        }
        (KeywordType::NameMap, Value::Object(map)) => {
            for (entry, names) in map {
                check_entry(site, keyword.name, entry, names, found);
            }
        }
        (KeywordType::Enum | KeywordType::Type, Value::Array(values)) => {
            check_unique(site, keyword.name, "", values, found);
        }
        _ => {}
    }
}

/// A value that should be a schema.
pub(crate) fn not_a_schema(document: &Document, pointer: &str, value: &Value) -> Diagnostic {
    let message = format!(
        "expected a schema for {}: an object, true or false, found {}",
        subject(pointer),
        words::found(value)
    );
    let fault = document.at_value(&BAD_KEYWORD_VALUE, pointer, message);
    match value.as_str().filter(|name| Types::named(name).is_some()) {
        Some(name) => fault.help(format!("write `{{ \"type\": \"{name}\" }}`")),
        None => fault,
    }
}

fn misfit(site: &Site<'_>, keyword: &Keyword, value: &Value) -> Diagnostic {
    let message = format!(
        "`{}` of {}: expected {}, found {}",
        keyword.name,
        site.subject(),
        expected(keyword.shape),
        words::found(value)
    );
    let fault = site.at_value(&BAD_KEYWORD_VALUE, keyword.name, message);
    match help(keyword, value) {
        Some(help) => fault.help(help),
        None => fault,
    }
}

/// The correction, if it is clear.
fn help(keyword: &Keyword, value: &Value) -> Option<String> {
    if keyword.name == "required" && value.is_boolean() {
        return Some(REQUIRED_FLAG.to_owned());
    }
    let text = value.as_str()?;
    if matches!(keyword.shape, KeywordType::Enum | KeywordType::List | KeywordType::Names) {
        return Some(format!("write a list: `[{}]`", words::shown(value)));
    }
    let meant: Value = serde_json::from_str(text).ok()?;
    let plain = meant.is_number() || meant.is_boolean();
    (plain && fits(keyword.shape, &meant)).then(|| format!("write it without quotes: `{meant}`"))
}

fn fits(shape: KeywordType, value: &Value) -> bool {
    match shape {
        KeywordType::Any | KeywordType::Schema | KeywordType::SchemaInPlace => true,
        KeywordType::Schemas | KeywordType::SchemasInPlace | KeywordType::Enum => {
            value.as_array().is_some_and(|items| !items.is_empty())
        }
        KeywordType::SchemaMap
        | KeywordType::SchemaMapInPlace
        | KeywordType::PatternMap
        | KeywordType::NameMap => value.is_object(),
        KeywordType::List | KeywordType::Names => value.is_array(),
        KeywordType::Text | KeywordType::Pattern | KeywordType::Reference => value.is_string(),
        KeywordType::Identifier => value.as_str().is_some_and(is_identifier),
        KeywordType::Anchor => value.as_str().is_some_and(is_anchor),
        KeywordType::Vocabularies => {
            value.as_object().is_some_and(|map| map.values().all(Value::is_boolean))
        }
        KeywordType::Flag => value.is_boolean(),
        KeywordType::Type => {
            value.is_string()
                || value.as_array().is_some_and(|names| names.iter().all(Value::is_string))
        }
        KeywordType::Number => value.is_number(),
        KeywordType::Positive => value.as_f64().is_some_and(|number| number > 0.0),
        KeywordType::Count => is_count(value),
    }
}

const fn expected(shape: KeywordType) -> &'static str {
    match shape {
        KeywordType::Any | KeywordType::Schema | KeywordType::SchemaInPlace => "a schema",
        KeywordType::Schemas | KeywordType::SchemasInPlace => "a list of at least one schema",
        KeywordType::SchemaMap | KeywordType::SchemaMapInPlace => "an object of schemas by name",
        KeywordType::PatternMap => "an object of schemas by regular expression",
        KeywordType::Text => "a string",
        KeywordType::Pattern => "a string with a regular expression",
        KeywordType::Reference => "a string such as \"#/$defs/name\"",
        KeywordType::Identifier => "a URI without `#` and what follows it",
        KeywordType::Anchor => "a name of letters, digits, `_`, `-` and `.`, a letter or `_` first",
        KeywordType::Vocabularies => "an object of true or false by URI",
        KeywordType::Flag => "true or false",
        KeywordType::List => "a list of values",
        KeywordType::Type => "a type name or a list of type names",
        KeywordType::Enum => "a list of at least one value",
        KeywordType::Number => "a number",
        KeywordType::Positive => "a number above 0",
        KeywordType::Count => "a whole number, 0 or more",
        KeywordType::Names => "a list of property names",
        KeywordType::NameMap => "an object of lists of property names",
    }
}

fn is_count(value: &Value) -> bool {
    let whole = |number: f64| number >= 0.0 && number.fract() == 0.0;
    value.as_u64().is_some() || value.as_f64().is_some_and(whole)
}

fn is_identifier(id: &str) -> bool {
    let address = id.strip_suffix('#').unwrap_or(id);
    !address.contains('#') && uri::resolve(uri::DEFAULT_BASE, address).is_some()
}

fn is_anchor(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || "-._".contains(c))
}

fn check_entry(
    site: &Site<'_>,
    keyword: &str,
    entry: &str,
    names: &Value,
    found: &mut Vec<Diagnostic>,
) {
    if let Value::Array(names) = names {
        return check_names(site, keyword, entry, names, found);
    }
    let message = format!(
        "`{keyword}` of {}: expected a list of property names for `{entry}`, found {}",
        site.subject(),
        words::found(names)
    );
    found.push(site.at_entry(&BAD_KEYWORD_VALUE, keyword, entry, message));
}

/// The entries of a list of names must be different strings.
fn check_names(
    site: &Site<'_>,
    keyword: &str,
    entry: &str,
    names: &[Value],
    found: &mut Vec<Diagnostic>,
) {
    for (index, name) in names.iter().enumerate().filter(|(_, name)| !name.is_string()) {
        let message = format!(
            "`{keyword}` of {}: expected property names, found {}",
            site.subject(),
            words::found(name)
        );
        found.push(at_item(site, keyword, entry, index, message));
    }
    check_unique(site, keyword, entry, names, found);
}

fn check_unique(
    site: &Site<'_>,
    keyword: &str,
    entry: &str,
    values: &[Value],
    found: &mut Vec<Diagnostic>,
) {
    let mut seen = HashSet::with_capacity(values.len());
    for (index, value) in values.iter().enumerate() {
        if !seen.insert(ValueKey::of(value)) {
            let message =
                format!("`{keyword}` of {} holds {} twice", site.subject(), words::shown(value));
            found.push(at_item(site, keyword, entry, index, message).help("remove one of the two"));
        }
    }
}

fn at_item(
    site: &Site<'_>,
    keyword: &str,
    entry: &str,
    index: usize,
    message: String,
) -> Diagnostic {
    let mut list = site.to(keyword);
    if !entry.is_empty() {
        list = crate::document::join(&list, entry);
    }
    site.document.at_value(&BAD_KEYWORD_VALUE, &format!("{list}/{index}"), message)
}

/// The identity of a value; `1` and `1.0` are the same.
#[derive(PartialEq, Eq, Hash)]
enum ValueKey<'v> {
    Text(&'v str),
    Other(String),
}

impl<'v> ValueKey<'v> {
    fn of(value: &'v Value) -> Self {
        match value {
            Value::String(text) => Self::Text(text),
            other => Self::Other(canonical::to_string(other)),
        }
    }
}
