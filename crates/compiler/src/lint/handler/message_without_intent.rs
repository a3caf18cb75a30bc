//! A message that announces a change which the handler does not request.

use std::sync::Arc;

use crate::diagnostic::{Diagnostic, Edit};
use crate::rule::rule;
use crate::source::{Source, Span};

rule! {
    /// The handler announces a block or a voice session and returns no intent that makes it happen.
    ///
    /// ## Why
    /// A message to the page changes what the page shows, and nothing else. A handler that sends
    /// `{ type: 'timeout' }` and returns no `BLOCK_USER` intent is answered with `ok`, the page shows a
    /// countdown, and the person can go on writing. The same holds for a request for voice without
    /// `START_VOICE_SESSION`, and for the end of voice without `END_VOICE_SESSION`. A call that does this
    /// also has a sentence in `meta.warnings` and in the log.
    ///
    /// ## Example
    /// ```js
    /// await context.messaging.send({ type: 'timeout', timeoutUntil });
    /// return { ok: true, data: { timeoutUntil } };
    /// ```
    ///
    /// ## Fix
    /// ```js
    /// await context.messaging.send({ type: 'timeout', timeoutUntil });
    /// return { ok: true, data: { timeoutUntil }, intents: [{ type: 'BLOCK_USER', until: timeoutUntil }] };
    /// ```
    MESSAGE_WITHOUT_INTENT, "AIL-H021", "message-without-intent", Warning
}

/// `edit` returns the intent, if it is known where and with what.
pub(crate) fn diagnose(
    source: &Arc<Source>,
    message: &str,
    intent: &str,
    place: Span,
    edit: Option<Edit>,
) -> Diagnostic {
    let outcome = match intent {
        "BLOCK_USER" => "the person is not blocked",
        "START_VOICE_SESSION" => "no voice session begins",
        _ => "the voice session does not end",
    };
    let text = format!(
        "expected the intent `{intent}` in a handler that announces `{message}`, found none; without it {outcome}"
    );
    let help = match intent {
        "BLOCK_USER" => {
            "return `intents: [{ type: 'BLOCK_USER', until: <milliseconds since 1970> }]`"
        }
        "START_VOICE_SESSION" => "return `intents: [{ type: 'START_VOICE_SESSION' }]`",
        _ => "return `intents: [{ type: 'END_VOICE_SESSION', after: 'current_turn' }]`",
    };
    let finding = Diagnostic::new(&MESSAGE_WITHOUT_INTENT, source, text).at(place).help(help);
    match edit {
        Some(edit) => finding.edit(edit),
        None => finding,
    }
}
