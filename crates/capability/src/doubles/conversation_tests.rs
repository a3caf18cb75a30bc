//! The conversation that records.

use serde_json::json;

use super::*;
use crate::doubles::caller;

#[test]
fn what_a_handler_does_is_seen_in_order() {
    let (conversation, caller) = (RecordingConversation::new(Mode::Text), caller::of("c"));
    conversation.progress(&caller, json!({ "done": 1 }));
    conversation.send(&caller, json!("hello")).now_or_never().unwrap().unwrap();
    conversation.note(&caller, "greeted", json!({}));
    conversation.log(&caller, Level::Warn, "careful");
    let expected = [
        RecordedEffect::Progress(json!({ "done": 1 })),
        RecordedEffect::Message(json!("hello")),
        RecordedEffect::Note { event: "greeted".to_owned(), details: json!({}) },
        RecordedEffect::Log { level: Level::Warn, text: "careful".to_owned() },
    ];
    assert_eq!(conversation.seen(), expected);
}

#[test]
fn session_and_voice_can_be_set() {
    let conversation = RecordingConversation::new(Mode::Voice);
    assert!(conversation.is_active() && conversation.voice_is_active());
    conversation.set_active(false);
    conversation.set_voice(false);
    assert!(!conversation.is_active() && !conversation.voice_is_active());
}

#[test]
fn other_tools_are_not_available() {
    let conversation = RecordingConversation::new(Mode::Text);
    let called = conversation.call_tool(&caller::of("c"), "kb_get".to_owned(), json!({}));
    let response = called.now_or_never().unwrap();
    assert_eq!(response.failure().unwrap().kind, ErrorType::Unavailable);
    assert_eq!(response.meta().tool_id, "kb_get");
}
