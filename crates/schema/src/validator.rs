//! A compiled schema.

use std::fmt;
use std::sync::LazyLock;

use jsonschema::{Draft, PatternOptions, ValidationError, ValidationOptions};
use serde_json::Value;

use crate::expected;
use crate::faults::Faults;
use crate::pattern::keyword::RenamedPatterns;
use crate::pattern::{self, keyword};
use crate::plan::Plan;

/// A schema that cannot be compiled.
#[derive(Debug, Clone, PartialEq)]
pub struct SchemaError {
    /// JSON Pointer to the faulty part of the schema, where known.
    pub pointer: String,
    pub message: String,
}

impl SchemaError {
    fn of(error: &ValidationError<'_>) -> Self {
        let pointer = error.instance_path().as_str().to_owned();
        Self { pointer, message: expected::message(error) }
    }
}

impl fmt::Display for SchemaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for SchemaError {}

/// A schema, ready to validate values. Formats are asserted; nothing is fetched.
pub struct Validator(pub(crate) ValidatorImpl);

/// Two engines that give the same faults: a plan if possible, because it is many times as fast, and
/// the `jsonschema` crate for all other schemas.
pub(crate) enum ValidatorImpl {
    Plan(Plan),
    Whole(Box<FullValidator>),
}

/// The `jsonschema` crate's validator, and the names that were translated for it.
pub(crate) struct FullValidator {
    validator: jsonschema::Validator,
    renamed: RenamedPatterns,
}

impl fmt::Debug for Validator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Validator")
    }
}

/// Whether `format` is asserted; the specification allows both.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Formats {
    Asserted,
    #[cfg(test)]
    Annotations,
}

fn options<'a>(formats: Formats) -> ValidationOptions<'a> {
    let names = PatternOptions::fancy_regex()
        .backtrack_limit(pattern::BACKTRACK_LIMIT)
        .size_limit(pattern::SIZE_LIMIT);
    jsonschema::options()
        .with_draft(Draft::Draft202012)
        .should_validate_formats(formats == Formats::Asserted)
        .with_pattern_options(names)
        .with_keyword("pattern", |_, value, _| keyword::compile(value))
}

/// The options of every schema outside of tests.
pub(crate) fn standard_options() -> &'static ValidationOptions<'static> {
    static STANDARD: LazyLock<ValidationOptions<'static>> =
        LazyLock::new(|| options(Formats::Asserted).offline());
    &STANDARD
}

impl Validator {
    /// Compiles a 2020-12 schema.
    pub fn compile(schema: &Value) -> Result<Self, SchemaError> {
        Self::build(schema, standard_options())
    }

    /// The `jsonschema` crate detects invalid schemas. If its meta-schema is sufficient for that, a
    /// schema with a plan is not compiled by the crate too.
    fn build(schema: &Value, options: &ValidationOptions<'_>) -> Result<Self, SchemaError> {
        let is_schema = names_nothing(schema) && jsonschema::draft202012::meta::is_valid(schema);
        if is_schema && let Some(plan) = Plan::of(schema, options) {
            return Ok(Self(ValidatorImpl::Plan(plan)));
        }
        let rewritten = keyword::rewritten(schema).map_err(|error| SchemaError::of(&error))?;
        let (schema_of_names, renamed) = rewritten;
        let built = options.build(&schema_of_names);
        let validator = built.map_err(|error| SchemaError::of(&error))?;
        let plan = Plan::of(schema, options).map(ValidatorImpl::Plan);
        Ok(Self(plan.unwrap_or_else(|| {
            ValidatorImpl::Whole(Box::new(FullValidator { validator, renamed }))
        })))
    }

    /// Whether the value is valid.
    pub fn accepts(&self, value: &Value) -> bool {
        match &self.0 {
            ValidatorImpl::Plan(plan) => plan.accepts(value),
            ValidatorImpl::Whole(whole) => whole.validator.is_valid(value),
        }
    }

    /// Every fault of the value, sorted by place.
    pub fn faults(&self, value: &Value) -> Faults {
        match &self.0 {
            ValidatorImpl::Plan(plan) => plan.faults(value),
            // Listing faults takes many times as long as a yes-or-no check.
            ValidatorImpl::Whole(whole) if whole.validator.is_valid(value) => Faults::default(),
            ValidatorImpl::Whole(whole) => {
                let mut faults = faults(&whole.validator, value);
                faults.rename(&whole.renamed);
                faults
            }
        }
    }
}

/// Whether a schema has nothing to resolve: no reference, definition, anchor or other dialect.
/// Annotations and properties whose names begin like such a keyword count as one.
fn names_nothing(schema: &Value) -> bool {
    let is_name = |keyword: &String| keyword.starts_with('$') && keyword != "$comment";
    match schema {
        Value::Object(keywords) => {
            !keywords.keys().any(is_name) && keywords.values().all(names_nothing)
        }
        Value::Array(items) => items.iter().all(names_nothing),
        _ => true,
    }
}

pub(crate) fn faults(whole: &jsonschema::Validator, value: &Value) -> Faults {
    let mut faults = Faults::default();
    whole.iter_errors(value).for_each(|error| faults.add_error(&error));
    faults.sort();
    faults
}

#[cfg(test)]
#[path = "validator_tests.rs"]
mod tests;

#[cfg(test)]
#[path = "suite_tests.rs"]
mod suite_tests;
