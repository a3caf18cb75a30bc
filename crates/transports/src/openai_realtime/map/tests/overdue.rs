//! Responses whose end does not arrive: their calls are made, and the next response can begin.

use aileron_contract::transport::{DeferredInput, MissedEvent};

use super::*;
use crate::samples::{call_ids, frames, sunny};

fn item_done(kind: &str, call: &str) -> String {
    format!(
        r#"{{"type":"response.output_item.done","response_id":"r1","item":{{"id":"i_{call}","type":"{kind}","status":"completed","call_id":"{call}","name":"get_weather","arguments":"{{}}"}}}}"#
    )
}

/// A response that has made calls and does not end.
fn endless(calls: &[&str]) -> ProtocolHarness<OpenaiRealtime> {
    let mut line = ready();
    line.receive(created("r1", ""));
    calls.iter().for_each(|call| drop(line.events(item_done("function_call", call))));
    line
}

fn overdue(line: &mut ProtocolHarness<OpenaiRealtime>, what: MissedEvent) -> Effects {
    line.command(Command::Overdue(what))
}

#[test]
fn calls_of_a_response_that_does_not_end_are_reported_once_and_answered_once() {
    let mut line = endless(&["call_1", "call_2"]);
    let effects = overdue(&mut line, MissedEvent::TurnEnd);
    assert_eq!(call_ids(&effects.events), ["call_1", "call_2"]);
    assert_eq!(overdue(&mut line, MissedEvent::TurnEnd), Effects::default());
    let sent = line.frames(Command::Results(&[sunny("call_1"), sunny("call_2")]));
    assert_eq!(sent.matches("function_call_output").count(), 2);
    assert_eq!(sent.matches("response.create").count(), 1);
    // The end comes after all: nothing is reported twice, and the turn goes on.
    let output = r#""status":"completed","output":[{"id":"i_call_1","type":"function_call","status":"completed","call_id":"call_1","name":"get_weather","arguments":"{}"}]"#;
    assert_eq!(line.receive(done("r1", output)), Effects::default());
    line.receive(created("r2", "reply"));
    let events = line.events(done("r2", COMPLETED));
    assert_eq!(events.last(), Some(&ProviderEvent::TurnComplete(TurnEnd::Finished)));
}

#[test]
fn a_call_that_only_the_late_end_tells_of_is_made() {
    let mut line = ready();
    line.receive(created("r1", ""));
    line.receive(item_done("message", ""));
    let events = overdue(&mut line, MissedEvent::TurnEnd).events;
    assert_eq!(events, [ProviderEvent::TurnComplete(TurnEnd::Finished)]);
    line.receive(item_done("function_call", "call_1"));
    assert_eq!(call_ids(&line.events(done("r1", COMPLETED))), ["call_1"]);
}

#[test]
fn a_response_that_goes_on_is_not_overdue() {
    let mut line = ready();
    line.receive(created("r1", ""));
    assert_eq!(overdue(&mut line, MissedEvent::TurnEnd), Effects::default());
    line.receive(item_done("message", ""));
    line.receive(
        r#"{"type":"response.output_item.added","item":{"id":"i2","type":"function_call"}}"#,
    );
    assert_eq!(overdue(&mut line, MissedEvent::TurnEnd), Effects::default());
}

#[test]
fn a_text_gets_its_reply_although_the_response_before_never_ended() {
    let mut line = endless(&["call_1"]);
    let sent = frames(&line.command(Command::Text("next")));
    assert!(sent.contains("response.cancel") && !sent.contains("response.create"), "{sent}");
    let cancel: serde_json::Value = serde_json::from_str(sent.lines().next().unwrap()).unwrap();
    let id = cancel["event_id"].as_str().unwrap();
    let effects = line.receive(error("response_cancel_not_active", id));
    assert_eq!(call_ids(&effects.events), ["call_1"]);
    assert!(frames(&effects).contains("response.create"));
}

#[test]
fn a_refusal_to_cut_one_response_short_leaves_the_next_alone() {
    let mut line = endless(&[]);
    let sent = frames(&line.command(Command::Interrupt { played_ms: 0 }));
    let cancel: serde_json::Value = serde_json::from_str(&sent).unwrap();
    line.receive(done("r1", COMPLETED));
    line.receive(created("r2", ""));
    let id = cancel["event_id"].as_str().unwrap();
    line.receive(error("response_cancel_not_active", id));
    assert!(!line.frames(Command::LateResult(&sunny("old"))).contains("response.create"));
}

