//! The clock, the delegation of an utterance, and the injected text.

use serde_json::{Value, json};

use super::*;
use crate::live::world_for_tests::{shared, tell};

fn started(faults: &[InjectedFault]) -> OpenaiLive {
    let mut live = OpenaiLive::new(shared(faults));
    let delegation = json!({ "type": "client", "acknowledgement_delay_ms": 2_000 });
    let session = json!({ "model": "gpt-live-1", "delegation": delegation });
    let start = json!({ "type": "session.start", "event_id": "start_1", "session": session });
    let out = tell(&mut live, &start);
    assert_eq!(out.frames[0]["type"], "session.started");
    assert_eq!(out.frames[0]["client_event_id"], "start_1");
    live
}

/// Streams silence, and returns the frames that are not silence themselves.
fn stream(live: &mut OpenaiLive, ms: u64) -> Vec<Value> {
    let pcm = vec![0; usize::try_from(ms * 48).unwrap()];
    let audio = json!({ "type": "session.input_audio.append", "audio": audio::encode(&pcm) });
    let frames = tell(live, &audio).frames.into_iter();
    let silent = audio::encode(&[0; 4800]);
    frames.filter(|frame| frame["delta"] != silent.as_str()).collect()
}

fn hear(live: &mut OpenaiLive, words: &str) {
    live.obey(ControlCommand::Hear(words.to_owned()), &mut HandlerOutput::default());
}

fn append(live: &mut OpenaiLive, kind: &str, content: &str, delegation: Value) -> Vec<Value> {
    let kind = format!("session.{kind}.append");
    let event = json!({
        "type": kind, "event_id": "a1", "content": content, "delegation_id": delegation,
    });
    tell(live, &event).frames
}

fn kinds(frames: &[Value]) -> Vec<&str> {
    frames.iter().map(|frame| frame["type"].as_str().unwrap()).collect()
}

fn spoken(frames: &[Value]) -> String {
    let deltas = frames.iter().filter(|it| it["type"] == "session.output_transcript.delta");
    deltas.map(|frame| frame["delta"].as_str().unwrap()).collect()
}

#[test]
fn nothing_happens_without_audio_and_silence_is_exact() {
    let mut live = started(&[]);
    hear(&mut live, "Hello there");
    assert_eq!(live.next_in(), None);
    let pcm = audio::encode(&[0; 4800]);
    let audio = json!({ "type": "session.input_audio.append", "audio": pcm });
    let frames = tell(&mut live, &audio).frames;
    assert_eq!(frames, [json!({ "type": "session.output_audio.delta", "delta": pcm })]);
}

#[test]
fn an_utterance_is_delegated_before_all_its_words_are_known() {
    let mut live = started(&[]);
    hear(&mut live, "Find Atlas");
    let frames = stream(&mut live, 2_000);
    let expected = [
        "session.delegation.created",
        "session.input_transcript.delta",
        "session.input_transcript.delta",
    ];
    assert_eq!(kinds(&frames), expected);
    assert_eq!((&frames[0]["offset_ms"], &frames[2]["delta"]), (&json!(400), &json!(" Atlas")));
    assert_eq!((&frames[2]["start_ms"], &frames[2]["end_ms"]), (&json!(200), &json!(400)));
    assert_eq!(frames[0]["delegation"]["target"], "client");
    let late = stream(&mut live, 4_000);
    assert_eq!(spoken(&late), "Okay.", "the acknowledgement, since nothing was appended");
}

#[test]
fn commentary_is_spoken_before_its_acknowledgement_and_cancels_the_other() {
    let mut live = started(&[]);
    hear(&mut live, "Find Atlas");
    let created = stream(&mut live, 1_200).remove(0);
    let id = created["delegation"]["id"].clone();
    append(&mut live, "commentary", "Atlas is a film.", id);
    let frames = stream(&mut live, 3_000);
    assert_eq!(spoken(&frames), "Atlas is a film.");
    let at = |kind: &str| kinds(&frames).iter().position(|found| *found == kind).unwrap();
    let ack = at("session.commentary.appended");
    assert!(at("session.output_transcript.delta") < ack);
    assert_eq!(frames[ack]["client_event_id"], "a1");
}

#[test]
fn instructions_dictate_thinking_is_silent_and_unknown_delegations_are_refused() {
    let mut live = started(&[]);
    let said = "[This is not from the person.] Say exactly the following sentence:\nGood day.";
    append(&mut live, "instructions", said, Value::Null);
    append(&mut live, "thinking", "A fact.", Value::Null);
    assert_eq!(spoken(&stream(&mut live, 3_000)), "Good day.");
    let error = append(&mut live, "commentary", "x", json!("item_x")).remove(0);
    assert_eq!(error["error"]["message"], "Unknown client delegation.");
    assert_eq!(error["error"]["code"], Value::Null);
}

#[test]
fn speech_cuts_the_model_and_a_backchannel_does_not() {
    for (words, rest) in [("Mhm.", true), ("Stop it", false)] {
        let mut live = started(&[]);
        append(&mut live, "commentary", "One two three four five six seven eight.", Value::Null);
        stream(&mut live, 900);
        hear(&mut live, words);
        assert_eq!(!spoken(&stream(&mut live, 1_000)).is_empty(), rest, "{words}");
    }
}

#[test]
fn a_close_reports_each_append_that_is_not_in_the_timeline_yet() {
    let mut live = started(&[]);
    append(&mut live, "commentary", "x", Value::Null);
    let out = tell(&mut live, &json!({ "type": "session.close", "event_id": "c1" }));
    assert_eq!(kinds(&out.frames), ["error", "session.closed"]);
    assert_eq!(out.frames[0]["error"]["code"], "context_injection_incomplete");
    assert_eq!(out.frames[1]["reason"], "close_requested");
    assert_eq!(out.close.unwrap().code, 1000);
}

#[test]
fn faults_duplicate_a_delegation_send_it_early_and_withhold_acknowledgements() {
    let faults =
        [InjectedFault::DuplicateCall, InjectedFault::EarlyDelegation, InjectedFault::NoAck];
    let mut live = started(&faults);
    hear(&mut live, "Yes please");
    append(&mut live, "thinking", "x", Value::Null);
    let frames = stream(&mut live, 3_000);
    assert_eq!(kinds(&frames)[..2], ["session.delegation.created"; 2]);
    assert_eq!(frames[0]["delegation"], frames[1]["delegation"]);
    assert!(!kinds(&frames).contains(&"session.thinking.appended"));
}

#[test]
fn an_error_at_the_start_ends_the_connection_without_a_close_frame() {
    let mut live = OpenaiLive::new(shared(&[]));
    let start =
        json!({ "type": "session.start", "session": { "model": "gpt-live-1", "voice": 1 } });
    let out = tell(&mut live, &start);
    assert_eq!(out.frames[0]["error"]["code"], "unknown_parameter");
    assert_eq!(out.end_in.unwrap().1.code, ABORT);
    let mut live = started(&[]);
    assert_eq!(tell(&mut live, &json!({ "type": "response.create" })).end_in, None);
}
