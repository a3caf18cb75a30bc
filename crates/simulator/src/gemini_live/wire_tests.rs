//! Valid messages, and the errors for invalid ones.

use serde_json::json;

use super::*;

fn check_refused(message: Value, why: &str) {
    let found = read(&message.to_string()).unwrap_err();
    assert!(found.contains(why), "{found}");
}

#[test]
fn a_setup_of_each_sdk_is_read() {
    let node = json!({ "setup": { "model": "models/m",
        "generationConfig": { "responseModalities": ["AUDIO"], "speechConfig": { "languageCode": "en-US",
            "voiceConfig": { "prebuiltVoiceConfig": { "voiceName": "Kore" } } } },
        "tools": [{ "functionDeclarations": [{ "name": "f", "behavior": "NON_BLOCKING" }] }, { "googleSearch": {} }],
        "contextWindowCompression": { "triggerTokens": "25600", "slidingWindow": { "targetTokens": "12800" } },
        "sessionResumption": {}, "inputAudioTranscription": {}, "proactivity": { "proactiveAudio": true } } });
    let python = json!({ "setup": { "model": "models/m",
        "generationConfig": { "speechConfig": { "language_code": "en-US", "voice_config": {} } },
        "realtimeInputConfig": { "automatic_activity_detection": { "disabled": false, "silence_duration_ms": 500 } },
        "contextWindowCompression": { "trigger_tokens": 25600, "sliding_window": { "target_tokens": 12800 } },
        "proactivity": { "proactive_audio": true } } });
    for setup in [node, python] {
        let read = read(&setup.to_string());
        assert!(matches!(read, Ok(ClientMessage::Setup(..))), "{read:?}");
    }
}

#[test]
fn a_name_that_is_not_known_is_refused_by_name() {
    check_refused(json!({ "setup": { "model": "m", "modle": 1 } }), "Unknown name \"modle\"");
    check_refused(json!({ "greeting": {} }), "Unknown name \"greeting\": Cannot find field.");
    let deep = json!({ "setup": { "generationConfig": { "voice": "Kore" } } });
    check_refused(deep, "Unknown name \"voice\"");
}

#[test]
fn a_frame_is_one_message() {
    check_refused(json!({}), "no content");
    check_refused(json!([1]), "Invalid value");
    let two = json!({ "clientContent": {}, "toolResponse": { "functionResponses": [] } });
    check_refused(two, "oneof field 'message' is already set");
    assert!(read("{\"setup\":").unwrap_err().starts_with("Invalid JSON payload received."));
}