#[test]
fn a_response_that_is_followed_by_another_has_ended() {
    let mut line = endless(&["call_1"]);
    let effects = line.receive(created("r2", ""));
    assert_eq!(call_ids(&effects.events), ["call_1"]);
    assert_eq!(line.receive(done("r1", COMPLETED)), Effects::default());
    let events = line.events(done("r2", COMPLETED));
    assert_eq!(events.last(), Some(&ProviderEvent::TurnComplete(TurnEnd::Finished)));
}

#[test]
fn a_reply_of_which_nothing_comes_is_given_up_and_the_next_begins() {
    let mut line = ready();
    line.command(Command::Text("hi"));
    let effects = overdue(&mut line, MissedEvent::Reply);
    assert_eq!(fault(&effects.events), (Severity::Ignore, FaultSubject::Reply));
    let end = ProviderEvent::TurnComplete(TurnEnd::Stopped("overdue".into()));
    assert_eq!(effects.events.last(), Some(&end));
    assert!(frames(&line.command(Command::Text("again"))).contains("response.create"));
    line.receive(created("r1", "reply"));
    let sent = frames(&overdue(&mut line, MissedEvent::Reply));
    assert!(sent.contains("response.cancel"), "{sent}");
    assert_eq!(overdue(&mut line, MissedEvent::Reply), Effects::default());
}

#[test]
fn what_waited_is_told_in_order_and_answered_once() {
    let held = [
        DeferredInput::Text("is it warm?".into()),
        DeferredInput::Result(sunny("call_of_old")),
        DeferredInput::Text("and dry?".into()),
    ];
    let sent = ready().frames(Command::Told(&held));
    let words = ["is it warm?", "call_of_old", "and dry?", "response.create"];
    let places: Vec<_> = words.map(|word| sent.find(word).unwrap()).into();
    assert!(places.is_sorted() && sent.matches("response.create").count() == 1, "{sent}");
}

#[test]
fn what_was_said_before_a_drop_is_not_lost() {
    let mut line = ready();
    line.receive(created("r1", ""));
    line.receive(r#"{"type":"response.output_audio_transcript.delta","response_id":"r1","item_id":"i","delta":"Hel"}"#);
    let events = line.closed(CloseCode::Missing, "");
    let words = crate::samples::transcript(
        aileron_contract::transport::Speaker::Model,
        "Hel",
        aileron_contract::transport::TranscriptStage::Final,
    );
    assert_eq!(events[0], words);
}

#[test]
fn a_call_is_made_although_only_its_arguments_were_finished() {
    let added = r#"{"id":"i","type":"function_call","status":"in_progress","call_id":"call_1","name":"get_weather"}"#;
    let arguments = r#"{"type":"response.function_call_arguments.done","response_id":"r1","item_id":"i","call_id":"call_1","arguments":"{}"}"#;
    for beginning in [created("r1", ""), String::new()] {
        let mut line = ready();
        if !beginning.is_empty() {
            line.receive(beginning);
        }
        line.receive(format!(
            r#"{{"type":"response.output_item.added","response_id":"r1","item":{added}}}"#
        ));
        assert_eq!(line.events(arguments), [ProviderEvent::GenerationComplete]);
        let events = line.command(Command::Overdue(MissedEvent::TurnEnd)).events;
        assert_eq!(call_ids(&events), ["call_1"]);
    }
}

#[test]
fn a_server_that_does_not_name_our_responses_is_asked_again_at_once() {
    let mut line = ready();
    line.command(Command::Text("one"));
    line.receive(created("r1", ""));
    assert_eq!(
        line.events(done("r1", COMPLETED)).last(),
        Some(&ProviderEvent::TurnComplete(TurnEnd::Finished))
    );
    let frames = line.frames(Command::Text("two"));
    assert!(frames.contains("response.create"), "{frames}");
}

#[test]
fn an_opening_is_part_of_the_conversation_and_makes_no_calls() {
    let mut line = ready();
    insta::assert_snapshot!(line.frames(Command::Open("Here I am.")));
    line.receive(created("r1", "reply"));
    assert_eq!(
        line.events(done("r1", COMPLETED)).last(),
        Some(&ProviderEvent::TurnComplete(TurnEnd::Finished))
    );
}

#[test]
fn a_response_of_which_nothing_comes_does_not_hold_up_a_reply() {
    let mut line = ready();
    line.receive(created("r1", ""));
    assert_eq!(overdue(&mut line, MissedEvent::TurnEnd), Effects::default());
    line.command(Command::LateResult(&sunny("call_1")));
    let effects = overdue(&mut line, MissedEvent::TurnEnd);
    let sent = frames(&effects);
    assert!(sent.contains("response.cancel") && sent.contains("response.create"), "{sent}");
    assert_eq!(effects.events, []);
}
