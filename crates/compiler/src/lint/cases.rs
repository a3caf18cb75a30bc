//! Cases: `AIL-C`.

use crate::diagnostic::Diagnostic;
use crate::draft::Draft;
use crate::rule::Rule;

mod bad_case;
mod case;
mod duplicate_case;
mod invalid_case_args;
mod missing_cases;
mod mode_not_allowed;
mod valid_args_expected_invalid;

use case::Case;

pub(crate) const RULES: &[&Rule] = &[
    &bad_case::BAD_CASE,
    &invalid_case_args::INVALID_CASE_ARGS,
    &valid_args_expected_invalid::VALID_ARGS_EXPECTED_INVALID,
    &duplicate_case::DUPLICATE_CASE,
    &missing_cases::MISSING_CASES,
    &mode_not_allowed::MODE_NOT_ALLOWED,
];

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
