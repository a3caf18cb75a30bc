//! The wire form of each intent.

use serde_json::{Value, json};

use super::*;

#[track_caller]
fn check(intent: Intent, wire: Value) {
    assert_eq!(serde_json::to_value(&intent).unwrap(), wire);
    assert_eq!(intent.name(), wire["type"]);
    assert_eq!(serde_json::from_value::<Intent>(wire).unwrap(), intent);
}

#[test]
fn every_intent_round_trips() {
    check(
        Intent::EndVoiceSession { after: EndAfter::FarewellSpoken },
        json!({"type": "END_VOICE_SESSION", "after": "farewell_spoken"}),
    );
    check(Intent::StartVoiceSession, json!({"type": "START_VOICE_SESSION"}));
    check(Intent::SuppressAudio { value: true }, json!({"type": "SUPPRESS_AUDIO", "value": true}));
    check(
        Intent::SuppressTranscript { value: false },
        json!({"type": "SUPPRESS_TRANSCRIPT", "value": false}),
    );
    check(
        Intent::SetPendingMessage { message: "hello".into() },
        json!({"type": "SET_PENDING_MESSAGE", "message": "hello"}),
    );
    check(
        Intent::BlockUser { until: 1_800_000_000_000 },
        json!({"type": "BLOCK_USER", "until": 1_800_000_000_000_u64}),
    );
}

#[test]
fn an_unknown_intent_is_refused() {
    assert!(serde_json::from_value::<Intent>(json!({"type": "FORMAT_DISK"})).is_err());
    assert!(
        serde_json::from_value::<Intent>(json!({"type": "END_VOICE_SESSION", "after": "never"}))
            .is_err()
    );
}

#[test]
fn messages_announce_intents_in_any_spelling() {
    for (message, intent) in [
        ("timeout", Some("BLOCK_USER")),
        ("start_voice_session", Some("START_VOICE_SESSION")),
        ("startVoiceSession", Some("START_VOICE_SESSION")),
        ("voice-session-end", Some("END_VOICE_SESSION")),
        ("image", None),
        ("", None),
        ("timeouts", None),
    ] {
        assert_eq!(announced_intent(message), intent, "{message}");
    }
}
