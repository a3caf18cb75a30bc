//! Expressions, previews, pointers and limits: `AIL-X`. The parts of `schema.json` that refer to
//! parameters.

use aileron_contract::condition::{self, ConditionField};
use serde_json::Value;

use crate::diagnostic::Diagnostic;
use crate::draft::Draft;
use crate::options::Options;
use crate::rule::Rule;

mod bad_expression;
mod bad_preview;
pub(crate) mod cel;
mod cel_problem;
pub(crate) mod literal;
mod mode_limit;
pub(crate) mod path;
mod pointer_nowhere;
pub(crate) mod preview;
pub(crate) mod shape;
mod subject;
mod unknown_function;
mod unknown_mode_limit;
mod unknown_parameter_in_expression;
mod unknown_parameter_in_preview;
mod unknown_property;
mod unknown_variable;

use subject::Subject;

pub(crate) const RULES: &[&Rule] = &[
    &bad_expression::BAD_EXPRESSION,
    &unknown_variable::UNKNOWN_VARIABLE,
    &unknown_parameter_in_expression::UNKNOWN_PARAMETER_IN_EXPRESSION,
    &unknown_parameter_in_preview::UNKNOWN_PARAMETER_IN_PREVIEW,
    &bad_preview::BAD_PREVIEW,
    &pointer_nowhere::POINTER_NOWHERE,
    &unknown_mode_limit::UNKNOWN_MODE_LIMIT,
    &unknown_function::UNKNOWN_FUNCTION,
    &unknown_property::UNKNOWN_PROPERTY,
];

pub(crate) fn check(draft: &Draft, options: &Options, found: &mut Vec<Diagnostic>) {
    let Some(schema) = &draft.schema else { return };
    let subject = Subject::of(schema, options);
    for field in condition::FIELDS {
        if let Some(text) = schema.get(field.pointer).and_then(Value::as_str) {
            check_expression(&subject, field, text, found);
        }
    }
    if let Some(text) = schema.get(preview::POINTER).and_then(Value::as_str) {
        check_preview(&subject, text, found);
    }
    pointer_nowhere::check(&subject, found);
    unknown_mode_limit::check(&subject, found);
}

fn check_expression(
    subject: &Subject<'_>,
    field: &ConditionField,
    text: &str,
    found: &mut Vec<Diagnostic>,
) {
    match cel::references(text) {
        Err(problem) => found.push(bad_expression::diagnose(subject, field, &problem)),
        Ok(references) => {
            for reference in &references {
                unknown_variable::check(subject, field, reference, found);
                unknown_function::check(subject, field, reference, found);
                unknown_parameter_in_expression::check(subject, field, reference, found);
            }
            unknown_property::check(subject, field, &references, found);
        }
    }
}

fn check_preview(subject: &Subject<'_>, text: &str, found: &mut Vec<Diagnostic>) {
    let preview = preview::parse(text);
    for problem in &preview.problems {
        found.push(bad_preview::diagnose(subject, problem));
    }
    for placeholder in &preview.placeholders {
        unknown_parameter_in_preview::check(subject, placeholder, found);
    }
}

#[cfg(test)]
#[path = "expressions_tests.rs"]
mod tests;
