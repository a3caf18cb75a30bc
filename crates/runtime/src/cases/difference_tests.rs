//! Which values differ, and the messages.

use aileron_capability::Success;
use aileron_capability::envelope::{self, ResponseMeta};
use aileron_contract::envelope::Failure;
use aileron_contract::{CallId, ErrorType, Intent};

use super::*;

fn stamp(call_id: &CallId) -> ResponseMeta<'_> {
    ResponseMeta {
        tool_id: "tool",
        tool_version: None,
        registry_version: "1.0.0",
        call_id,
        duration_ms: 0,
        attempts: 1,
        clamped: Vec::new(),
        over_budget: false,
    }
}

fn success(data: Value) -> ToolResponse {
    let success = Success { data, intents: vec![Intent::StartVoiceSession] };
    envelope::succeeded(success, stamp(&CallId::new("call").unwrap()), 10_000)
}

fn failure(kind: ErrorType, message: &str) -> ToolResponse {
    envelope::failed(Failure::new(kind, message), stamp(&CallId::new("call").unwrap()))
}

fn check(expect: Value, response: &ToolResponse, lines: &[&str]) {
    let expect: Expect = serde_json::from_value(expect).unwrap();
    assert_eq!(differences(&expect, response), lines, "{expect:?}");
}

#[test]
fn an_object_may_have_more_and_an_array_may_not() {
    let response = success(json!({ "results": [{ "id": "a", "score": 1.0 }, {}], "extra": 1 }));
    check(json!({ "ok": true }), &response, &[]);
    check(json!({ "ok": true, "data": { "results": [{ "score": 1 }, {}] } }), &response, &[]);
    check(
        json!({ "ok": true, "data": { "results": [{ "id": "b" }, { "x/y": 0 }] } }),
        &response,
        &[
            "/data/results/0/id: expected \"b\", found \"a\"",
            "/data/results/1/x~1y: expected 0, found nothing",
        ],
    );
    check(
        json!({ "ok": true, "data": { "results": [] } }),
        &response,
        &["/data/results: expected 0 items, found 2: [{\"id\":\"a\",\"score\":1.0},{}]"],
    );
}

#[test]
fn stated_intents_are_matched_exactly() {
    let response = success(json!({}));
    check(json!({ "ok": true, "intents": [{ "type": "START_VOICE_SESSION" }] }), &response, &[]);
    check(
        json!({ "ok": true, "intents": [] }),
        &response,
        &["/intents: expected [], found [{\"type\":\"START_VOICE_SESSION\"}]"],
    );
}

#[test]
fn errors_are_matched_in_part() {
    let response = failure(ErrorType::Conflict, "taken");
    check(
        json!({ "ok": false, "error": { "type": "CONFLICT", "retryable": false } }),
        &response,
        &[],
    );
    check(
        json!({ "ok": false, "error": { "type": "PERMANENT" } }),
        &response,
        &["/error/type: expected \"PERMANENT\", found \"CONFLICT\""],
    );
}

#[test]
fn the_wrong_end_is_shown_with_what_was_found() {
    let expect: Expect =
        serde_json::from_value(json!({ "ok": false, "error": { "type": "AUTH" } })).unwrap();
    let lines = differences(&expect, &success(json!({ "long": "x".repeat(1000) })));
    assert!(lines[0].starts_with("/ok: expected the error {\"type\":\"AUTH\"}, found the data"));
    assert!(lines[0].ends_with('…') && lines[0].chars().count() < 300);
    let lines = differences(
        &Expect::Success { data: None, intents: None },
        &failure(ErrorType::Auth, "not yours"),
    );
    assert!(lines[0].contains("not yours"), "{lines:?}");
}
