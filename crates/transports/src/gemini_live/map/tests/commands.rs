//! Every message that we send, in its wire form.

use aileron_contract::transport::{
    Compression, DeferredInput, HistoryMessage, Speaker, Transcription, TurnDetection,
};
use serde_json::json;

use super::*;
use crate::gemini_live::{CallBehaviour, Scheduling, TextChannel};
use crate::samples::{frames, full_setup, sunny};

fn setup_frame(settings: GeminiLiveOptions, setup: &Setup) -> String {
    let frame = ProtocolHarness::new(GeminiLive::new(settings)).frames(Command::Start(setup));
    let value: serde_json::Value = serde_json::from_str(&frame).unwrap();
    serde_json::to_string_pretty(&value).unwrap()
}

fn weather() -> serde_json::Value {
    json!({ "name": "get_weather", "description": "w", "parametersJsonSchema": {
        "type": "object", "properties": { "city": { "type": "string" } }, "additionalProperties": false } })
}

#[test]
fn a_setup_with_everything() {
    let setup = full_setup("gemini-3.1-flash-live-preview", weather());
    insta::assert_snapshot!(setup_frame(GeminiLiveOptions::default(), &setup));
}

#[test]
fn a_setup_with_nothing() {
    let mut setup = Setup::new("models/m", "");
    setup.transcription = Transcription::Neither;
    setup.turn_detection = TurnDetection::Manual;
    setup.compression = Compression::Off;
    insta::assert_snapshot!(setup_frame(GeminiLiveOptions::default(), &setup));
}

#[test]
fn a_setup_that_resumes_has_the_handle_and_no_history() {
    let mut setup = Setup::new("m", "Be nice.");
    setup.resume = Some("abc".into());
    setup.history = vec![HistoryMessage { by: Speaker::Person, text: "hi".into() }];
    let calls = CallBehaviour::NonBlocking(Some(Scheduling::Silent));
    setup.declarations = vec![weather()];
    insta::assert_snapshot!(setup_frame(
        GeminiLiveOptions { calls, ..GeminiLiveOptions::default() },
        &setup
    ));
}

