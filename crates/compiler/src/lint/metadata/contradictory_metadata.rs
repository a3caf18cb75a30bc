//! Contradictory fields.

use super::contradiction::CONTRADICTIONS;
use crate::diagnostic::Diagnostic;
use crate::document::Document;
use crate::draft::Draft;
use crate::rule::rule;
use crate::source::Span;

rule! {
    /// Two fields of `schema.json` contradict each other.
    ///
    /// ## Why
    /// Every field is enforced at run time. If two of them contradict each other, one wins and
    /// the other has no effect. The rule finds:
    ///
    /// - `requiresConfirmation` on a tool without side effects
    /// - `confirmation.when` beside `requiresConfirmation: true`
    /// - `confirmation.preview` or `ttlSeconds` on a tool that never asks
    /// - a tool without side effects that is not idempotent
    /// - a utility that writes
    /// - `timeoutMs` below `latencyBudgetMs` (an error: every slow call would be cut off)
    /// - `speech` or `modeLimits` for a mode that is not allowed
    /// - `speech.fillerAfterMs` without `filler`, or not before the deadline
    /// - `permissions.scopes` without `requiresAuth`
    /// - `onInterrupt: cancel` on a tool that writes and may be used in voice
    ///
    /// ## Example
    /// ```json
    /// { "latencyBudgetMs": 3000, "timeoutMs": 2000 }
    /// ```
    ///
    /// ## Fix
    /// Decide which of the two is meant and change or remove the other.
    CONTRADICTORY_METADATA, "AIL-L002", "contradictory-metadata", Warning
}

pub(crate) fn check(draft: &Draft, found: &mut Vec<Diagnostic>) {
    let Some(schema) = &draft.schema else { return };
    for contradiction in CONTRADICTIONS {
        let Some(message) = (contradiction.message)(draft) else { continue };
        let pointer = contradiction.pointer;
        let place = place(schema, pointer);
        let mut finding = schema.at_value(&CONTRADICTORY_METADATA, pointer, message).at(place);
        finding.severity = contradiction.severity;
        found.push(finding.help(contradiction.help));
    }
}

/// The span of a field; of its key if it has several lines.
fn place(schema: &Document, pointer: &str) -> Span {
    let value = schema.span(pointer);
    let text = schema.source.text.get(value.clone()).unwrap_or_default();
    if text.contains('\n') { schema.key_span(pointer) } else { value }
}
