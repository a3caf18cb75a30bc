//! A case whose arguments the tool would refuse.

use super::case::{Case, Expectation};
use crate::diagnostic::Diagnostic;
use crate::draft::Draft;
use crate::lint::docs::arguments;
use crate::rule::rule;

rule! {
    /// The arguments of a case do not fit `parameters`.
    ///
    /// ## Why
    /// Arguments that do not fit never reach the handler: the call ends with `VALIDATION`,
    /// whatever the case expects. Either the case has drifted from the schema, or the schema
    /// refuses a call that should work.
    ///
    /// ## Example
    /// ```json
    /// [{ "name": "finds two", "args": { "query": "x", "top_k": "2" }, "expect": { "ok": true } }]
    /// ```
    ///
    /// ## Fix
    /// Correct the arguments, or expect `{ "ok": false, "error": { "type": "VALIDATION" } }`.
    INVALID_CASE_ARGS, "AIL-C002", "invalid-case-args", Error
}

pub(crate) fn check(draft: &Draft, case: &Case<'_>, found: &mut Vec<Diagnostic>) {
    let settled = [Expectation::Error("VALIDATION"), Expectation::Unclear];
    if settled.contains(&case.expectation()) {
        return;
    }
    let base = format!("{}/args", case.pointer);
    for misfit in arguments::misfits(draft, case.document, &base) {
        let place = misfit.place();
        let message =
            format!("arguments of case {} do not fit{place}: {}", case.title(), misfit.message);
        let help = misfit
            .help
            .unwrap_or_else(|| "correct them, or expect a `VALIDATION` error".to_owned());
        found.push(
            Diagnostic::new(&INVALID_CASE_ARGS, &case.document.source, message)
                .at(misfit.span)
                .pointer(misfit.pointer)
                .help(help),
        );
    }
}
