//! Parameters in all dialects in which they are declared: lower-case or upper-case types, nullable
//! or a list with null, `anyOf`, references. Values that do not match are never sent.

use serde_json::{Map, Value};

/// The maximum depth to which a schema is followed.
const DEEPEST: usize = 24;

/// The kinds of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ValueType {
    Text,
    Integer,
    Number,
    Boolean,
    List,
    Object,
    Null,
    Any,
}

/// The parameters of a tool.
#[derive(Debug, Clone, Copy)]
pub(super) struct Parameters<'a> {
    root: &'a Value,
}

impl<'a> Parameters<'a> {
    pub(super) fn new(root: &'a Value) -> Self {
        Self { root }
    }

    /// The named parameters, the required ones first.
    pub(super) fn all(self) -> Vec<(&'a str, &'a Value)> {
        let (properties, required) = (self.properties(), self.required());
        let mut all: Vec<(&str, &Value)> = properties
            .into_iter()
            .flatten()
            .map(|(name, schema)| (name.as_str(), self.resolve(schema)))
            .collect();
        all.sort_by_key(|(name, _)| !required.contains(name));
        all
    }

    /// One parameter.
    pub(super) fn one(self, name: &str) -> Option<&'a Value> {
        self.properties()?.get(name).map(|schema| self.resolve(schema))
    }

    fn properties(self) -> Option<&'a Map<String, Value>> {
        self.resolve(self.root).get("properties")?.as_object()
    }

    pub(super) fn required(self) -> Vec<&'a str> {
        required(self.resolve(self.root))
    }

    /// The schema, the schema that it refers to, or the first alternative that is not null.
    pub(super) fn resolve(self, schema: &'a Value) -> &'a Value {
        let mut schema = schema;
        for _ in 0..DEEPEST {
            let referred = schema
                .get("$ref")
                .and_then(Value::as_str)
                .and_then(|path| self.root.pointer(path.strip_prefix('#')?));
            let choices =
                ["anyOf", "any_of", "oneOf"].iter().find_map(|word| schema.get(*word)?.as_array());
            let chosen = choices
                .and_then(|choices| choices.iter().find(|choice| kind(choice) != ValueType::Null));
            match referred.or(chosen) {
                Some(next) => schema = next,
                None => break,
            }
        }
        schema
    }

    /// Whether a value fits a schema of these parameters.
    pub(super) fn fits(self, schema: &'a Value, value: &Value) -> bool {
        self.fits_within(schema, value, DEEPEST)
    }

    fn fits_within(self, schema: &'a Value, value: &Value, depth: usize) -> bool {
        if depth == 0 {
            return false;
        }
        let schema = self.resolve(schema);
        if value.is_null() {
            return kind(schema) == ValueType::Null || nullable(schema);
        }
        let listed = schema.get("enum").and_then(Value::as_array);
        let constant = schema.get("const");
        if listed.is_some_and(|listed| !listed.contains(value))
            || constant.is_some_and(|constant| constant != value)
        {
            return false;
        }
        match (kind(schema), value) {
            (ValueType::Any, _) => true,
            (ValueType::Text, Value::String(text)) => fits_text(schema, text),
            (ValueType::Integer, Value::Number(number)) => {
                (number.is_i64() || number.is_u64()) && fits_number(schema, number.as_f64())
            }
            (ValueType::Number, Value::Number(number)) => fits_number(schema, number.as_f64()),
            (ValueType::Boolean, Value::Bool(_)) => true,
            (ValueType::List, Value::Array(values)) => {
                let items = schema.get("items");
                fits_count(schema, values.len(), "minItems", "maxItems")
                    && items.is_none_or(|items| {
                        values.iter().all(|value| self.fits_within(items, value, depth - 1))
                    })
            }
            (ValueType::Object, Value::Object(fields)) => self.fits_object(schema, fields, depth),
            _ => false,
        }
    }

    fn fits_object(self, schema: &'a Value, fields: &Map<String, Value>, depth: usize) -> bool {
        let properties = schema.get("properties").and_then(Value::as_object);
        let closed = schema.get("additionalProperties") == Some(&Value::Bool(false));
        let complete = required(schema).iter().all(|name| fields.contains_key(*name));
        complete
            && fields.iter().all(|(name, value)| {
                match properties.and_then(|known| known.get(name)) {
                    Some(property) => self.fits_within(property, value, depth - 1),
                    None => !closed,
                }
            })
    }
}

fn required(schema: &Value) -> Vec<&str> {
    let names = schema.get("required").and_then(Value::as_array);
    names.into_iter().flatten().filter_map(Value::as_str).collect()
}

/// The kind a schema asks for.
pub(super) fn kind(schema: &Value) -> ValueType {
    let of = |name: &str| match name.to_ascii_lowercase().as_str() {
        "string" => ValueType::Text,
        "integer" => ValueType::Integer,
        "number" => ValueType::Number,
        "boolean" => ValueType::Boolean,
        "array" => ValueType::List,
        "object" => ValueType::Object,
        "null" => ValueType::Null,
        _ => ValueType::Any,
    };
    match schema.get("type") {
        Some(Value::String(name)) => of(name),
        Some(Value::Array(names)) => {
            let mut kinds = names.iter().filter_map(Value::as_str).map(of);
            kinds.find(|kind| *kind != ValueType::Null).unwrap_or(ValueType::Null)
        }
        _ if schema.get("properties").is_some() => ValueType::Object,
        _ => ValueType::Any,
    }
}

fn nullable(schema: &Value) -> bool {
    let listed = schema.get("type").and_then(Value::as_array);
    schema.get("nullable") == Some(&Value::Bool(true))
        || listed.is_some_and(|names| names.iter().any(|name| name == "null"))
}

/// A bound, which some dialects send as text.
fn bound(schema: &Value, name: &str) -> Option<f64> {
    let value = schema.get(name)?;
    value.as_f64().or_else(|| value.as_str()?.parse().ok())
}

fn fits_count(schema: &Value, count: usize, least: &str, most: &str) -> bool {
    let count = count as f64;
    bound(schema, least).is_none_or(|least| count >= least)
        && bound(schema, most).is_none_or(|most| count <= most)
}

fn fits_number(schema: &Value, number: Option<f64>) -> bool {
    let Some(number) = number else { return false };
    bound(schema, "minimum").is_none_or(|least| number >= least)
        && bound(schema, "maximum").is_none_or(|most| number <= most)
        && bound(schema, "exclusiveMinimum").is_none_or(|least| number > least)
        && bound(schema, "exclusiveMaximum").is_none_or(|most| number < most)
}

fn fits_text(schema: &Value, text: &str) -> bool {
    let pattern = schema.get("pattern").and_then(Value::as_str);
    // A pattern that cannot be parsed here is left to the server.
    let matches = pattern.is_none_or(|pattern| {
        regex::Regex::new(pattern).map_or(true, |pattern| pattern.is_match(text))
    });
    let format_fits = match schema.get("format").and_then(Value::as_str) {
        Some("email") => super::extract::is_email(text),
        Some("date-time") => text.parse::<jiff::Timestamp>().is_ok(),
        Some("date") => text.parse::<jiff::civil::Date>().is_ok() && text.len() == 10,
        _ => true,
    };
    matches && format_fits && fits_count(schema, text.chars().count(), "minLength", "maxLength")
}

/// The texts that an enumeration allows.
pub(super) fn texts(schema: &Value) -> Vec<&str> {
    let listed = schema.get("enum").and_then(Value::as_array);
    listed.into_iter().flatten().filter_map(Value::as_str).collect()
}

#[cfg(test)]
#[path = "schema_tests.rs"]
mod tests;