#[test]
fn history_is_told_once_the_setup_was_taken() {
    let mut setup = Setup::new("m", "Be nice.");
    setup.history = vec![
        HistoryMessage { by: Speaker::Person, text: "hi".into() },
        HistoryMessage { by: Speaker::Model, text: "hello \"you\"".into() },
    ];
    let mut line = ProtocolHarness::new(GeminiLive::default());
    let sent = line.frames(Command::Start(&setup));
    assert!(sent.contains(r#""historyConfig":{"initialHistoryInClientContent":true}"#), "{sent}");
    insta::assert_snapshot!(frames(&line.receive(r#"{"setupComplete":{}}"#)));
}

#[test]
fn every_other_message() {
    let mut line = ready();
    let commands = [
        Command::Audio(&[0, 1, 2, 255]),
        Command::Audio(&[]),
        Command::AudioEnd,
        Command::Text("what's \"up\"?"),
        Command::End,
    ];
    let sent: Vec<_> = commands.map(|command| line.frames(command)).into();
    insta::assert_snapshot!(sent.join("\n"));
}

#[test]
fn speech_is_told_only_where_the_provider_does_not_detect_it() {
    let mut line = ProtocolHarness::new(GeminiLive::default());
    let mut setup = Setup::new("m", "");
    setup.turn_detection = TurnDetection::Manual;
    line.command(Command::Start(&setup));
    line.receive(r#"{"setupComplete":{}}"#);
    let start = line.frames(Command::SpeechStart);
    assert_eq!(start, r#"{"realtimeInput":{"activityStart":{}}}"#);
    assert_eq!(line.frames(Command::SpeechEnd), r#"{"realtimeInput":{"activityEnd":{}}}"#);
    assert_eq!(line.frames(Command::AudioEnd), "");
    for command in [Command::SpeechStart, Command::SpeechEnd] {
        assert!(matches!(ready().refused(command), CommandError::Unsupported(_)));
    }
}

#[test]
fn what_waited_is_told_in_one_message_so_that_nothing_cuts_itself_short() {
    let mut line = ready();
    line.receive(r#"{"toolCall":{"functionCalls":[{"id":"fc-1","name":"get_weather"}]}}"#);
    let held = [
        DeferredInput::Text("is it warm?".into()),
        DeferredInput::Result(sunny("fc-of-old")),
        DeferredInput::Result(sunny("fc-1")),
        DeferredInput::Text("and dry?".into()),
    ];
    let sent = line.frames(Command::Told(&held));
    let sent: Vec<serde_json::Value> =
        sent.lines().map(|frame| serde_json::from_str(frame).unwrap()).collect();
    assert_eq!(sent.len(), 2);
    assert_eq!(sent[0]["toolResponse"]["functionResponses"][0]["id"], "fc-1");
    let content = &sent[1]["clientContent"];
    let turns = content["turns"].as_array().unwrap().iter();
    let texts: Vec<_> = turns.map(|turn| turn["parts"][0]["text"].as_str().unwrap()).collect();
    assert_eq!((texts.len(), texts[0], texts[2]), (3, "is it warm?", "and dry?"));
    assert!(texts[1].contains("fc-of-old"), "{texts:?}");
    assert_eq!(content["turnComplete"], true);
}

#[test]
fn text_can_go_by_the_other_channel() {
    let mut line = ready_with(GeminiLiveOptions {
        text: TextChannel::Realtime,
        ..GeminiLiveOptions::default()
    });
    assert_eq!(line.frames(Command::Text("hi")), r#"{"realtimeInput":{"text":"hi"}}"#);
}

/// The message with the answer of a cancelled call, which is sent when the model's turn is over.
fn for_the_record(line: &mut ProtocolHarness<GeminiLive>, call: &str) -> String {
    line.receive(format!(
        r#"{{"toolCall":{{"functionCalls":[{{"id":"{call}","name":"get_weather"}}]}}}}"#
    ));
    line.receive(format!(r#"{{"toolCallCancellation":{{"ids":["{call}"]}}}}"#));
    assert_eq!(line.frames(Command::Results(&[sunny(call)])), "");
    frames(&line.receive(r#"{"serverContent":{"turnComplete":true}}"#))
}

#[test]
fn what_is_only_for_the_record_asks_for_no_reply() {
    let sent = for_the_record(&mut ready(), "fc-1");
    let sent: serde_json::Value = serde_json::from_str(&sent).unwrap();
    assert_eq!(sent["clientContent"]["turnComplete"], false, "{sent}");
}

#[test]
fn where_words_always_ask_for_a_reply_what_is_only_for_the_record_waits_for_such() {
    let mut line = ready_with(GeminiLiveOptions {
        text: TextChannel::Realtime,
        ..GeminiLiveOptions::default()
    });
    assert_eq!(for_the_record(&mut line, "fc-0"), "");
    (1..40).for_each(|n| assert_eq!(for_the_record(&mut line, &format!("fc-{n}")), ""));
    let sent = line.frames(Command::Text("hi"));
    let sent: serde_json::Value = serde_json::from_str(&sent).unwrap();
    let told = sent["realtimeInput"]["text"].as_str().unwrap();
    assert!(told.contains("fc-8.") && told.contains("fc-39.") && told.ends_with("hi"), "{told}");
    assert!(!told.contains("fc-7."), "{told}");
    assert_eq!(line.frames(Command::Text("hi")), r#"{"realtimeInput":{"text":"hi"}}"#);
}

#[test]
fn what_the_provider_cannot_do_is_refused_as_the_capabilities_say() {
    let mut line = ready();
    let truncate = Command::Truncate { utterance: Utterance(0), played_ms: 1 };
    for command in [truncate, Command::Say("One moment.")] {
        assert!(matches!(line.refused(command), CommandError::Unsupported(_)), "{command:?}");
    }
    insta::assert_debug_snapshot!(line.protocol.capabilities());
}

#[test]
fn half_a_sample_is_refused() {
    assert_eq!(ready().refused(Command::Audio(&[1])), CommandError::OddAudio { bytes: 1 });
}

#[test]
fn after_the_end_nothing_is_taken() {
    let mut line = ready();
    line.command(Command::End);
    assert_eq!(line.refused(Command::Text("hi")), CommandError::NotReady);
}

#[test]
fn an_opening_asks_the_model_to_say_it_and_is_not_the_persons() {
    let mut line = ready();
    insta::assert_snapshot!(line.frames(Command::Open("Here I am.\nShall we?")));
}
