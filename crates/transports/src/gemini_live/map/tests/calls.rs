//! Calls, their cancellation, and answers in every state.

use aileron_contract::{Arguments, CallId, ToolCall};
use serde_json::json;

use super::*;
use crate::gemini_live::{CallBehaviour, Scheduling, TextChannel};
use crate::samples::{call_ids, cancelled, frames, sunny, unapproved};

const CALL: &str =
    r#"{"toolCall":{"functionCalls":[{"id":"fc-1","name":"get_weather","args":{"city":"Cluj"}}]}}"#;
const INTERRUPTED: &str = r#"{"serverContent":{"interrupted":true}}"#;
const TURN_COMPLETE: &str = r#"{"serverContent":{"turnComplete":true}}"#;
const CANCEL: &str = r#"{"toolCallCancellation":{"ids":["fc-1"]}}"#;

#[test]
fn the_calls_of_a_message_are_one_batch() {
    let events = ready().events(
        r#"{"tool_call":{"function_calls":[
            {"id":"fc-1","name":"get_weather","args":{"city":"Cluj"}},{"id":"fc-2","name":"now"}]}}"#,
    );
    let call = |id, name: &str, args| ToolCall {
        call_id: CallId::new(id).unwrap(),
        tool_id: name.into(),
        args,
    };
    let first = call("fc-1", "get_weather", json!({ "city": "Cluj" }).into());
    let second = call("fc-2", "now", Arguments::default());
    assert_eq!(events, [ProviderEvent::ToolCalls(vec![first, second])]);
}

#[test]
fn a_call_in_both_places_is_reported_once() {
    let mut line = ready();
    let inside = r#"{"serverContent":{"modelTurn":{"parts":[{"functionCall":{"id":"fc-1","name":"get_weather","args":{"city":"Cluj"}}}]}}}"#;
    assert_eq!(call_ids(&line.events(inside)), ["fc-1"]);
    assert_eq!(line.events(CALL), []);
    let both = r#"{"serverContent":{"modelTurn":{"parts":[{"functionCall":{"id":"fc-2","name":"a"}}]}},
        "toolCall":{"functionCalls":[{"id":"fc-2","name":"a"}]}}"#;
    assert_eq!(call_ids(&line.events(both)), ["fc-2"]);
}

#[test]
fn ambiguous_arguments_are_left_for_the_gate_to_refuse() {
    let frame = r#"{"toolCall":{"functionCalls":[{"id":"fc-1","name":"a","args":{"x":1,"x":2}}]}}"#;
    let events = ready().events(frame);
    let [ProviderEvent::ToolCalls(calls)] = &events[..] else { panic!("{events:?}") };
    assert!(matches!(&calls[0].args, Arguments::Unreadable(why) if why.contains("twice")));
}

