//! An example that the tool would refuse.

use super::arguments::{ArgumentFault, misfits};
use crate::diagnostic::Diagnostic;
use crate::docs::Documentation;
use crate::docs::fence::Fence;
use crate::document::Document;
use crate::draft::Draft;
use crate::rule::rule;

rule! {
    /// An example does not fit `parameters`.
    ///
    /// ## Why
    /// Models copy examples before they read schemas. An example that has drifted from the schema
    /// is a call that fails every time it is copied. Every fenced `json` block under an Examples
    /// heading counts as an argument object.
    ///
    /// ## Example
    /// ````markdown
    /// ## Examples
    ///
    /// ```json
    /// { "query": "lighting lead", "limit": 3 }
    /// ```
    /// ````
    ///
    /// ## Fix
    /// Correct the example, or the schema if the example is right. To show a response, use
    /// another fence: `jsonc` or `text`.
    INVALID_EXAMPLE, "AIL-D009", "invalid-example", Error
}

const CORRECT: &str = "correct the example, or the schema if the example is right";

const RESPONSE: &str = "every `json` block under Examples is an argument object; fence a response as `jsonc` or `text`";

pub(crate) fn check(
    draft: &Draft,
    documentation: &Documentation,
    fence: &Fence,
    arguments: &Document,
    found: &mut Vec<Diagnostic>,
) {
    let response = arguments.get("/ok").is_some();
    for misfit in misfits(draft, arguments, "") {
        let finding = diagnose(documentation, fence, &misfit);
        found.push(match misfit.help {
            Some(help) => finding.help(help),
            None if response => finding.help(RESPONSE),
            None => finding.help(CORRECT),
        });
    }
}

fn diagnose(documentation: &Documentation, fence: &Fence, misfit: &ArgumentFault) -> Diagnostic {
    let message =
        format!("example does not fit `parameters`{}: {}", misfit.place(), misfit.message);
    Diagnostic::new(&INVALID_EXAMPLE, &documentation.source, message)
        .at(fence.locate(&misfit.span))
        .pointer(&misfit.pointer)
}
