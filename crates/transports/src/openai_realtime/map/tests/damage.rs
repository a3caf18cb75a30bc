//! Frames that are not what they should be.

use proptest::prelude::*;

use super::*;
use crate::samples::damage::{any_json, damaged, whole};

const FRAMES: &[&str] = &[
    r#"{"type":"error","event_id":"e","error":{"type":"invalid_request_error","code":"conversation_already_has_active_response","message":"m","event_id":"ail_3_reply"}}"#,
    r#"{"type":"session.created","session":{"id":"s"}}"#,
    r#"{"type":"session.updated","session":{}}"#,
    r#"{"type":"conversation.item.added","item":{"id":"ail_item_2","type":"message"}}"#,
    r#"{"type":"conversation.item.input_audio_transcription.delta","item_id":"u","delta":"wh"}"#,
    r#"{"type":"conversation.item.input_audio_transcription.completed","item_id":"u","transcript":"what","usage":{"total_tokens":3}}"#,
    r#"{"type":"input_audio_buffer.speech_started","audio_start_ms":1,"item_id":"u"}"#,
    r#"{"type":"input_audio_buffer.speech_stopped","audio_end_ms":2,"item_id":"u"}"#,
    r#"{"type":"response.created","response":{"id":"r","status":"in_progress","metadata":{"aileron":"reply"}}}"#,
    r#"{"type":"response.output_item.added","item":{"id":"i","type":"function_call","status":"in_progress","call_id":"call_1","name":"f","arguments":""}}"#,
    r#"{"type":"response.function_call_arguments.delta","item_id":"i","call_id":"call_1","delta":"{}"}"#,
    r#"{"type":"response.function_call_arguments.done","item_id":"i","call_id":"call_1","name":"f","arguments":"{}"}"#,
    r#"{"type":"response.output_item.done","item":{"id":"i","type":"function_call","status":"completed","call_id":"call_1","name":"f","arguments":"{}"}}"#,
    r#"{"type":"response.output_audio.delta","response_id":"r","item_id":"a","content_index":0,"delta":"AAEC"}"#,
    r#"{"type":"response.output_audio_transcript.delta","response_id":"r","item_id":"a","delta":"It"}"#,
    r#"{"type":"response.output_audio_transcript.done","response_id":"r","item_id":"a","transcript":"It is"}"#,
    r#"{"type":"response.done","response":{"id":"r","status":"completed","output":[{"id":"i","type":"function_call","status":"completed","call_id":"call_1","name":"f","arguments":"{}"}],"usage":{"total_tokens":3,"input_token_details":{"cached_tokens":1}}}}"#,
    r#"{"type":"response.done","response":{"id":"r2","status":"failed","status_details":{"error":{"type":"server_error"}}}}"#,
    r#"{"type":"rate_limits.updated","rate_limits":[{"name":"tokens","limit":1,"remaining":1,"reset_seconds":0.5}]}"#,
];

fn error_of(frame: &str) -> String {
    let mut line = ready();
    let before = line.protocol.clone();
    line.effects.clear();
    let error = line.protocol.receive(frame.as_bytes(), &mut line.effects).unwrap_err();
    assert_eq!((&line.protocol, &line.effects), (&before, &Effects::default()));
    error.to_string()
}

#[test]
fn a_frame_that_cannot_be_read_says_what_was_expected() {
    let frames = [
        "",
        "[]",
        "{}",
        r#"{"type":7}"#,
        r#"{"type":"error"}"#,
        r#"{"type":"response.done","response":[1]}"#,
        r#"{"type":"response.output_audio.delta","item_id":"a"}"#,
        r#"{"type":"response.output_audio.delta","item_id":"a","delta":"A"}"#,
        r#"{"type":"response.output_item.done","item":"call"}"#,
        r#"{"type":"response.function_call_arguments.delta","delta":"{}"}"#,
        r#"{"type":"rate_limits.updated"}"#,
        r#"{"type":"response.output_audio_transcript.done"}"#,
    ];
    let errors: Vec<_> = frames.into_iter().map(error_of).collect();
    insta::assert_snapshot!(errors.join("\n"));
}

#[test]
fn every_frame_of_the_collection_is_read() {
    for frame in FRAMES {
        ready().receive(frame);
    }
}

proptest! {
    #[test]
    fn no_bytes_make_it_panic(frames in proptest::collection::vec(whole(FRAMES), 1..16)) {
        feed(&frames);
    }

    #[test]
    fn no_json_makes_it_panic(json in any_json()) {
        feed(&[json.to_string().into_bytes()]);
    }

    #[test]
    fn no_damage_makes_it_panic(frames in proptest::collection::vec(damaged(FRAMES), 1..16)) {
        feed(&frames);
    }
}

fn feed(frames: &[Vec<u8>]) {
    let mut line = ready();
    for frame in frames {
        line.effects.clear();
        let read = line.protocol.receive(frame, &mut line.effects);
        assert!(read.is_ok() || line.effects == Effects::default());
    }
}
