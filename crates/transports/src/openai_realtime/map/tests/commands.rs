//! Every event we send, as it is sent.

use aileron_contract::transport::{
    Compression, HistoryMessage, Sensitivity, Speaker, Transcription, TurnDetection,
};
use serde_json::json;

use super::*;
use crate::openai_realtime::{ParallelCalls, VoiceDetector};
use crate::samples::{frames, full_setup};

fn setup_frame(settings: OpenaiRealtimeOptions, setup: &Setup) -> String {
    let frame = ProtocolHarness::new(OpenaiRealtime::new(settings)).frames(Command::Start(setup));
    let value: serde_json::Value = serde_json::from_str(&frame).unwrap();
    serde_json::to_string_pretty(&value).unwrap()
}

#[test]
fn a_setup_with_everything() {
    let weather = json!({ "type": "function", "name": "get_weather", "description": "w", "parameters": {
        "type": "object", "properties": { "city": { "type": "string" } }, "additionalProperties": false } });
    let setup = full_setup("gpt-realtime-2.1", weather);
    insta::assert_snapshot!(setup_frame(OpenaiRealtimeOptions::default(), &setup));
}

#[test]
fn a_setup_with_nothing() {
    let mut setup = Setup::new("m", "");
    setup.transcription = Transcription::Neither;
    setup.turn_detection = TurnDetection::Manual;
    setup.compression = Compression::Off;
    insta::assert_snapshot!(setup_frame(OpenaiRealtimeOptions::default(), &setup));
}

#[test]
fn a_setup_of_a_reasoning_model_that_listens_for_meaning() {
    let mut setup = Setup::new("m", "");
    let sensitivity = Some(Sensitivity::High);
    setup.turn_detection =
        TurnDetection::Automatic { silence_ms: Some(1), padding_ms: Some(1), sensitivity };
    let settings = OpenaiRealtimeOptions {
        turn_detection: VoiceDetector::SemanticVad,
        parallel_calls: ParallelCalls::Forbidden,
        ..OpenaiRealtimeOptions::default()
    };
    insta::assert_snapshot!(setup_frame(settings, &setup));
}

#[test]
fn history_is_told_once_the_setup_was_taken() {
    let mut setup = Setup::new("m", "");
    setup.history = vec![
        HistoryMessage { by: Speaker::Person, text: "hi".into() },
        HistoryMessage { by: Speaker::Model, text: "hello \"you\"".into() },
    ];
    let mut line = ProtocolHarness::new(OpenaiRealtime::default());
    line.command(Command::Start(&setup));
    insta::assert_snapshot!(frames(&line.receive(r#"{"type":"session.updated"}"#)));
}

#[test]
fn audio_goes_out_at_the_rate_of_the_provider() {
    let mut line = ready();
    let sent = line.frames(Command::Audio(&[0; 640]));
    let value: serde_json::Value = serde_json::from_str(&sent).unwrap();
    assert_eq!(value["type"], "input_audio_buffer.append");
    assert_eq!(value["audio"].as_str().unwrap(), "A".repeat(1280));
    assert_eq!(line.frames(Command::Audio(&[])), "");
    assert_eq!(line.refused(Command::Audio(&[0; 3])), CommandError::OddAudio { bytes: 3 });
}

#[test]
fn text_and_the_end() {
    let mut line = ready();
    let sent = [Command::Text("hi"), Command::End].map(|command| line.frames(command));
    insta::assert_snapshot!(sent.join("\n"));
    assert_eq!(line.refused(Command::Text("hi")), CommandError::NotReady);
    insta::assert_debug_snapshot!(line.protocol.capabilities());
}
