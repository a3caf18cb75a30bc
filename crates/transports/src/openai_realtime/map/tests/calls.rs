//! Calls, answers, and the reply that follows them.

use aileron_contract::{Arguments, CallId, ToolCall};
use serde_json::json;

use super::*;
use crate::samples::{call_ids, frames, sunny, unapproved};

fn item(id: &str, call: &str, status: &str, arguments: &str) -> String {
    let arguments = arguments.replace('"', "\\\"");
    format!(
        r#"{{"id":"{id}","object":"realtime.item","type":"function_call","status":"{status}","call_id":"{call}","name":"get_weather","arguments":"{arguments}"}}"#
    )
}

fn item_done(item: &str) -> String {
    format!(
        r#"{{"type":"response.output_item.done","response_id":"r1","output_index":0,"item":{item}}}"#
    )
}

/// A response with these calls, from its beginning to its end.
fn calls(
    line: &mut ProtocolHarness<OpenaiRealtime>,
    response: &str,
    ids: &[&str],
) -> Vec<ProviderEvent> {
    line.receive(created(response, ""));
    let items: Vec<_> =
        ids.iter().map(|id| item(&format!("i_{id}"), id, "completed", "{}")).collect();
    for item in &items {
        line.events(item_done(item));
    }
    let output = format!(r#""status":"completed","output":[{}]"#, items.join(","));
    line.events(done(response, &output))
}

#[test]
fn a_call_is_put_together_and_reported_when_its_response_is_done() {
    let mut line = ready();
    let added = item("item_fc", "call_1", "in_progress", "");
    let whole = item("item_fc", "call_1", "completed", r#"{"city":"Cluj"}"#);
    let quiet = [
        created("resp_1", ""),
        format!(r#"{{"type":"response.output_item.added","response_id":"resp_1","output_index":0,"item":{added}}}"#),
        format!(r#"{{"type":"conversation.item.added","previous_item_id":"item_0","item":{added}}}"#),
        r#"{"type":"response.function_call_arguments.delta","response_id":"resp_1","item_id":"item_fc","output_index":0,"call_id":"call_1","delta":"{\"ci"}"#.into(),
    ];
    for frame in quiet {
        assert_eq!(line.events(&frame), [], "{frame}");
    }
    let all = r#"{"type":"response.function_call_arguments.done","response_id":"resp_1","item_id":"item_fc","output_index":0,"call_id":"call_1","name":"get_weather","arguments":"{\"city\":\"Cluj\"}"}"#;
    assert_eq!(line.events(all), [ProviderEvent::GenerationComplete]);
    assert_eq!(line.events(item_done(&whole)), []);
    let shown = format!(r#"{{"type":"conversation.item.done","item":{whole}}}"#);
    assert_eq!(line.events(shown), []);
    let events =
        line.events(done("resp_1", &format!(r#""status":"completed","output":[{whole}]"#)));
    let call_id = CallId::new("call_1").unwrap();
    let args = json!({ "city": "Cluj" }).into();
    let call = ToolCall { call_id, tool_id: "get_weather".into(), args };
    assert_eq!(events, [ProviderEvent::ToolCalls(vec![call])]);
}

#[test]
fn the_calls_of_a_response_are_one_batch() {
    assert_eq!(call_ids(&calls(&mut ready(), "r1", &["call_1", "call_2"])), ["call_1", "call_2"]);
}

#[test]
fn a_call_whose_beginning_was_missed_is_reported_all_the_same() {
    let output =
        format!(r#""status":"completed","output":[{}]"#, item("i", "call_1", "completed", "{}"));
    let mut line = ready();
    assert_eq!(call_ids(&line.events(done("r1", &output))), ["call_1"]);
    assert_eq!(line.events(done("r1", &output)), []);
    assert_eq!(call_ids(&line.events(done("r2", &output))), [""; 0]);
}

#[test]
fn arguments_that_are_no_json_are_left_for_the_gate_to_refuse() {
    let mut line = ready();
    line.receive(created("r1", ""));
    let output = format!(
        r#""status":"completed","output":[{}]"#,
        item("i", "call_1", "completed", "{city:")
    );
    let events = line.events(done("r1", &output));
    let ProviderEvent::ToolCalls(calls) = &events[0] else { panic!("{events:?}") };
    assert!(matches!(calls[0].args, Arguments::Unreadable(_)));
}

#[test]
fn a_call_that_was_cut_short_is_no_call() {
    let mut line = ready();
    line.receive(created("r1", ""));
    let output = format!(r#"{CANCELLED},"output":[{}]"#, item("i", "call_1", "incomplete", "{"));
    let events = line.events(done("r1", &output));
    assert_eq!(
        events,
        [ProviderEvent::Interrupted, ProviderEvent::TurnComplete(TurnEnd::Interrupted)]
    );
}

#[test]
fn one_reply_is_asked_for_after_all_results() {
    let mut line = ready();
    calls(&mut line, "r1", &["call_1", "call_2"]);
    insta::assert_snapshot!(
        line.frames(Command::Results(&[sunny("call_1"), unapproved("call_2")]))
    );
}

#[test]
fn results_that_come_one_by_one_are_answered_with_the_last() {
    let mut line = ready();
    calls(&mut line, "r1", &["call_1", "call_2"]);
    assert!(!line.frames(Command::Results(&[sunny("call_2")])).contains("response.create"));
    assert!(line.frames(Command::Results(&[sunny("call_1")])).contains("response.create"));
}

#[test]
fn a_slow_call_does_not_hold_up_the_reply_to_others() {
    let mut line = ready();
    calls(&mut line, "r1", &["slow"]);
    calls(&mut line, "r2", &["quick"]);
    assert!(line.frames(Command::Results(&[sunny("quick")])).contains("response.create"));
}

#[test]
fn a_reply_waits_for_the_response_that_runs() {
    let mut line = ready();
    calls(&mut line, "r1", &["call_1"]);
    line.receive(created("r2", ""));
    assert!(!line.frames(Command::Results(&[sunny("call_1")])).contains("response.create"));
    let effects = line.receive(done("r2", COMPLETED));
    assert!(frames(&effects).contains("response.create"));
    assert!(!effects.events.contains(&ProviderEvent::TurnComplete(TurnEnd::Finished)));
}

#[test]
fn a_result_of_another_connection_is_told_in_words() {
    insta::assert_snapshot!(ready().frames(Command::Results(&[sunny("call_of_old")])));
}

#[test]
fn a_second_answer_after_an_approval_is_told_in_words() {
    let mut line = ready();
    calls(&mut line, "r1", &["call_1"]);
    line.command(Command::Results(&[unapproved("call_1")]));
    line.receive(created("r2", "reply"));
    line.receive(done("r2", COMPLETED));
    let sent = line.frames(Command::LateResult(&sunny("call_1")));
    assert!(sent.contains(r#""role":"system""#) && sent.contains("response.create"), "{sent}");
}

#[test]
fn a_result_that_is_refused_says_whose_it_was() {
    let mut line = ready();
    calls(&mut line, "r1", &["call_1"]);
    let sent = line.frames(Command::Results(&[sunny("call_1")]));
    let event: serde_json::Value = serde_json::from_str(sent.lines().next().unwrap()).unwrap();
    let events = line.events(error("invalid_value", event["event_id"].as_str().unwrap()));
    let about = FaultSubject::Result(CallId::new("call_1").unwrap());
    assert_eq!(fault(&events), (Severity::Ignore, about));
}

#[test]
fn a_reply_that_races_another_is_asked_for_again() {
    let mut line = ready();
    calls(&mut line, "r1", &["call_1"]);
    let sent = line.frames(Command::Results(&[sunny("call_1")]));
    let ask: serde_json::Value = serde_json::from_str(sent.lines().last().unwrap()).unwrap();
    assert_eq!(ask["type"], "response.create");
    line.receive(created("r2", ""));
    let refusal =
        error("conversation_already_has_active_response", ask["event_id"].as_str().unwrap());
    assert_eq!(fault(&line.events(refusal)), (Severity::Ignore, FaultSubject::Reply));
    assert!(frames(&line.receive(done("r2", COMPLETED))).contains("response.create"));
}

#[test]
fn a_reply_that_fails_is_asked_for_once_more() {
    let failed = r#""status":"failed","status_details":{"error":{"type":"server_error","code":null,"message":"oops"}}"#;
    let mut line = ready();
    line.receive(created("r1", ""));
    let effects = line.receive(done("r1", failed));
    assert!(frames(&effects).contains("response.create"));
    assert_eq!(fault(&effects.events), (Severity::Ignore, FaultSubject::Reply));
    line.receive(created("r2", "reply"));
    let effects = line.receive(done("r2", failed));
    assert_eq!(frames(&effects), "");
    let end = ProviderEvent::TurnComplete(TurnEnd::Stopped("server_error".into()));
    assert_eq!(effects.events.last(), Some(&end));
}

#[test]
fn a_reply_that_is_refused_ends_the_turn() {
    let mut line = ready();
    let sent = frames(&line.command(Command::Text("hi")));
    let ask: serde_json::Value = serde_json::from_str(sent.lines().last().unwrap()).unwrap();
    let events = line.events(error("rate_limit_exceeded", ask["event_id"].as_str().unwrap()));
    let end = ProviderEvent::TurnComplete(TurnEnd::Stopped("rate_limit_exceeded".into()));
    assert_eq!(events.last(), Some(&end));
    assert!(frames(&line.command(Command::Text("again"))).contains("response.create"));
}
