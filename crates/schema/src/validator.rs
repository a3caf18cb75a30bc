//! A compiled schema.

use std::fmt;

use jsonschema::{Draft, PatternOptions, ValidationOptions};
use serde_json::Value;

use crate::fault::Fault;

/// How many backtracking steps one `pattern` may take on one text.
const BACKTRACK_LIMIT: usize = 100_000;

/// How many bytes one compiled `pattern` may take.
const PATTERN_SIZE_LIMIT: usize = 1 << 20;

/// A schema that cannot be compiled.
#[derive(Debug, Clone, PartialEq)]
pub struct SchemaError {
    /// JSON Pointer to the faulty part of the schema, where known.
    pub pointer: String,
    pub message: String,
}

impl fmt::Display for SchemaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for SchemaError {}

/// A schema, ready to validate values. Formats are asserted; nothing is fetched.
pub struct Validator(jsonschema::Validator);

impl fmt::Debug for Validator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Validator")
    }
}

/// What `format` does: the specification leaves it open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Formats {
    Asserted,
    #[cfg(test)]
    Annotations,
}

fn options<'a>(formats: Formats) -> ValidationOptions<'a> {
    let patterns = PatternOptions::fancy_regex()
        .backtrack_limit(BACKTRACK_LIMIT)
        .size_limit(PATTERN_SIZE_LIMIT);
    jsonschema::options()
        .with_draft(Draft::Draft202012)
        .should_validate_formats(formats == Formats::Asserted)
        .with_pattern_options(patterns)
}

impl Validator {
    /// Compiles a 2020-12 schema.
    pub fn compile(schema: &Value) -> Result<Self, SchemaError> {
        Self::build(schema, &options(Formats::Asserted).offline())
    }

    fn build(schema: &Value, options: &ValidationOptions<'_>) -> Result<Self, SchemaError> {
        options.build(schema).map(Self).map_err(|error| {
            let fault = Fault::of(&error);
            SchemaError { pointer: fault.pointer, message: fault.message }
        })
    }

    /// Whether the value fits.
    pub fn accepts(&self, value: &Value) -> bool {
        self.0.is_valid(value)
    }

    /// Every way in which the value does not fit, in the order of their places.
    pub fn faults(&self, value: &Value) -> Vec<Fault> {
        let mut faults: Vec<_> = self.0.iter_errors(value).map(|error| Fault::of(&error)).collect();
        faults
            .sort_by(|a, b| (&a.pointer, &a.schema_pointer).cmp(&(&b.pointer, &b.schema_pointer)));
        faults
    }
}

#[cfg(test)]
#[path = "validator_tests.rs"]
mod tests;

#[cfg(test)]
#[path = "suite_tests.rs"]
mod suite_tests;
