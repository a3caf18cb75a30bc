//! The table of behaviours: each row is one call, and the same for every engine.

use aileron_contract::Outcome;
use serde_json::{Value, json};

/// The disturbance of a call while it runs, once it has reported its progress.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum During {
    Nothing,
    /// The caller gives up.
    Cancel,
    /// The process of the handler is killed.
    Kill,
}

/// One behaviour: the argument `do` of the call is its name.
#[derive(Debug, Clone)]
pub(super) struct Behaviour {
    pub(super) name: &'static str,
    pub(super) tool: &'static str,
    pub(super) value: Value,
    pub(super) during: During,
    /// Members that the answer has, `meta` aside. `$VERSION`, `$CALL` and `$CONVERSATION` stand for
    /// values of the call.
    pub(super) answer: Value,
    /// Texts in the events of the call.
    pub(super) events: &'static [&'static str],
    pub(super) outcome: Option<Outcome>,
}

/// The error types that a handler may give.
const TYPES: [&str; 6] = ["TRANSIENT", "PERMANENT", "CONFLICT", "AUTH", "RATE_LIMIT", "NOT_FOUND"];

const BROKE: &str = "the tool failed unexpectedly";
const NO_RESULT: &str = "the tool returned something that is no result";
const TEXT: &str = "ä€😀\u{0}\u{2028}\"\\";

pub(super) fn all() -> Vec<Behaviour> {
    let mut rows = returns();
    rows.extend(errors());
    rows.extend(TYPES.map(|kind| Behaviour {
        value: json!(kind),
        ..row(
            "error_type",
            failed(json!({ "type": kind, "message": "as told", "retryable": false })),
        )
    }));
    rows.extend(capabilities());
    rows.extend(endings());
    rows
}

fn returns() -> Vec<Behaviour> {
    let data = json!({ "n": 1, "text": TEXT, "list": [true, null, 0.5] });
    let intent = json!({ "type": "SUPPRESS_TRANSCRIPT", "value": true });
    let no_result =
        || failed(json!({ "type": "INTERNAL", "message": NO_RESULT, "partialSideEffects": true }));
    vec![
        Behaviour { value: json!(TEXT), ..row("data", ok(data)) },
        row("no_data", ok(Value::Null)),
        row("intents", json!({ "ok": true, "data": {}, "intents": [intent] })),
        row("no_envelope", no_result()),
        row("nothing", no_result()),
        row("circular", no_result()),
        row(
            "too_large",
            failed(json!({ "type": "INTERNAL", "message": "the tool returned more than it may" })),
        ),
        row("unawaited", ok(json!("done"))),
    ]
}

fn errors() -> Vec<Behaviour> {
    let taken = json!({ "type": "CONFLICT", "message": "taken" });
    let returned =
        with(&taken, json!({ "retryable": true, "suggestion": "later", "details": { "a": 1 } }));
    let every = with(
        &taken,
        json!({
            "retryable": false, "partialSideEffects": true, "idempotencyRequired": true,
            "suggestion": "another", "details": { "free": [1, 2] },
        }),
    );
    let broke =
        || failed(json!({ "type": "INTERNAL", "message": BROKE, "partialSideEffects": true }));
    vec![
        Behaviour { tool: "contract_write", ..row("returned_error", failed(returned)) },
        row("every_field", failed(every)),
        row("unknown_type", broke()),
        Behaviour { events: &["something broke"], ..row("thrown_error", broke()) },
        row("thrown_text", broke()),
    ]
}

fn capabilities() -> Vec<Behaviour> {
    let end = json!({ "type": "END_VOICE_SESSION", "after": "current_turn" });
    let refused = json!({ "type": "PERMANENT", "retryable": false });
    let context = json!({
        "mode": "text", "conversation": "$CONVERSATION", "client": "$CONVERSATION", "call": "$CALL",
        "user": "ada", "active": true, "toolsVersion": "$VERSION", "stateMode": "text",
        "capabilities": { "kb": true, "calendar": true, "http": true, "secret": true, "voice": false },
        "meta": { "toolId": "contract_read", "registryVersion": "$VERSION", "callId": "$CALL" },
        "tool": { "id": "contract_read", "version": "1.0.0", "idempotent": true },
        "key": true, "time": true, "aborted": false,
    });
    vec![
        row("kb", ok(json!(["doc:plan", "wiki", "Plan", "2026-01-01T00:00:00Z"]))),
        row("calendar", ok(json!(["ada@example.com", 1, "Talk"]))),
        row("images", ok(json!([1, true, "number"]))),
        Behaviour { events: &["Message", "hello there"], ..row("messaging", ok(json!({}))) },
        Behaviour { events: &["Note", "looked", "this"], ..row("audit", ok(json!({}))) },
        row("voice", ok(json!([false, end, { "type": "SUPPRESS_AUDIO", "value": true }]))),
        row("tools", ok(json!([true, null]))),
        row("secret", ok(json!({ "key": "[secret:CONTRACT_SECRET]" }))),
        row("secret_undeclared", ok(json!("REFUSED"))),
        row("fault_caught", ok(json!("REFUSED"))),
        row("fault_uncaught", failed(with(&refused, json!({ "partialSideEffects": false })))),
        row("fault_after_effect", failed(with(&refused, json!({ "partialSideEffects": true })))),
        Behaviour {
            tool: "contract_bare",
            ..row("undeclared", ok(json!(["undefined", "undefined", "undefined"])))
        },
        row("context", ok(context)),
        Behaviour {
            events: &["Progress", "done", "Partial", "first"],
            ..row("progress", ok(json!({})))
        },
        Behaviour { events: &["Log", "Warn", "mind the step"], ..row("console", ok(json!({}))) },
        // The first call keeps its context, the second one uses it.
        row("keeps_context", ok(json!("REFUSED"))),
        row("keeps_context", ok(json!("REFUSED"))),
    ]
}

fn endings() -> Vec<Behaviour> {
    let timed_out = |name| Behaviour {
        tool: "contract_slow",
        outcome: Some(Outcome::TimedOut),
        ..row(name, failed(json!({ "type": "TRANSIENT", "partialSideEffects": false })))
    };
    let cancelled = |name| Behaviour {
        during: During::Cancel,
        outcome: Some(Outcome::Cancelled),
        ..row(name, failed(json!({ "type": "CANCELLED" })))
    };
    let unknown =
        json!({ "type": "OUTCOME_UNKNOWN", "retryable": false, "partialSideEffects": true });
    vec![
        timed_out("waits"),
        timed_out("spins"),
        cancelled("waits"),
        cancelled("spins"),
        Behaviour {
            tool: "contract_write",
            during: During::Kill,
            outcome: Some(Outcome::ProcessDied),
            ..row("waits", failed(unknown))
        },
        Behaviour {
            tool: "contract_write",
            ..row("memory", failed(json!({ "partialSideEffects": true, "retryable": false })))
        },
    ]
}

fn row(name: &'static str, answer: Value) -> Behaviour {
    Behaviour {
        name,
        tool: "contract_read",
        value: Value::Null,
        during: During::Nothing,
        answer,
        events: &[],
        outcome: None,
    }
}

fn ok(data: Value) -> Value {
    json!({ "ok": true, "data": data })
}

fn failed(error: Value) -> Value {
    json!({ "ok": false, "error": error })
}

fn with(object: &Value, more: Value) -> Value {
    let mut object = object.clone();
    object.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    object
}
