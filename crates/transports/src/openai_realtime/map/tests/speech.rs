//! Audio and words of both sides, being cut short, and sentences that fill a wait.

use aileron_contract::transport::{Speaker::*, TranscriptStage::*, TurnDetection, Utterance};

use super::*;
use crate::samples::{frames, transcript};

fn audio(response: &str, item: &str, base64: &str) -> String {
    format!(
        r#"{{"type":"response.output_audio.delta","event_id":"e","response_id":"{response}","item_id":"{item}","output_index":0,"content_index":0,"delta":"{base64}"}}"#
    )
}

fn said(response: &str, delta: &str) -> String {
    format!(
        r#"{{"type":"response.output_audio_transcript.delta","response_id":"{response}","item_id":"a","delta":"{delta}"}}"#
    )
}

fn spoken(utterance: u32, pcm: &[u8]) -> ProviderEvent {
    ProviderEvent::Audio { utterance: Utterance(utterance), pcm: pcm.to_vec() }
}

const STARTED: &str =
    r#"{"type":"input_audio_buffer.speech_started","audio_start_ms":100,"item_id":"u"}"#;
const STOPPED: &str =
    r#"{"type":"input_audio_buffer.speech_stopped","audio_end_ms":900,"item_id":"u"}"#;

#[test]
fn the_audio_of_an_item_is_one_utterance() {
    let mut line = ready();
    line.receive(created("r1", ""));
    assert_eq!(line.events(audio("r1", "a", "AAEC/w==")), [spoken(0, &[0, 1, 2, 255])]);
    assert_eq!(line.events(audio("r1", "a", "AAA=")), [spoken(0, &[0, 0])]);
    assert_eq!(line.events(audio("r1", "b", "AAA=")), [spoken(1, &[0, 0])]);
}

#[test]
fn audio_is_read_wherever_its_type_stands_and_by_its_older_name() {
    let late_type = r#"{"delta":"AAA=","item_id":"a","type":"response.output_audio.delta"}"#;
    assert_eq!(ready().events(late_type), [spoken(0, &[0, 0])]);
    let older = r#"{"type":"response.audio.delta","item_id":"a","delta":"AA\u0041="}"#;
    assert_eq!(ready().events(older), [spoken(0, &[0, 0])]);
}

#[test]
fn words_that_only_mention_audio_are_words() {
    let frame = r#"{"type":"response.output_audio_transcript.delta","item_id":"a","delta":"response.output_audio.delta"}"#;
    assert_eq!(ready().events(frame), [transcript(Model, "response.output_audio.delta", Delta)]);
}

#[test]
fn both_sides_come_in_words() {
    let mut line = ready();
    let heard = r#"{"type":"conversation.item.input_audio_transcription.delta","item_id":"u","content_index":0,"delta":"what"}"#;
    assert_eq!(line.events(heard), [transcript(Person, "what", Delta)]);
    let all = r#"{"type":"conversation.item.input_audio_transcription.completed","item_id":"u","transcript":"what time","usage":{"type":"duration","seconds":1.5}}"#;
    assert_eq!(line.events(all), [transcript(Person, "what time", Final)]);
    line.receive(created("r1", ""));
    assert_eq!(line.events(said("r1", "It is")), [transcript(Model, "It is", Delta)]);
    let done = r#"{"type":"response.output_audio_transcript.done","response_id":"r1","item_id":"a","transcript":"It is noon."}"#;
    assert_eq!(line.events(done), [transcript(Model, "It is noon.", Final)]);
}

#[test]
fn transcription_that_is_counted_in_tokens_is_reported() {
    let frame = r#"{"type":"conversation.item.input_audio_transcription.completed","item_id":"u","transcript":"hi",
        "usage":{"type":"tokens","total_tokens":12,"input_tokens":10,"output_tokens":2,"input_token_details":{"text_tokens":0,"audio_tokens":10}}}"#;
    insta::assert_debug_snapshot!(ready().events(frame));
}

#[test]
fn speech_cuts_the_running_response_short_and_what_still_comes_is_stale() {
    let mut line = ready();
    line.receive(created("r1", ""));
    line.receive(audio("r1", "a", "AAA="));
    line.receive(said("r1", "It is"));
    let events = line.events(STARTED);
    let words = transcript(Model, "It is", Final);
    assert_eq!(events, [words, ProviderEvent::SpeechStarted, ProviderEvent::Interrupted]);
    assert_eq!(line.events(audio("r1", "a", "AAA=")), []);
    assert_eq!(line.events(said("r1", " noon")), []);
    let events = line.events(done("r1", CANCELLED));
    assert_eq!(events, [ProviderEvent::TurnComplete(TurnEnd::Interrupted)]);
    assert_eq!(line.events(STOPPED), [ProviderEvent::SpeechStopped]);
}

#[test]
fn speech_over_silence_interrupts_nothing() {
    assert_eq!(ready().events(STARTED), [ProviderEvent::SpeechStarted]);
}

