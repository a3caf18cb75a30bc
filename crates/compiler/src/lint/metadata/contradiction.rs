//! The table of contradictions: fields, severity and message.

use serde_json::Value;

use crate::draft::Draft;
use crate::rule::Severity;

/// Contradictory fields.
pub(super) struct Contradiction {
    /// The field to point at.
    pub(super) pointer: &'static str,
    pub(super) severity: Severity,
    /// The message, if the fields contradict each other.
    pub(super) message: fn(&Draft) -> Option<String>,
    pub(super) help: &'static str,
}

/// Default timeout as a multiple of the latency budget, if `timeoutMs` is absent.
const DEFAULT_TIMEOUT_FACTOR: u64 = 4;

pub(super) const CONTRADICTIONS: &[Contradiction] = &[
    Contradiction {
        pointer: "/requiresConfirmation",
        severity: Severity::Warning,
        message: |tool| {
            let asks = tool.flag("/requiresConfirmation") == Some(true);
            stated(
                asks && effects(tool, "none"),
                "`requiresConfirmation` is true, but `sideEffects` is `none`: there is nothing to approve",
            )
        },
        help: "set `requiresConfirmation` to false, or `sideEffects` to what the tool does",
    },
    Contradiction {
        pointer: "/confirmation/when",
        severity: Severity::Warning,
        message: |tool| {
            let always = tool.flag("/requiresConfirmation") == Some(true);
            stated(
                always && has(tool, "/confirmation/when"),
                "`confirmation.when` is never looked at, because `requiresConfirmation` is true",
            )
        },
        help: "remove it, or set `requiresConfirmation` to false",
    },
    Contradiction {
        pointer: "/confirmation/preview",
        severity: Severity::Warning,
        message: |tool| {
            stated(
                never_asks(tool) && has(tool, "/confirmation/preview"),
                "`confirmation.preview` is never shown, because the tool never asks",
            )
        },
        help: "remove it, require confirmation, or state when with `confirmation.when`",
    },
    Contradiction {
        pointer: "/confirmation/ttlSeconds",
        severity: Severity::Warning,
        message: |tool| {
            stated(
                never_asks(tool) && has(tool, "/confirmation/ttlSeconds"),
                "`confirmation.ttlSeconds` has no effect, because the tool never asks",
            )
        },
        help: "remove it, require confirmation, or state when with `confirmation.when`",
    },
    Contradiction {
        pointer: "/idempotent",
        severity: Severity::Warning,
        message: |tool| {
            let once = tool.flag("/idempotent") == Some(false);
            stated(
                once && effects(tool, "none"),
                "`idempotent` is false, but `sideEffects` is `none`: calling twice changes nothing",
            )
        },
        help: "set `idempotent` to true, or `sideEffects` to what the tool does",
    },
    Contradiction {
        pointer: "/category",
        severity: Severity::Warning,
        message: |tool| {
            let utility = tool.text("/category") == Some("utility");
            stated(
                utility && effects(tool, "writes"),
                "`category` is `utility`, but `sideEffects` is `writes`: a utility only computes",
            )
        },
        help: "make it an `action`",
    },
    Contradiction {
        pointer: "/timeoutMs",
        severity: Severity::Error,
        message: |tool| {
            let (timeout, budget) =
                (number(tool, "/timeoutMs")?, number(tool, "/latencyBudgetMs")?);
            stated(
                timeout < budget,
                &format!(
                    "`timeoutMs` {timeout} is below `latencyBudgetMs` {budget}: calls within the budget would be cut off"
                ),
            )
        },
        help: "raise `timeoutMs`, or lower `latencyBudgetMs`",
    },
    Contradiction {
        pointer: "/speech",
        severity: Severity::Warning,
        message: |tool| {
            stated(
                has(tool, "/speech") && forbids(tool, "voice"),
                "`speech` is never spoken, because `allowedModes` has no `voice`",
            )
        },
        help: "remove it, or allow `voice`",
    },
    Contradiction {
        pointer: "/modeLimits/voice",
        severity: Severity::Warning,
        message: |tool| {
            stated(
                has(tool, "/modeLimits/voice") && forbids(tool, "voice"),
                "`modeLimits.voice` has no effect, because `allowedModes` has no `voice`",
            )
        },
        help: "remove it, or allow `voice`",
    },
    Contradiction {
        pointer: "/modeLimits/text",
        severity: Severity::Warning,
        message: |tool| {
            stated(
                has(tool, "/modeLimits/text") && forbids(tool, "text"),
                "`modeLimits.text` has no effect, because `allowedModes` has no `text`",
            )
        },
        help: "remove it, or allow `text`",
    },
    Contradiction {
        pointer: "/speech/fillerAfterMs",
        severity: Severity::Warning,
        message: |tool| {
            let silent = has(tool, "/speech/fillerAfterMs") && !has(tool, "/speech/filler");
            stated(silent, "`speech.fillerAfterMs` has no effect without `speech.filler`")
        },
        help: "write what is said when the call is slow, or remove it",
    },
    Contradiction {
        pointer: "/speech/fillerAfterMs",
        severity: Severity::Warning,
        message: |tool| {
            let (after, deadline) = (number(tool, "/speech/fillerAfterMs")?, deadline(tool)?);
            let never = after >= deadline && has(tool, "/speech/filler");
            stated(
                never,
                &format!(
                    "`speech.fillerAfterMs` {after} is not before the deadline of {deadline} ms: the filler is never said"
                ),
            )
        },
        help: "lower it, or raise `timeoutMs`",
    },
    Contradiction {
        pointer: "/permissions/scopes",
        severity: Severity::Warning,
        message: |tool| {
            let scopes = tool.field("/permissions/scopes").and_then(Value::as_array);
            let asked = scopes.is_some_and(|scopes| !scopes.is_empty());
            let open = tool.flag("/permissions/requiresAuth") != Some(true);
            stated(
                asked && open,
                "`permissions.scopes` are required of a person who need not be known: `requiresAuth` is not true",
            )
        },
        help: "set `permissions.requiresAuth` to true, or remove the scopes",
    },
    Contradiction {
        pointer: "/onInterrupt",
        severity: Severity::Warning,
        message: |tool| {
            let cancels = tool.text("/onInterrupt") == Some("cancel");
            // In text mode an interruption is never accidental: it needs the stop button.
            stated(
                cancels && effects(tool, "writes") && !forbids(tool, "voice"),
                "`onInterrupt` is `cancel`, but the tool writes: a barge-in would leave the change half done",
            )
        },
        help: "use `continue`, or `detach` for a long one",
    },
];

fn stated(holds: bool, message: &str) -> Option<String> {
    holds.then(|| message.to_owned())
}

fn has(tool: &Draft, pointer: &str) -> bool {
    tool.field(pointer).is_some()
}

fn effects(tool: &Draft, effects: &str) -> bool {
    tool.text("/sideEffects") == Some(effects)
}

fn number(tool: &Draft, pointer: &str) -> Option<u64> {
    tool.field(pointer)?.as_u64()
}

/// Whether the modes are listed and this one is not among them.
fn forbids(tool: &Draft, mode: &str) -> bool {
    let modes = tool.field("/allowedModes").and_then(Value::as_array);
    modes.is_some_and(|modes| modes.iter().all(|allowed| allowed != mode))
}

fn never_asks(tool: &Draft) -> bool {
    let when = tool.text("/confirmation/when").map(str::trim);
    let says_never = when == Some("false") || !has(tool, "/confirmation/when");
    tool.flag("/requiresConfirmation") == Some(false) && says_never
}

fn deadline(tool: &Draft) -> Option<u64> {
    let default = || Some(number(tool, "/latencyBudgetMs")?.saturating_mul(DEFAULT_TIMEOUT_FACTOR));
    number(tool, "/timeoutMs").or_else(default)
}
