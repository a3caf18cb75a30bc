//! Valid messages, and the errors for invalid ones.

use serde_json::json;

use super::*;

fn check_refused(event: Value, code: &str, param: Option<&str>) {
    let (refusal, _) = read(&event.to_string()).unwrap_err();
    assert_eq!((refusal.code, refusal.param.as_deref()), (code, param), "{event}");
}

#[test]
fn events_are_read_with_their_ids() {
    let event = json!({ "type": "response.cancel", "event_id": "e1", "response_id": null });
    let body = Body::ResponseCancel { response_id: None };
    assert_eq!(read(&event.to_string()), Ok(ClientEvent { event_id: Some("e1".into()), body }));
}

#[test]
fn what_cannot_be_read_is_named() {
    check_refused(json!({ "type": "response.creat" }), "invalid_value", Some("type"));
    check_refused(json!({}), "missing_required_parameter", Some("type"));
    check_refused(
        json!({ "type": "session.update" }),
        "missing_required_parameter",
        Some("session"),
    );
    let odd = json!({ "type": "input_audio_buffer.append", "audio": 7 });
    check_refused(odd, "invalid_type", Some("audio"));
    let more = json!({ "type": "input_audio_buffer.commit", "now": true });
    check_refused(more, "unknown_parameter", Some("now"));
    check_refused(json!([1]), "invalid_json", None);
    assert_eq!(read("{").unwrap_err().0.code, "invalid_json");
}

#[test]
fn a_refusal_knows_the_event() {
    let event = json!({ "type": "conversation.item.delete", "event_id": "e7" });
    assert_eq!(read(&event.to_string()).unwrap_err().1.as_deref(), Some("e7"));
}
