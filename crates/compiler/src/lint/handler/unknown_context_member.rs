//! A member of the context that does not exist.

use std::sync::Arc;

use crate::diagnostic::{Diagnostic, Edit};
use crate::rule::rule;
use crate::source::{Source, Span};
use crate::suggest;

rule! {
    /// The handler reads a member of `context` that no context has.
    ///
    /// ## Why
    /// The member is `undefined`: a call of it fails with a `TypeError`, and a test of it is always
    /// false. Handlers that were written for another server often expect its socket or its session,
    /// which a handler never receives here.
    ///
    /// ## Example
    /// ```js
    /// context.ws.send(JSON.stringify({ type: 'image', url: args.url }));
    /// ```
    ///
    /// ## Fix
    /// ```js
    /// await context.messaging.send({ type: 'image', url: args.url });
    /// ```
    /// with `"messaging"` among the `capabilities`. `docs/handlers.md` lists all members.
    UNKNOWN_CONTEXT_MEMBER, "AIL-H022", "unknown-context-member", Warning
}

/// The members of every context that are no capabilities.
const MEMBERS: &[&str] = &[
    "args",
    "callId",
    "capabilities",
    "clientId",
    "context",
    "conversationId",
    "deadline",
    "idempotencyKey",
    "meta",
    "mode",
    "now",
    "partial",
    "progress",
    "session",
    "signal",
    "tool",
    "user",
];

/// Members of other servers' contexts, and what to use instead.
const ELSEWHERE: &[(&str, &str)] = &[
    ("ws", SOCKET),
    ("socket", SOCKET),
    ("websocket", SOCKET),
    ("geminiSession", SESSION),
    ("setState", SESSION),
    ("state", "read `context.session.state`, and return an intent to change it"),
    ("callTool", "declare `tools` in `capabilities` and write `context.tools.call(id, args)`"),
    (
        "confirmed",
        "set `requiresConfirmation` in `schema.json`: a call that needs approval runs only after it",
    ),
    ("env", "declare `secret:<NAME>` in `capabilities` and write `context.secret.get('<NAME>')`"),
    ("fetch", "declare `http:<host>` in `capabilities` and write `context.http.fetch(url)`"),
    (
        "logger",
        "write `console.log`, or declare `audit` in `capabilities` and write `context.audit.log`",
    ),
    (
        "log",
        "write `console.log`, or declare `audit` in `capabilities` and write `context.audit.log`",
    ),
    ("sessionId", "write `context.conversationId`"),
    ("executionId", "write `context.idempotencyKey`"),
];

const SOCKET: &str = "declare `messaging` in `capabilities` and write `await context.messaging.send(message)` with the message itself, not as JSON text";
const SESSION: &str =
    "return an intent: `intents: [{ type: 'END_VOICE_SESSION', after: 'current_turn' }]`";

/// Members of other servers' contexts that another name replaces.
const RENAMED: &[(&str, &str)] = &[
    ("callTool", "tools.call"),
    ("sessionId", "conversationId"),
    ("executionId", "idempotencyKey"),
];

/// Whether every context has a member of this name. Capabilities are checked by another rule.
pub(crate) fn is_member(name: &str) -> bool {
    MEMBERS.contains(&name)
}

/// `place` ends with the name.
pub(crate) fn diagnose(source: &Arc<Source>, name: &str, place: Span) -> Diagnostic {
    let message = format!("expected a member of the context, found `{name}`, which no context has");
    let end = place.end;
    let finding = Diagnostic::new(&UNKNOWN_CONTEXT_MEMBER, source, message).at(place);
    let known = ELSEWHERE.iter().find(|(known, _)| *known == name).map(|(_, help)| *help);
    let near = || suggest::closest(name, MEMBERS.iter().copied());
    let finding = match known {
        Some(help) => finding.help(help),
        None => match near() {
            Some(near) => finding.help(format!("did you mean `{near}`?")),
            None => finding.help("`docs/handlers.md` lists the members of a context"),
        },
    };
    let renamed = RENAMED.iter().find(|(known, _)| *known == name).map(|(_, other)| *other);
    let span = end.saturating_sub(name.len())..end;
    match renamed.filter(|_| source.text.get(span.clone()) == Some(name)) {
        Some(other) => finding.edit(Edit::Replace { span, text: other.to_owned() }),
        None => finding,
    }
}
