//! Patterns inside of the `jsonschema` crate, which has its own dialect.
//!
//! `pattern` is registered as a custom keyword. The names of `patternProperties` affect several
//! keywords, so they are rewritten in the schema instead.

use std::borrow::Cow;

use jsonschema::{Keyword, ValidationError};
use serde_json::{Map, Value, json};

use super::{MatchAborted, Pattern, compiles_as_name, translate};
use crate::found::push_shown;
use crate::place::ValuePath;

/// The message about a match that exceeds the step limit.
pub(crate) const UNFINISHED: &str = "the pattern took too long to match this text";

/// Keywords that hold a schema.
const SCHEMA: &[&str] = &[
    "additionalProperties",
    "contains",
    "else",
    "if",
    "items",
    "not",
    "propertyNames",
    "then",
    "unevaluatedItems",
    "unevaluatedProperties",
];

/// Keywords that hold a list of schemas.
const LIST: &[&str] = &["allOf", "anyOf", "oneOf", "prefixItems"];

/// Keywords that hold schemas by name.
const MAP: &[&str] = &["$defs", "definitions", "dependentSchemas", "properties", PATTERNS];

const PATTERNS: &str = "patternProperties";

/// The keyword `pattern` of one schema.
struct PatternKeyword {
    text: String,
    pattern: Pattern,
}

/// Compiles the keyword `pattern`.
pub(crate) fn compile(value: &Value) -> Result<Box<dyn for<'i> Keyword<'i>>, ValidationError<'_>> {
    let text = value.as_str().unwrap_or_default().to_owned();
    match Pattern::compile(&text) {
        Ok(pattern) => Ok(Box::new(PatternKeyword { text, pattern })),
        Err(error) => Err(ValidationError::custom(error.to_string())),
    }
}

impl<'i> Keyword<'i> for PatternKeyword {
    fn validate(&self, instance: &'i Value) -> Result<(), ValidationError<'i>> {
        let Value::String(text) = instance else { return Ok(()) };
        match self.pattern.matches(text) {
            Ok(true) => Ok(()),
            Ok(false) => {
                let mut message = expected(&self.text);
                push_shown(&mut message, instance);
                Err(ValidationError::custom(message))
            }
            Err(MatchAborted) => Err(ValidationError::custom(UNFINISHED)),
        }
    }

    fn is_valid(&self, instance: &'i Value) -> bool {
        let Value::String(text) = instance else { return true };
        self.pattern.matches(text) == Ok(true)
    }
}

/// The first part of the message; the found value follows.
pub(crate) fn expected(pattern: &str) -> String {
    format!("expected text that matches {pattern:?}, found ")
}

/// The names of `patternProperties` that were translated, as steps of a pointer: the translated and
/// the original one.
#[derive(Debug, Default)]
pub(crate) struct RenamedPatterns(Vec<(String, String)>);

impl RenamedPatterns {
    fn add(&mut self, ours: &str, written: &str) {
        let names = ValuePath::Member(&ValuePath::Root, PATTERNS);
        let step = |name: &str| ValuePath::Member(&names, name).pointer();
        if ours != written {
            self.0.push((step(ours), step(written)));
        }
    }

    /// The pointer into the original schema.
    pub(crate) fn pointer(&self, pointer: &str) -> String {
        let mut pointer = pointer.to_owned();
        for (ours, written) in &self.0 {
            let found = pointer.split_once(ours.as_str());
            if let Some((before, after)) = found
                && (after.is_empty() || after.starts_with('/'))
            {
                pointer = format!("{before}{written}{after}");
            }
        }
        pointer
    }
}

/// The schema with the names of `patternProperties` in the dialect of the `jsonschema` crate.
pub(crate) fn rewritten(
    schema: &Value,
) -> Result<(Cow<'_, Value>, RenamedPatterns), ValidationError<'static>> {
    let mut renamed = RenamedPatterns::default();
    if !names_patterns(schema) {
        return Ok((Cow::Borrowed(schema), renamed));
    }
    let mut schema = schema.clone();
    rewrite(&mut schema, &mut renamed)?;
    Ok((Cow::Owned(schema), renamed))
}

/// Whether any part of a value has the keyword; a property of that name counts too.
fn names_patterns(value: &Value) -> bool {
    match value {
        Value::Object(members) => {
            members.iter().any(|(name, value)| name == PATTERNS || names_patterns(value))
        }
        Value::Array(items) => items.iter().any(names_patterns),
        _ => false,
    }
}

fn rewrite(
    schema: &mut Value,
    renamed: &mut RenamedPatterns,
) -> Result<(), ValidationError<'static>> {
    let Value::Object(keywords) = schema else { return Ok(()) };
    for (keyword, value) in keywords {
        match value {
            Value::Array(schemas) if LIST.contains(&keyword.as_str()) => {
                schemas.iter_mut().try_for_each(|schema| rewrite(schema, renamed))?;
            }
            Value::Object(schemas) if MAP.contains(&keyword.as_str()) => {
                schemas.values_mut().try_for_each(|schema| rewrite(schema, renamed))?;
                if keyword == PATTERNS {
                    *schemas = rename(std::mem::take(schemas), renamed)?;
                }
            }
            schema if SCHEMA.contains(&keyword.as_str()) => rewrite(schema, renamed)?,
            _ => {}
        }
    }
    Ok(())
}

/// The same schemas under translated names; two names with the same translation share one.
fn rename(
    schemas: Map<String, Value>,
    renamed: &mut RenamedPatterns,
) -> Result<Map<String, Value>, ValidationError<'static>> {
    let mut named = Map::new();
    for (name, schema) in schemas {
        let pattern = compiles_as_name(&name)
            .and_then(|()| translate::for_jsonschema(&name))
            .map_err(|error| ValidationError::custom(format!("`{name}`: {error}")))?;
        renamed.add(&pattern, &name);
        let both = match named.remove(&pattern) {
            Some(other) => json!({ "allOf": [other, schema] }),
            None => schema,
        };
        named.insert(pattern, both);
    }
    Ok(named)
}