#[test]
fn a_reply_that_begins_while_the_person_speaks_is_cut_short() {
    let mut line = ready();
    line.command(Command::Text("hi"));
    assert_eq!(line.events(STARTED), [ProviderEvent::SpeechStarted, ProviderEvent::Interrupted]);
    let effects = line.receive(created("r1", "reply"));
    assert!(frames(&effects).contains(r#""type":"response.cancel","response_id":"r1""#));
    assert_eq!(line.events(audio("r1", "a", "AAA=")), []);
}

#[test]
fn what_is_written_in_the_middle_of_a_word_is_answered_and_the_word_still_ends() {
    let mut line = ready();
    line.receive(STARTED);
    assert!(line.frames(Command::Text("hi")).contains("response.create"));
    assert!(line.frames(Command::AudioEnd).contains("input_audio_buffer.append"));
    line.receive(STOPPED);
    assert_eq!(line.frames(Command::AudioEnd), "");
}

#[test]
fn a_response_that_was_stopped_says_why() {
    let mut line = ready();
    line.receive(created("r1", ""));
    let events = line.events(done(
        "r1",
        r#""status":"incomplete","status_details":{"reason":"max_output_tokens"}"#,
    ));
    assert_eq!(events, [ProviderEvent::TurnComplete(TurnEnd::Stopped("max_output_tokens".into()))]);
}

#[test]
fn our_interruption_cancels_once_and_is_reported_at_once() {
    let mut line = ready();
    assert_eq!(line.frames(Command::Interrupt { played_ms: 0 }), "");
    line.receive(created("r1", ""));
    let effects = line.command(Command::Interrupt { played_ms: 0 });
    assert_eq!(effects.events, [ProviderEvent::Interrupted]);
    insta::assert_snapshot!(frames(&effects));
    assert_eq!(line.frames(Command::Interrupt { played_ms: 0 }), "");
    let late = error("response_cancel_not_active", "ail_2_interrupt");
    let events = line.events(late);
    assert_eq!(fault(&events), (Severity::Ignore, FaultSubject::Interrupt));
    // The response was over, so that its turn is.
    assert_eq!(events[1..], [ProviderEvent::TurnComplete(TurnEnd::Interrupted)]);
    assert_eq!(line.events(done("r1", CANCELLED)), []);
}

#[test]
fn an_interruption_before_the_reply_began_holds() {
    let mut line = ready();
    line.command(Command::Text("hi"));
    let effects = line.command(Command::Interrupt { played_ms: 0 });
    assert_eq!(effects.events, [ProviderEvent::Interrupted]);
    assert!(frames(&effects).contains(r#""type":"response.cancel"}"#));
    line.receive(created("r1", "reply"));
    assert_eq!(line.events(audio("r1", "a", "AAA=")), []);
}

#[test]
fn text_cuts_the_model_short_and_is_answered_when_it_has_stopped() {
    let mut line = ready();
    line.receive(created("r1", ""));
    let effects = line.command(Command::Text("stop, what's \"up\"?"));
    assert_eq!(effects.events, [ProviderEvent::Interrupted]);
    insta::assert_snapshot!(frames(&effects));
    assert!(frames(&line.receive(done("r1", CANCELLED))).contains("response.create"));
}

#[test]
fn what_was_not_heard_is_cut_off() {
    let mut line = ready();
    line.receive(created("r1", ""));
    line.receive(audio("r1", "item_a", &"AAAA".repeat(1600)));
    line.receive(STARTED);
    let truncate = |played_ms| Command::Truncate { utterance: Utterance(0), played_ms };
    insta::assert_snapshot!(line.frames(truncate(40)));
    line.receive(done("r1", CANCELLED));
    assert_eq!(line.frames(truncate(100)), "");
}

#[test]
fn a_sentence_fills_the_wait_and_does_not_end_the_turn() {
    let mut line = ready();
    insta::assert_snapshot!(line.frames(Command::Say("One \"moment\".")));
    line.receive(created("r1", "say"));
    assert_eq!(line.events(audio("r1", "a", "AAA=")), [spoken(0, &[0, 0])]);
    assert_eq!(line.events(done("r1", COMPLETED)), []);
    let truncate = Command::Truncate { utterance: Utterance(0), played_ms: 0 };
    assert_eq!(line.frames(truncate), "");
}

#[test]
fn speech_over_a_sentence_cancels_it() {
    let mut line = ready();
    line.command(Command::Say("One moment."));
    line.receive(created("r1", "say"));
    let effects = line.receive(STARTED);
    assert_eq!(effects.events, [ProviderEvent::SpeechStarted, ProviderEvent::Interrupted]);
    assert!(frames(&effects).contains("response.cancel"));
}

#[test]
fn a_microphone_that_is_turned_off_in_speech_becomes_silence() {
    let mut line = ready();
    assert_eq!(line.frames(Command::AudioEnd), "");
    line.receive(STARTED);
    let sent = line.frames(Command::AudioEnd);
    // 700 ms at 24 kHz, two bytes a sample, four characters for three bytes.
    assert!(sent.len() > 700 * 48 / 3 * 4, "{}", sent.len());
}

#[test]
fn speech_is_told_where_the_provider_does_not_detect_it() {
    let mut setup = Setup::new("m", "");
    setup.turn_detection = TurnDetection::Manual;
    let mut line = ready_with(&setup);
    line.receive(created("r1", "reply"));
    let begun = line.command(Command::SpeechStart);
    assert_eq!(begun.events, [ProviderEvent::Interrupted]);
    line.receive(done("r1", CANCELLED));
    let ended = line.frames(Command::SpeechEnd);
    insta::assert_snapshot!(format!("{}\n{ended}", frames(&begun)));
    assert_eq!(line.frames(Command::AudioEnd), "");
    assert!(matches!(ready().refused(Command::SpeechStart), CommandError::Unsupported(_)));
}
