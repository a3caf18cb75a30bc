//! A default or an example that its own schema refuses.

use aileron_schema::{SchemaFault, Validator};
use serde_json::{Map, Value, json};

use crate::diagnostic::Diagnostic;
use crate::document::Document;
use crate::parameters::assertion;
use crate::parameters::keyword::{self, KeywordType};
use crate::parameters::reference;
use crate::parameters::site::subject;
use crate::parameters::survey::{Sample, Survey};
use crate::rule::rule;

rule! {
    /// A `default`, or one of the `examples`, does not fit its schema.
    ///
    /// ## Why
    /// Defaults are filled in before arguments are validated. A default that does not fit makes
    /// every call without that argument fail. An example that does not fit teaches
    /// the model a call that will be refused.
    ///
    /// ## Example
    /// ```json
    /// { "type": "integer", "minimum": 1, "default": 0 }
    /// ```
    ///
    /// ## Fix
    /// Correct the value or the schema. A parameter without a default simply has no `default`;
    /// `null` is a value like any other.
    BAD_DEFAULT, "AIL-A012", "bad-default", Error
}

/// The name under which the schema is known to the one that wraps it.
const ROOT: &str = "json-schema:///aileron/schema";

/// How many samples are checked one by one when the schema as a whole does not compile.
const MAX_ALONE: usize = 64;

/// Whether a value is certainly valid, by a simple check of a simple schema.
pub(crate) fn certainly_fits(schema: &Map<String, Value>, value: &Value) -> bool {
    // Reported at `nullable`, and gone once that is corrected.
    if value.is_null() && schema.get("nullable") == Some(&Value::Bool(true)) {
        return true;
    }
    let plain = |name: &String| {
        assertion::is_judged(name)
            || matches!(name.as_str(), "enum" | "default" | "examples")
            || keyword::find(name).is_some_and(|keyword| is_note(keyword.name, keyword.shape))
    };
    schema.keys().all(plain)
        && assertion::broken(schema, value).is_none()
        && schema.get("enum").is_none_or(|options| is_among(value, options))
}

fn is_note(name: &str, shape: KeywordType) -> bool {
    match shape {
        KeywordType::Text => {
            name != "format" && name != "contentEncoding" && name != "contentMediaType"
        }
        KeywordType::Flag => name != "uniqueItems",
        _ => false,
    }
}

fn is_among(value: &Value, options: &Value) -> bool {
    options.as_array().is_some_and(|options| options.contains(value))
}

/// Checks all samples with one validator, or one by one where the schema itself is broken.
pub(crate) fn check(
    document: &Document,
    survey: &Survey<'_>,
    compiled: Option<&Validator>,
    found: &mut Vec<Diagnostic>,
) {
    if survey.samples.is_empty() {
        return;
    }
    let together = compiled.and_then(|_| wrap(document, survey));
    match together {
        Some(validator) => check_together(document, survey, &validator, found),
        None => check_alone(document, &survey.samples, found),
    }
}

/// A schema for the list of all samples: each by a reference into the schema itself.
fn wrap(document: &Document, survey: &Survey<'_>) -> Option<Validator> {
    let root = survey.resources.first()?;
    let mut schema = document.get(&root.pointer)?.clone();
    let own = schema.as_object_mut()?;
    own.remove("$schema");
    let id = if own.contains_key("$id") { root.uri.as_str() } else { ROOT };
    own.insert("$id".to_owned(), Value::from(id));
    let parts: Vec<_> = survey
        .samples
        .iter()
        .map(|sample| {
            let path = sample.schema.strip_prefix(&root.pointer).unwrap_or_default();
            json!({ "$ref": format!("{id}{}", reference::encode(path)) })
        })
        .collect();
    Validator::compile(&json!({ "$defs": { "schema": schema }, "prefixItems": parts })).ok()
}

fn check_together(
    document: &Document,
    survey: &Survey<'_>,
    validator: &Validator,
    found: &mut Vec<Diagnostic>,
) {
    let values = survey.samples.iter().filter_map(|sample| document.get(&sample.value).cloned());
    for fault in validator.faults(&Value::Array(values.collect())).iter() {
        let path = fault.pointer.trim_start_matches('/');
        let (index, _) = path.split_once('/').unwrap_or((path, ""));
        let Some(sample) = index.parse().ok().and_then(|at: usize| survey.samples.get(at)) else {
            continue;
        };
        let inner = path.strip_prefix(index).unwrap_or_default();
        found.push(diagnose(document, sample, inner, &fault));
    }
}

/// Schemas without references can be compiled alone.
fn check_alone(document: &Document, samples: &[Sample], found: &mut Vec<Diagnostic>) {
    for sample in samples.iter().take(MAX_ALONE) {
        let Some(schema) = document.get(&sample.schema).filter(|schema| !refers(schema)) else {
            continue;
        };
        let value = document.get(&sample.value);
        if let (Some(value), Ok(validator)) = (value, Validator::compile(schema)) {
            for fault in validator.faults(value).iter() {
                found.push(diagnose(document, sample, fault.pointer, &fault));
            }
        }
    }
}

fn refers(schema: &Value) -> bool {
    match schema {
        Value::Object(map) => map.iter().any(|(key, value)| key.starts_with('$') || refers(value)),
        Value::Array(items) => items.iter().any(refers),
        _ => false,
    }
}

fn diagnose(
    document: &Document,
    sample: &Sample,
    inner: &str,
    fault: &SchemaFault<'_>,
) -> Diagnostic {
    let keyword = if sample.value.ends_with("/default") { "default" } else { "example" };
    let message =
        format!("{keyword} of {} does not fit: {}", subject(&sample.schema), fault.message);
    let help = match (keyword, document.get(&sample.value)) {
        ("default", Some(Value::Null)) => "remove the default, or add \"null\" to the type",
        ("default", _) => "correct the default or the schema",
        _ => "correct the example or the schema",
    };
    document.at_value(&BAD_DEFAULT, &format!("{}{inner}", sample.value), message).help(help)
}
