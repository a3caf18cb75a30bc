//! The API refuses events by its own codes.

use serde_json::json;

use super::*;

fn refused(event: Value) -> (Option<&'static str>, Option<String>) {
    let refusal = read(&event.to_string()).unwrap_err();
    (refusal.code, refusal.param)
}

fn check(event: Value, code: &'static str, param: &str) {
    assert_eq!(refused(event), (Some(code), Some(param.to_owned())));
}

fn start(extra: Value) -> Value {
    let mut session = json!({ "model": "gpt-live-1" });
    session.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
    json!({ "type": "session.start", "session": session })
}

#[test]
fn an_unknown_key_fails_the_start() {
    for key in ["voice", "tools", "turn_detection", "type", "modalities"] {
        check(start(json!({ key: null })), "unknown_parameter", &format!("session.{key}"));
    }
    check(
        json!({ "type": "session.start", "session": {} }),
        "missing_required_parameter",
        "session.model",
    );
    check(start(json!({ "model": "gpt-live-2" })), "model_not_found", "session.model");
    let voice = json!({ "audio": { "output": { "voice": "nova" } } });
    check(start(voice), "forbidden", "session.audio.output.voice");
}

#[test]
fn a_history_has_messages_of_one_part() {
    let message = |role: &str, kind: &str| json!({ "type": "message", "role": role, "content": [{ "type": kind, "text": "x" }] });
    for (role, kind) in
        [("user", "input_text"), ("assistant", "output_text"), ("assistant", "text")]
    {
        assert!(read(&start(json!({ "input": [message(role, kind)] })).to_string()).is_ok());
    }
    for (role, kind) in [("system", "input_text"), ("user", "text"), ("assistant", "input_text")] {
        check(
            start(json!({ "input": [message(role, kind)] })),
            "invalid_value",
            "session.input[0]",
        );
    }
    let many = vec![message("user", "input_text"); 129];
    check(start(json!({ "input": many })), "invalid_value", "session.input");
}

#[test]
fn appended_text_is_short_and_names_its_delegation_or_null() {
    let append = |extra: Value| {
        let mut event = json!({ "type": "session.commentary.append", "content": "x" });
        event.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
        event
    };
    check(append(json!({})), "missing_required_parameter", "delegation_id");
    let long = json!({ "delegation_id": null, "content": "word ".repeat(500) });
    check(append(long), "invalid_value", "content");
    assert!(read(&append(json!({ "delegation_id": null })).to_string()).is_ok());
    check(append(json!({ "delegation_id": null, "x": 1 })), "unknown_parameter", "x");
}

#[test]
fn other_modes_and_unknown_events_are_refused_in_words() {
    let response = json!({ "type": "response.create", "event_id": "e" });
    let refusal = read(&response.to_string()).unwrap_err();
    assert_eq!((refusal.code, refusal.event_id.as_deref()), (None, Some("e")));
    let unknown = read(&json!({ "type": "session.commit" }).to_string()).unwrap_err();
    assert!(unknown.message.contains("session.commentary.append"), "{}", unknown.message);
    let update =
        json!({ "type": "session.update", "session": { "delegation": { "type": "responses" } } });
    check(update, "immutable_field_update", "session.delegation.type");
    check(
        json!({ "type": "session.update", "session": { "instructions": "x" } }),
        "unknown_parameter",
        "session.instructions",
    );
}
