//! A tool that changes something without asking.

use crate::diagnostic::Diagnostic;
use crate::draft::Draft;
use crate::rule::rule;

rule! {
    /// The tool writes, and the schema does not state whether the person is asked for approval.
    ///
    /// ## Why
    /// A model may call the tool by mistake, or because a text it read told it to. For a tool
    /// that writes, the person's approval prevents that. A tool without approval may be
    /// right, but the decision must be stated explicitly.
    ///
    /// ## Example
    /// ```json
    /// { "sideEffects": "writes", "requiresConfirmation": false }
    /// ```
    ///
    /// ## Fix
    /// Set `requiresConfirmation` to `true`, or state in `confirmation.when` when the person is
    /// asked. `"when": "false"` states that the tool never asks.
    WRITES_WITHOUT_CONFIRMATION, "AIL-L001", "writes-without-confirmation", Warning
}

pub(crate) fn check(draft: &Draft, found: &mut Vec<Diagnostic>) {
    let Some(schema) = &draft.schema else { return };
    let writes = draft.text("/sideEffects") == Some("writes");
    let silent = draft.flag("/requiresConfirmation") == Some(false)
        && draft.field("/confirmation/when").is_none();
    if writes && silent {
        let message =
            "tool writes, but `requiresConfirmation` is false and `confirmation.when` says nothing";
        let help = "require confirmation, or state when with `confirmation.when`; `\"false\"` states that it never asks";
        let finding =
            schema.at_value(&WRITES_WITHOUT_CONFIRMATION, "/requiresConfirmation", message);
        found.push(finding.help(help));
    }
}
