//! Audio and words of both sides, and being cut short.

use aileron_contract::transport::{MissedEvent, Speaker::*, TranscriptStage::*};

use super::*;
use crate::samples::transcript;

fn audio(base64: &str) -> String {
    format!(
        r#"{{"serverContent":{{"modelTurn":{{"role":"model","parts":[{{"inlineData":{{"mimeType":"audio/pcm;rate=24000","data":"{base64}"}}}}]}}}}}}"#
    )
}

fn heard(text: &str) -> String {
    format!(
        r#"{{"serverContent":{{"inputTranscription":{{"text":"{text}","languageCode":"en"}}}}}}"#
    )
}

fn said(text: &str) -> String {
    format!(r#"{{"serverContent":{{"outputTranscription":{{"text":"{text}"}}}}}}"#)
}

fn spoken(utterance: u32, pcm: &[u8]) -> ProviderEvent {
    ProviderEvent::Audio { utterance: Utterance(utterance), pcm: pcm.to_vec() }
}

/// So many bytes of silence.
fn audio_of(bytes: usize) -> String {
    "AAAA".repeat(bytes / 3)
}

const TURN_COMPLETE: &str = r#"{"serverContent":{"turnComplete":true}}"#;
const INTERRUPTED: &str = r#"{"serverContent":{"interrupted":true}}"#;

#[test]
fn the_audio_of_a_turn_is_one_utterance() {
    let mut line = ready();
    assert_eq!(line.events(audio("AAEC/w==")), [spoken(0, &[0, 1, 2, 255])]);
    assert_eq!(line.events(audio("AAA=")), [spoken(0, &[0, 0])]);
    line.receive(TURN_COMPLETE);
    assert_eq!(line.events(audio("AAA=")), [spoken(1, &[0, 0])]);
}

#[test]
fn escaped_and_snake_case_audio_is_read() {
    let frame = r#"{"server_content":{"model_turn":{"parts":[{"inline_data":{"mime_type":"audio/pcm","data":"AAA\u003d"}}]}}}"#;
    assert_eq!(ready().events(frame), [spoken(0, &[0, 0])]);
}

#[test]
fn a_sample_that_is_cut_in_two_comes_out_whole() {
    let mut line = ready();
    assert_eq!(line.events(audio("AAEC")), [spoken(0, &[0, 1])]);
    assert_eq!(line.events(audio("Aw==")), [spoken(0, &[2, 3])]);
}

#[test]
fn what_the_person_said_is_finished_when_the_model_answers() {
    let mut line = ready();
    assert_eq!(line.events(heard("what is")), [transcript(Person, "what is", Delta)]);
    assert_eq!(line.events(heard(" the time")), [transcript(Person, " the time", Delta)]);
    let events = line.events(audio("AAA="));
    assert_eq!(events, [transcript(Person, "what is the time", Final), spoken(0, &[0, 0])]);
}

#[test]
fn a_call_finishes_what_the_person_said_before_it_is_reported() {
    let mut line = ready();
    line.receive(heard("yes"));
    let events = line.events(r#"{"toolCall":{"functionCalls":[{"id":"fc-1","name":"a"}]}}"#);
    assert_eq!(events[0], transcript(Person, "yes", Final));
    assert!(matches!(events[1], ProviderEvent::ToolCalls(_)));
}

#[test]
fn words_that_come_after_the_answer_began_are_kept_together() {
    let mut line = ready();
    line.receive(audio("AAA="));
    line.receive(heard("late"));
    line.receive(audio("AAA="));
    line.receive(heard(" words"));
    let events = line.events(TURN_COMPLETE);
    assert_eq!(
        events,
        [transcript(Person, "late words", Final), ProviderEvent::TurnComplete(TurnEnd::Finished)]
    );
}

#[test]
fn a_reply_in_words_is_finished_by_its_flag_or_by_the_turn() {
    let mut line = ready();
    line.receive(said("It is"));
    let flagged = r#"{"serverContent":{"outputTranscription":{"text":" sunny.","finished":true}}}"#;
    let events = line.events(flagged);
    assert_eq!(
        events,
        [transcript(Model, " sunny.", Delta), transcript(Model, "It is sunny.", Final)]
    );
    line.receive(said("Bye."));
    let events = line.events(TURN_COMPLETE);
    assert_eq!(
        events,
        [transcript(Model, "Bye.", Final), ProviderEvent::TurnComplete(TurnEnd::Finished)]
    );
}

#[test]
fn a_guess_at_what_is_being_said_is_passed_on() {
    let frame = r#"{"serverContent":{"interimInputTranscription":{"text":"what"}}}"#;
    assert_eq!(ready().events(frame), [transcript(Person, "what", Interim)]);
}

#[test]
fn an_interruption_ends_the_utterance_and_keeps_the_persons_words_together() {
    let mut line = ready();
    line.receive(audio("AAA="));
    line.receive(said("It is"));
    line.receive(heard("no, "));
    assert_eq!(
        line.events(INTERRUPTED),
        [transcript(Model, "It is", Final), ProviderEvent::Interrupted]
    );
    assert_eq!(line.events(TURN_COMPLETE), [ProviderEvent::TurnComplete(TurnEnd::Interrupted)]);
    line.receive(heard("tomorrow"));
    let events = line.events(audio("AAA="));
    assert_eq!(events, [transcript(Person, "no, tomorrow", Final), spoken(1, &[0, 0])]);
}

#[test]
fn a_turn_that_the_provider_stopped_says_why() {
    let frame =
        r#"{"serverContent":{"turnComplete":true,"turnCompleteReason":"MALFORMED_FUNCTION_CALL"}}"#;
    let stopped = TurnEnd::Stopped("MALFORMED_FUNCTION_CALL".into());
    assert_eq!(ready().events(frame), [ProviderEvent::TurnComplete(stopped)]);
    let frame = r#"{"serverContent":{"turnComplete":true,"turnCompleteReason":"TURN_COMPLETE_REASON_UNSPECIFIED"}}"#;
    assert_eq!(ready().events(frame), [ProviderEvent::TurnComplete(TurnEnd::Finished)]);
}

#[test]
fn a_turn_of_an_interaction_that_goes_on_is_not_the_end() {
    let mut line = ready();
    let on = r#"{"serverContent":{"turnComplete":true,"interactionStatus":"IN_PROGRESS"}}"#;
    line.receive(audio("AAA="));
    line.receive(GENERATED);
    assert_eq!(line.events(on), []);
    assert_eq!(line.command(Command::Overdue(MissedEvent::TurnEnd)).events, []);
    let idle = r#"{"serverContent":{"turnComplete":true,"interactionStatus":"IDLE"}}"#;
    assert_eq!(line.events(idle), [ProviderEvent::TurnComplete(TurnEnd::Finished)]);
}

#[test]
fn speech_is_reported_in_both_spellings_the_server_has() {
    let mut line = ready();
    let start = r#"{"voiceActivity":{"voiceActivityType":"ACTIVITY_START","audioOffset":"1.2s"}}"#;
    assert_eq!(line.events(start), [ProviderEvent::SpeechStarted]);
    let end = r#"{"voiceActivityDetectionSignal":{"vadSignalType":"VAD_SIGNAL_TYPE_EOS"}}"#;
    assert_eq!(line.events(end), [ProviderEvent::SpeechStopped]);
    let other = r#"{"voiceActivity":{}}"#;
    assert_eq!(line.events(other), [ProviderEvent::Unknown { name: "voiceActivity ".into() }]);
}

const GENERATED: &str = r#"{"serverContent":{"generationComplete":true}}"#;

fn presumed(line: &mut ProtocolHarness<GeminiLive>) -> Vec<ProviderEvent> {
    let effects = line.command(Command::Overdue(MissedEvent::TurnEnd));
    assert_eq!(effects.frames, []);
    effects.events
}

#[test]
fn a_turn_whose_end_does_not_come_is_over_all_the_same() {
    let mut line = ready();
    line.receive(heard("hi"));
    line.receive(audio("AAA="));
    line.receive(said("Hello."));
    assert_eq!(presumed(&mut line), []);
    line.receive(GENERATED);
    let over = [transcript(Model, "Hello.", Final), ProviderEvent::TurnComplete(TurnEnd::Finished)];
    assert_eq!(presumed(&mut line), over);
    assert_eq!(presumed(&mut line), []);
    // It comes after all, and again with the next turn.
    assert_eq!(line.events(TURN_COMPLETE), []);
    line.receive(audio("AAA="));
    assert_eq!(line.events(TURN_COMPLETE), [ProviderEvent::TurnComplete(TurnEnd::Finished)]);
}

#[test]
fn the_next_utterance_ends_a_turn_that_was_delivered() {
    let mut line = ready();
    line.receive(heard("hi"));
    line.receive(audio("AAA="));
    line.receive(GENERATED);
    let events = line.events(heard("and"));
    assert_eq!(
        events,
        [ProviderEvent::TurnComplete(TurnEnd::Finished), transcript(Person, "and", Delta)]
    );
    line.receive(heard(" then?"));
    let events = line.events(audio("AAA="));
    assert_eq!(events, [transcript(Person, "and then?", Final), spoken(1, &[0, 0])]);
}

#[test]
fn late_words_of_the_same_turn_do_not_end_it() {
    let mut line = ready();
    line.receive(audio("AAA="));
    line.receive(GENERATED);
    assert_eq!(line.events(heard("late")), [transcript(Person, "late", Delta)]);
    let events = line.events(TURN_COMPLETE);
    assert_eq!(events[0], transcript(Person, "late", Final));
}

#[test]
fn writing_ends_a_turn_that_was_delivered() {
    let mut line = ready();
    line.receive(audio("AAA="));
    line.receive(GENERATED);
    let effects = line.command(Command::Text("next"));
    let over = [ProviderEvent::Interrupted, ProviderEvent::TurnComplete(TurnEnd::Interrupted)];
    assert_eq!((effects.events, effects.frames.len()), (over.into(), 1));
}

#[test]
fn what_was_said_before_a_drop_is_not_lost() {
    let mut line = ready();
    line.receive(heard("hi"));
    line.receive(said("Hel"));
    let events = line.closed(CloseCode::Missing, "");
    assert_eq!(events[0], transcript(Model, "Hel", Final));
    assert!(matches!(events[1], ProviderEvent::Closed(_)));
}

#[test]
fn thoughts_are_not_spoken() {
    let frame =
        r#"{"serverContent":{"modelTurn":{"parts":[{"text":"**Thinking**","thought":true}]}}}"#;
    assert_eq!(ready().events(frame), []);
}

#[test]
fn a_reply_that_nobody_listens_to_ends_with_the_words_that_were_heard() {
    let mut line = ready();
    line.receive(heard("what is it?"));
    line.receive(audio(&audio_of(4800)));
    line.receive(said("It is"));
    line.receive(audio(&audio_of(4800)));
    line.receive(said(" sunny"));
    let effects = line.command(Command::Interrupt { played_ms: 150 });
    assert_eq!(effects.events, [transcript(Model, "It is", Final), ProviderEvent::Interrupted]);
    assert_eq!(effects.frames, []);
    assert_eq!(line.events(audio("AAA=")), []);
    assert_eq!(line.events(said(" and warm")), []);
    assert_eq!(line.events(GENERATED), [ProviderEvent::GenerationComplete]);
    assert_eq!(line.events(TURN_COMPLETE), [ProviderEvent::TurnComplete(TurnEnd::Finished)]);
    // The next reply is heard.
    line.receive(heard("and tomorrow?"));
    let events = line.events(audio("AAA="));
    assert_eq!(events, [transcript(Person, "and tomorrow?", Final), spoken(1, &[0, 0])]);
}

#[test]
fn nothing_is_muted_where_no_reply_is_due() {
    let mut line = ready();
    assert_eq!(line.command(Command::Interrupt { played_ms: 0 }).events, []);
    line.receive(heard("hello"));
    assert_eq!(line.events(audio("AAA=")).last(), Some(&spoken(0, &[0, 0])));
}

#[test]
fn the_persons_next_words_end_a_reply_that_nobody_listens_to() {
    for provider_says_so in [true, false] {
        let mut line = ready();
        line.receive(heard("what is it?"));
        line.receive(audio("AAA="));
        line.command(Command::Interrupt { played_ms: 0 });
        if provider_says_so {
            assert_eq!(line.events(INTERRUPTED), []);
        }
        line.receive(heard("and tomorrow?"));
        let events = line.events(audio("AAA="));
        assert!(matches!(events.last(), Some(ProviderEvent::Audio { .. })), "{events:?}");
    }
    let mut line = ready();
    line.receive(heard("what is it?"));
    line.receive(audio("AAA="));
    line.command(Command::Interrupt { played_ms: 0 });
    line.command(Command::Text("and tomorrow?"));
    assert!(matches!(line.events(audio("AAA="))[..], [ProviderEvent::Audio { .. }]));
}
