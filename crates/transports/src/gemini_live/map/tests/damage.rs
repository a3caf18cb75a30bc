//! Frames that are not what they should be.

use proptest::prelude::*;

use super::*;
use crate::samples::damage::{any_json, damaged, whole};

const FRAMES: &[&str] = &[
    r#"{"setupComplete":{"sessionId":"s"}}"#,
    r#"{"serverContent":{"inputTranscription":{"text":"what is","finished":true}}}"#,
    r#"{"serverContent":{"modelTurn":{"role":"model","parts":[{"inlineData":{"mimeType":"audio/pcm;rate=24000","data":"AAEC"}}]}}}"#,
    r#"{"serverContent":{"outputTranscription":{"text":"It is sunny.","finished":true}}}"#,
    r#"{"serverContent":{"generationComplete":true}}"#,
    r#"{"serverContent":{"turnComplete":true},"usageMetadata":{"promptTokenCount":10,"promptTokensDetails":[{"modality":"AUDIO","tokenCount":7}]}}"#,
    r#"{"serverContent":{"interrupted":true}}"#,
    r#"{"toolCall":{"functionCalls":[{"id":"fc-1","name":"get_weather","args":{"city":"Cluj"}}]}}"#,
    r#"{"toolCallCancellation":{"ids":["fc-1"]}}"#,
    r#"{"sessionResumptionUpdate":{"newHandle":"abc","resumable":true}}"#,
    r#"{"goAway":{"timeLeft":"9.5s"}}"#,
    r#"{"voiceActivity":{"voiceActivityType":"ACTIVITY_START"}}"#,
];

fn error(frame: impl AsRef<[u8]>) -> String {
    let mut line = ready();
    let before = line.protocol.clone();
    line.effects.clear();
    let error = line.protocol.receive(frame.as_ref(), &mut line.effects).unwrap_err();
    assert_eq!((&line.protocol, &line.effects), (&before, &Effects::default()));
    error.to_string()
}

#[test]
fn a_frame_that_cannot_be_read_says_what_was_expected() {
    let bad_rate = r#"{"serverContent":{"modelTurn":{"parts":[{"inlineData":{"mimeType":"audio/pcm;rate=8000","data":""}}]}}}"#;
    let bad_audio = r#"{"serverContent":{"modelTurn":{"parts":[{"inlineData":{"mimeType":"audio/pcm","data":"A"}}]}}}"#;
    let frames = [
        "",
        "{",
        "[]",
        "null",
        r#"{"toolCall":3}"#,
        r#"{"toolCall":{"functionCalls":[{"id":7}]}}"#,
        bad_rate,
        bad_audio,
        "{} {}",
    ];
    let errors: Vec<_> = frames.iter().map(error).collect();
    insta::assert_snapshot!(errors.join("\n"));
    assert!(error([b'{', b'"', 0xff, b'"', b':', b'1', b'}']).contains("message of Gemini Live"));
}

#[test]
fn bad_audio_among_good_changes_nothing() {
    let frame = r#"{"serverContent":{"turnComplete":true,"modelTurn":{"parts":[
        {"inlineData":{"mimeType":"audio/pcm","data":"AAA="}},{"inlineData":{"mimeType":"audio/pcm","data":"!"}}]}}}"#;
    assert!(error(frame).contains("base64"));
}

#[test]
fn every_frame_of_the_collection_is_read() {
    for frame in FRAMES {
        ready().receive(frame);
    }
}

proptest! {
    #[test]
    fn no_bytes_make_it_panic(frames in proptest::collection::vec(whole(FRAMES), 1..12)) {
        feed(&frames);
    }

    #[test]
    fn no_json_makes_it_panic(json in any_json()) {
        feed(&[json.to_string().into_bytes()]);
    }

    #[test]
    fn no_damage_makes_it_panic(frames in proptest::collection::vec(damaged(FRAMES), 1..12)) {
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
