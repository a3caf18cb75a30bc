//! The messages of a client, read and refused, and ours as they are written.

use aileron_contract::ToolId;
use serde_json::json;

use super::*;

fn fault(frame: &str) -> String {
    VoiceClientMessage::parse(frame.as_bytes()).unwrap_err().to_string()
}

#[test]
fn every_message_of_a_client_is_read() {
    let id = ConversationId::new("c-1").unwrap();
    let cases = [
        (
            r#"{"type":"start"}"#,
            VoiceClientMessage::Start { provider: None, conversation_id: None, registry: None },
        ),
        (
            r#"{"type":"start","provider":"gemini","conversationId":"c-1"}"#,
            VoiceClientMessage::Start {
                provider: Some("gemini".into()),
                conversation_id: Some(id),
                registry: None,
            },
        ),
        (r#"{"type":"text","text":"hi"}"#, VoiceClientMessage::Text { text: "hi".into() }),
        (r#"{"type":"interrupt"}"#, VoiceClientMessage::Interrupt {}),
        (
            r#"{"type":"confirm","token":"t","approve":false}"#,
            VoiceClientMessage::Confirm { token: "t".into(), approve: false },
        ),
        (r#"{"type":"stop"}"#, VoiceClientMessage::Stop {}),
    ];
    for (frame, message) in cases {
        assert_eq!(VoiceClientMessage::parse(frame.as_bytes()), Ok(message));
    }
}

#[test]
fn what_is_no_message_is_refused_with_what_was_expected() {
    let types = "`start`, `text`, `interrupt`, `confirm`, `stop`";
    assert_eq!(
        fault(r#"{"type":"dance"}"#),
        format!("expected a `type` of {types}; found \"dance\"")
    );
    for frame in ["", "hello", "[]", "7", r#"{"text":"hi"}"#, r#"{"type":7}"#, "{\"type\":"] {
        let fault = fault(frame);
        assert!(fault.starts_with(&format!("expected a JSON object with a `type` of {types}")));
    }
}

#[test]
fn a_wrong_field_is_named() {
    let cases = [
        (r#"{"type":"text"}"#, "missing field `text`"),
        (r#"{"type":"text","text":" "}"#, "expected words in `text`, found none"),
        (r#"{"type":"text","text":7}"#, "invalid type: integer `7`"),
        (r#"{"type":"confirm","token":"t"}"#, "missing field `approve`"),
        (r#"{"type":"start","conversationId":""}"#, "a conversation id must be"),
        (r#"{"type":"stop","now":true}"#, "unknown field `now`"),
    ];
    for (frame, part) in cases {
        let fault = fault(frame);
        assert!(
            fault.starts_with("the message cannot be read: ") && fault.contains(part),
            "{fault}"
        );
    }
    let long = format!(r#"{{"type":"text","text":"{}"}}"#, "a".repeat(MAX_TEXT_CHARS + 1));
    assert!(fault(&long).contains("expected at most 8000 characters in `text`"));
}

#[test]
fn our_messages_are_written_as_the_design_names_them() {
    let id = ConversationId::new("c-1").unwrap();
    let call_id = CallId::new("call-1").unwrap();
    let request = ConfirmationRequest {
        token: "t".into(),
        expires: 5,
        tool: ToolId::new("x").unwrap(),
        args: json!({}),
        preview: "Do x".into(),
    };
    let cases = [
        (
            VoiceServerMessage::Ready {
                conversation_id: id,
                registry_version: "1.0.1".into(),
                tools: vec!["x".into()],
                provider: "offline".into(),
                notes: Vec::new(),
            },
            json!({"type": "ready", "conversationId": "c-1", "registryVersion": "1.0.1",
                   "tools": ["x"], "provider": "offline"}),
        ),
        (
            VoiceServerMessage::Transcript {
                role: TranscriptRole::Assistant,
                text: "hi".into(),
                r#final: true,
                replaces: false,
            },
            json!({"type": "transcript", "role": "assistant", "text": "hi", "final": true}),
        ),
        (
            VoiceServerMessage::Tool { call_id, tool_id: "x".into(), phase: Phase::Started },
            json!({"type": "tool", "callId": "call-1", "toolId": "x", "phase": "started"}),
        ),
        (
            VoiceServerMessage::ConfirmationRequest(Box::new(Question { request, again: false })),
            json!({"type": "confirmation_request", "token": "t", "expires": 5, "tool": "x",
                   "args": {}, "preview": "Do x"}),
        ),
        (
            VoiceServerMessage::Timeout {
                duration_seconds: 60,
                timeout_until: 7,
                farewell_message: "Bye.".into(),
            },
            json!({"type": "timeout", "durationSeconds": 60, "timeoutUntil": 7,
                   "farewellMessage": "Bye."}),
        ),
        (VoiceServerMessage::Interrupted, json!({"type": "interrupted"})),
        (VoiceServerMessage::TurnComplete, json!({"type": "turn_complete"})),
        (
            VoiceServerMessage::Ended {
                reason: SessionEndReason::Tool.as_str().into(),
                closing_message: Some("Bye.".into()),
                text_response: None,
            },
            json!({"type": "ended", "reason": "tool", "closingMessage": "Bye."}),
        ),
        (
            VoiceServerMessage::error(ErrorCode::NotStarted, "say `start` first"),
            json!({"type": "error", "code": "not_started", "message": "say `start` first"}),
        ),
    ];
    for (message, expected) in cases {
        assert_eq!(serde_json::from_str::<Value>(&message.frame()).unwrap(), expected);
    }
}

#[test]
fn a_refusal_quotes_no_more_than_it_needs() {
    let long = "x".repeat(100_000);
    for frame in [format!(r#"{{"type":"stop","{long}":1}}"#), format!("\"{long}\"")] {
        let why = check_message(&frame).unwrap_err();
        assert!(why.len() < 600, "{}", why.len());
    }
    assert_eq!(check_message(r#"{"type":"stop"}"#), Ok(()));
}
