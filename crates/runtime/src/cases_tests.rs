//! Cases, read and given their world.

use aileron_capability::{Clock, ConversationAccess};
use aileron_contract::Intent;
use serde_json::json;

use super::*;

fn case(value: Value) -> Result<Case, String> {
    read(&json!([value]).to_string()).map(|mut cases| cases.remove(0)).map_err(|e| e.to_string())
}

#[test]
fn a_case_is_read_with_its_world() {
    let case = case(json!({
        "name": "n", "args": {}, "mode": "voice",
        "given": { "now": "2026-02-03T10:00:00Z", "user": { "id": "u" }, "session": { "isActive": false } },
        "expect": { "ok": true, "data": { "a": 1 }, "intents": [{ "type": "START_VOICE_SESSION" }] },
    }))
    .unwrap();
    let (data, intents) = (Some(json!({ "a": 1 })), Some(vec![Intent::StartVoiceSession]));
    assert_eq!(case.expect, Expect::Success { data, intents });
    let world = case.given.world(Mode::Voice);
    assert_eq!(world.clock.now_ms(), 1_770_112_800_000);
    assert_eq!(world.user.as_deref(), Some(&json!({ "id": "u" })));
    assert!(!world.conversation.is_active() && world.conversation.voice_is_active());
}

#[test]
fn a_world_that_is_left_out_is_empty_and_open() {
    let case = case(json!({ "name": "n", "args": {}, "expect": { "ok": true } })).unwrap();
    let world = case.given.world(Mode::Text);
    assert_eq!(world.clock.now_ms(), 1_767_225_600_000);
    assert!(world.conversation.is_active() && !world.conversation.voice_is_active());
    assert!(world.platform.kb.is_some() && world.user.is_none());
}

#[test]
fn what_no_case_can_say_is_refused() {
    for (given, expect, why) in [
        (
            json!({ "now": "soon" }),
            json!({ "ok": true }),
            "failed to parse four digit integer as year",
        ),
        (json!({ "weather": {} }), json!({ "ok": true }), "weather"),
        (
            json!({ "http": [{ "request": { "url": "https://api.example.com/" } }] }),
            json!({ "ok": true }),
            "expected either `response` or `error`",
        ),
        (
            json!({ "http": [{ "request": { "url": "api" }, "response": {} }] }),
            json!({ "ok": true }),
            "expected a URL, found \"api\"",
        ),
        (
            json!({ "kb": { "error": { "code": "TIRED", "message": "" } } }),
            json!({ "ok": true }),
            "TIRED",
        ),
        (json!({}), json!({ "ok": true, "error": {} }), "expected `ok: true`"),
        (json!({}), json!({ "ok": false }), "expected `ok: true`"),
        (json!({}), json!({ "ok": true, "intents": [{ "type": "FLY" }] }), "FLY"),
    ] {
        let read = case(json!({ "name": "n", "args": {}, "given": given, "expect": expect }));
        let error = read.unwrap_err();
        assert!(error.contains(why), "{why}: {error}");
    }
}