#[test]
fn results_go_in_one_message_with_id_and_name() {
    let mut line = ready();
    line.receive(r#"{"toolCall":{"functionCalls":[{"id":"fc-1","name":"get_weather"},{"id":"fc-2","name":"calendar_create_event"}]}}"#);
    insta::assert_snapshot!(line.frames(Command::Results(&[sunny("fc-1"), unapproved("fc-2")])));
}

#[test]
fn results_of_calls_that_do_not_block_say_when_to_speak() {
    let calls = CallBehaviour::NonBlocking(Some(Scheduling::WhenIdle));
    let mut line = ready_with(GeminiLiveOptions { calls, ..GeminiLiveOptions::default() });
    line.receive(CALL);
    insta::assert_snapshot!(line.frames(Command::Results(&[sunny("fc-1")])));
    assert!(line.protocol.capabilities().scheduled_results.is_yes());
}

#[test]
fn a_cancelled_call_is_reported_once_and_gets_no_answer() {
    let mut line = ready();
    line.receive(CALL);
    let id = CallId::new("fc-1").unwrap();
    assert_eq!(line.events(CANCEL), [ProviderEvent::CallsCancelled(vec![id])]);
    assert_eq!(line.events(CANCEL), []);
    assert_eq!(line.frames(Command::Results(&[cancelled("fc-1")])), "");
}

#[test]
fn what_a_cancelled_call_did_is_told_without_asking_for_a_reply() {
    let mut line = ready();
    line.receive(CALL);
    line.receive(INTERRUPTED);
    line.receive(CANCEL);
    line.receive(TURN_COMPLETE);
    insta::assert_snapshot!(line.frames(Command::Results(&[sunny("fc-1")])));
}

#[test]
fn what_is_only_for_the_record_cuts_nothing_short() {
    let cut_short = || {
        let mut line = ready();
        line.receive(CALL);
        line.receive(INTERRUPTED);
        line.receive(CANCEL);
        line
    };
    // The person has said more meanwhile: it waits for the end of the model's next turn.
    let mut line = cut_short();
    line.receive(TURN_COMPLETE);
    line.receive(r#"{"serverContent":{"inputTranscription":{"text":"what now?"}}}"#);
    assert_eq!(line.frames(Command::Results(&[sunny("fc-1")])), "");
    let sent = frames(&line.receive(TURN_COMPLETE));
    assert!(sent.contains("fc-1") && sent.contains(r#""turnComplete":false"#), "{sent}");
    // The person's next text message carries the result.
    let mut line = cut_short();
    line.command(Command::Text("what now?"));
    assert_eq!(line.frames(Command::Results(&[sunny("fc-1")])), "");
    assert_eq!(frames(&line.receive(TURN_COMPLETE)), "");
    let sent = line.frames(Command::Text("hello?"));
    assert!(sent.find("fc-1") < sent.find("hello?") && sent.contains("fc-1"), "{sent}");
}

#[test]
fn cancelling_an_unknown_call_is_nothing() {
    assert_eq!(ready().events(CANCEL), []);
}

#[test]
fn an_answer_that_crossed_the_taking_back_of_its_call_is_told_for_the_record() {
    let mut line = ready();
    line.receive(CALL);
    line.command(Command::Results(&[sunny("fc-1")]));
    line.receive(INTERRUPTED);
    assert_eq!(
        line.events(CANCEL),
        [ProviderEvent::CallsCancelled(vec![CallId::new("fc-1").unwrap()])]
    );
    line.receive(TURN_COMPLETE);
    let sent = line.frames(Command::Results(&[sunny("fc-1")]));
    assert!(sent.contains("fc-1") && sent.contains(r#""turnComplete":false"#), "{sent}");
}

#[test]
fn a_result_of_another_connection_is_told_in_words() {
    insta::assert_snapshot!(ready().frames(Command::Results(&[sunny("fc-of-old")])));
}

#[test]
fn a_second_answer_after_an_approval_is_told_in_words() {
    let mut line = ready_with(GeminiLiveOptions {
        text: TextChannel::Realtime,
        ..GeminiLiveOptions::default()
    });
    line.receive(CALL);
    line.command(Command::Results(&[unapproved("fc-1")]));
    insta::assert_snapshot!(line.frames(Command::LateResult(&sunny("fc-1"))));
    let again = line.frames(Command::Results(&[sunny("fc-1")]));
    assert!(again.starts_with(r#"{"realtimeInput":{"text":"#), "{again}");
}

#[test]
fn a_call_without_an_id_is_answered_without_one() {
    let mut line = ready();
    let events =
        line.events(r#"{"toolCall":{"functionCalls":[{"name":"get_weather","args":null}]}}"#);
    assert_eq!(call_ids(&events), ["c-1"]);
    let sent = frames(&line.command(Command::Results(&[sunny("c-1")])));
    assert!(
        sent.starts_with(r#"{"toolResponse":{"functionResponses":[{"name":"get_weather","#),
        "{sent}"
    );
}
