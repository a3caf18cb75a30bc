//! Calls are reported once and answered once.

use serde_json::json;

use super::*;
use crate::samples::{cancelled, success, sunny};

fn report(calls: &mut CallTable, wire_id: Option<&str>, name: &str) -> Option<String> {
    let call = calls.report(wire_id, name, Arguments::default())?;
    Some(call.call_id.to_string())
}

fn native(id: &str) -> ResultRoute {
    ResultRoute::Native { wire_id: Some(id.into()), name: "get_weather".into() }
}

#[test]
fn a_call_that_comes_twice_is_reported_once() {
    let mut calls = CallTable::default();
    assert_eq!(report(&mut calls, Some("fc-1"), "a").unwrap(), "fc-1");
    assert_eq!(report(&mut calls, Some("fc-1"), "a"), None);
}

#[test]
fn another_call_under_an_id_that_is_taken_is_answered_too() {
    let mut calls = CallTable::default();
    report(&mut calls, Some("fc-1"), "get_weather");
    let other = Arguments::Value(json!({ "city": "Bern" }));
    let call = calls.report(Some("fc-1"), "get_weather", other.clone()).unwrap();
    assert_eq!(call.call_id.as_str(), "c-1");
    assert_eq!(calls.report(Some("fc-1"), "get_weather", other), None);
    assert_eq!(report(&mut calls, Some("fc-1"), "get_weather"), None);
    assert_eq!(calls.answer(&sunny("fc-1")), native("fc-1"));
    assert_eq!(calls.answer(&sunny("c-1")), native("fc-1"));
}

#[test]
fn a_call_without_a_usable_id_gets_one_and_is_answered_by_its_own() {
    let mut calls = CallTable::default();
    assert_eq!(report(&mut calls, None, "a").unwrap(), "c-1");
    assert_eq!(report(&mut calls, Some("confirmed-fc-1"), "z").unwrap(), "c-2");
    assert_eq!(report(&mut calls, Some("line\nbreak"), "b").unwrap(), "c-3");
    let route = calls.answer(&success("c-3", true.into()));
    assert_eq!(
        route,
        ResultRoute::Native { wire_id: Some("line\nbreak".into()), name: "b".into() }
    );
}

#[test]
fn the_first_answer_is_native_and_a_second_one_in_words() {
    let mut calls = CallTable::default();
    report(&mut calls, Some("fc-1"), "get_weather");
    assert_eq!(calls.answer(&sunny("fc-1")), native("fc-1"));
    assert_eq!(calls.answer(&sunny("fc-1")), ResultRoute::AsText);
}

#[test]
fn an_answer_to_an_unknown_call_is_told_in_words() {
    assert_eq!(CallTable::default().answer(&sunny("fc-1")), ResultRoute::AsText);
}

#[test]
fn a_call_that_was_taken_back_is_answered_only_if_it_did_something() {
    let mut calls = CallTable::default();
    for id in ["fc-1", "fc-2"] {
        report(&mut calls, Some(id), "get_weather");
        assert_eq!(calls.cancel(id).unwrap().as_str(), id);
    }
    assert_eq!(calls.answer(&cancelled("fc-1")), ResultRoute::Drop);
    assert_eq!(calls.answer(&sunny("fc-2")), ResultRoute::AsTextNoReply);
}

#[test]
fn an_answer_that_crossed_the_taking_back_of_its_call_is_told_for_the_record() {
    let mut calls = CallTable::default();
    report(&mut calls, Some("fc-1"), "get_weather");
    calls.answer(&sunny("fc-1"));
    assert_eq!(calls.cancel("fc-1").unwrap().as_str(), "fc-1");
    assert_eq!(calls.answer(&sunny("fc-1")), ResultRoute::AsTextNoReply);
}

#[test]
fn a_call_is_taken_back_once_and_only_if_it_is_known() {
    let mut calls = CallTable::default();
    report(&mut calls, Some("fc-1"), "get_weather");
    assert_eq!(calls.cancel("fc-1").unwrap().as_str(), "fc-1");
    assert_eq!(calls.cancel("fc-1"), None);
    assert_eq!(calls.cancel("fc-9"), None);
}

#[test]
fn memory_is_bounded_and_the_newest_calls_are_kept() {
    let mut calls = CallTable::default();
    for n in 0..1_000 {
        report(&mut calls, Some(&format!("fc-{n}")), "get_weather");
    }
    assert_eq!(calls.entries.len(), MAX_CALLS);
    assert_eq!(calls.answer(&sunny("fc-0")), ResultRoute::AsText);
    assert_eq!(calls.answer(&sunny("fc-999")), native("fc-999"));
}

#[test]
fn a_message_is_answered_when_all_its_calls_are() {
    let mut calls = CallTable::default();
    let ids = ["fc-1", "fc-2", "fc-3"].map(|id| CallId::new(id).unwrap());
    report(&mut calls, Some("fc-1"), "slow");
    calls.next_message();
    report(&mut calls, Some("fc-2"), "a");
    report(&mut calls, Some("fc-3"), "b");
    calls.answer(&sunny("fc-2"));
    assert!(!calls.message_is_answered(&ids[1]));
    calls.answer(&sunny("fc-3"));
    assert!(calls.message_is_answered(&ids[1]) && !calls.message_is_answered(&ids[0]));
}
