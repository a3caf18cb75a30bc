//! A case in a mode that the tool does not allow.

use serde_json::Value;

use super::case::{Case, Expectation};
use crate::diagnostic::Diagnostic;
use crate::draft::Draft;
use crate::rule::rule;

rule! {
    /// A case calls the tool in a mode it does not allow.
    ///
    /// ## Why
    /// Such a call is refused with `MODE_RESTRICTED` before its arguments are looked at, so
    /// the case can show nothing else.
    ///
    /// ## Example
    /// ```json
    /// [{ "name": "books by voice", "mode": "voice", "args": {}, "expect": { "ok": true } }]
    /// ```
    ///
    /// ## Fix
    /// Use a mode of `allowedModes`, or expect `MODE_RESTRICTED`.
    MODE_NOT_ALLOWED, "AIL-C006", "mode-not-allowed", Error
}

pub(crate) fn check(draft: &Draft, case: &Case<'_>, found: &mut Vec<Diagnostic>) {
    let allowed = draft.field("/allowedModes").and_then(Value::as_array);
    let mode = case.value.get("mode").filter(|mode| mode.is_string());
    let (Some(allowed), Some(mode)) = (allowed, mode) else { return };
    let settled = [Expectation::Error("MODE_RESTRICTED"), Expectation::Unclear];
    if allowed.contains(mode) || settled.contains(&case.expectation()) {
        return;
    }
    let mode = mode.as_str().unwrap_or_default();
    let listed: Vec<_> = allowed.iter().filter_map(Value::as_str).collect();
    let message = format!(
        "case {} calls in mode `{mode}`, but the tool allows only `{}`",
        case.title(),
        listed.join("`, `")
    );
    let place = format!("{}/mode", case.pointer);
    found.push(
        case.document
            .at_value(&MODE_NOT_ALLOWED, &place, message)
            .help("use a mode of `allowedModes`, or expect `MODE_RESTRICTED`"),
    );
}
