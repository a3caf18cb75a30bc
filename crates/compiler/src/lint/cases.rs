//! Cases: `AIL-C`.

use serde_json::Value;

use crate::diagnostic::Diagnostic;
use crate::document::Document;
use crate::draft::Draft;
use crate::rule::Rule;

mod bad_case;
mod duplicate_case;
mod invalid_case_args;
mod missing_cases;
mod mode_not_allowed;
mod valid_args_expected_invalid;

pub(crate) const RULES: &[&Rule] = &[
    &bad_case::BAD_CASE,
    &invalid_case_args::INVALID_CASE_ARGS,
    &valid_args_expected_invalid::VALID_ARGS_EXPECTED_INVALID,
    &duplicate_case::DUPLICATE_CASE,
    &missing_cases::MISSING_CASES,
    &mode_not_allowed::MODE_NOT_ALLOWED,
];

/// The file's name.
const FILE: &str = "cases.json";

/// One case, as far as it can be understood.
pub(crate) struct Case<'a> {
    pub(crate) document: &'a Document,
    /// JSON Pointer to the case.
    pub(crate) pointer: String,
    pub(crate) value: &'a Value,
}

impl<'a> Case<'a> {
    /// The case's name, or its number where it has none.
    pub(crate) fn title(&self) -> String {
        let name = self.value.get("name").and_then(Value::as_str);
        name.map_or_else(|| self.pointer.clone(), |name| format!("{name:?}"))
    }

    /// How the call is expected to end.
    pub(crate) fn expectation(&self) -> Expectation<'a> {
        let expect = self.value.get("expect");
        match expect.and_then(|expect| expect.get("ok")).and_then(Value::as_bool) {
            Some(true) => Expectation::Success,
            Some(false) => {
                let kind = expect.and_then(|expect| expect.pointer("/error/type"));
                kind.and_then(Value::as_str).map_or(Expectation::Unclear, Expectation::Error)
            }
            None => Expectation::Unclear,
        }
    }
}

/// How a call is expected to end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Expectation<'a> {
    Success,
    Error(&'a str),
    /// Not said as it should be; reported by itself.
    Unclear,
}

pub(crate) fn check(draft: &Draft, found: &mut Vec<Diagnostic>) {
    let Some(document) = &draft.cases else {
        missing_cases::check(draft, found);
        return;
    };
    bad_case::check(document, found);
    let values = document.value.as_array().map(Vec::as_slice).unwrap_or_default();
    let case = |(index, value)| Case { document, pointer: format!("/{index}"), value };
    let cases: Vec<_> = values.iter().enumerate().map(case).collect();
    duplicate_case::check(&cases, found);
    for case in &cases {
        invalid_case_args::check(draft, case, found);
        valid_args_expected_invalid::check(draft, case, found);
        mode_not_allowed::check(draft, case, found);
    }
}

#[cfg(test)]
#[path = "cases_tests.rs"]
mod tests;
