//! A case that expects a refusal of arguments that fit.

use super::case::{Case, Expectation};
use crate::diagnostic::Diagnostic;
use crate::draft::Draft;
use crate::lint::docs::arguments;
use crate::rule::rule;

rule! {
    /// A case expects `VALIDATION`, but its arguments fit `parameters`.
    ///
    /// ## Why
    /// `VALIDATION` is the registry's word: the arguments do not fit the schema. When they do,
    /// the call reaches the handler, and the case tests something else than it says. A handler
    /// that objects to arguments the schema allows answers `PERMANENT` or `CONFLICT`.
    ///
    /// ## Example
    /// ```json
    /// [{
    ///   "name": "an empty query is refused",
    ///   "args": { "query": "" },
    ///   "expect": { "ok": false, "error": { "type": "VALIDATION" } }
    /// }]
    /// ```
    ///
    /// ## Fix
    /// Tighten the schema (here, `"minLength": 1`), or expect what the handler answers.
    VALID_ARGS_EXPECTED_INVALID, "AIL-C003", "valid-args-expected-invalid", Error
}

pub(crate) fn check(draft: &Draft, case: &Case<'_>, found: &mut Vec<Diagnostic>) {
    let (Some(_), Some(args)) = (&draft.parameters, case.value.get("args")) else { return };
    let expected = case.expectation() == Expectation::Error("VALIDATION");
    if !expected || !arguments::faults(draft, args).is_empty() {
        return;
    }
    let message =
        format!("case {} expects `VALIDATION`, but its arguments fit `parameters`", case.title());
    let place = format!("{}/expect/error/type", case.pointer);
    found.push(
        case.document
            .at_value(&VALID_ARGS_EXPECTED_INVALID, &place, message)
            .help("tighten the schema, or expect what the handler answers"),
    );
}
