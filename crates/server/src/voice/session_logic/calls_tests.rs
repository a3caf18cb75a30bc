//! Duplicates of calls over another connection, fillers, and the results that the model waits for.

use aileron_contract::ErrorType;
use serde_json::json;

use super::*;
use crate::voice::samples::{call, failure, id, registry, result};

fn ids(deduped: &DedupedCalls) -> (Vec<&str>, Vec<&str>) {
    let calls = deduped.calls.iter().map(|call| call.call_id.as_str()).collect();
    (calls, deduped.results.iter().map(|result| result.call_id.as_str()).collect())
}

fn speech(filler: &str, after: Option<u64>) -> Speech {
    Speech { preamble: None, filler: Some(filler.to_owned()), filler_after_ms: after }
}

#[test]
fn the_same_call_over_one_connection_passes() {
    let (mut calls, registry) = (SessionCalls::default(), registry());
    calls.issue(vec![call("first", "send", json!({}))], &registry);
    calls.add_results(&[result("first", json!(1))]);
    let again = calls.issue(vec![call("second", "send", json!({}))], &registry);
    assert_eq!(ids(&again), (vec!["second"], vec![]));
}

#[test]
fn a_call_that_was_answered_before_the_drop_gets_the_same_result() {
    let (mut calls, registry) = (SessionCalls::default(), registry());
    calls.issue(vec![call("first", "send", json!({ "n": 1 }))], &registry);
    assert_eq!(calls.add_results(&[result("first", json!(7))]), []);
    calls.on_reconnected();
    // Defaults are filled in before calls are compared.
    let again = calls.issue(vec![call("second", "send", json!({}))], &registry);
    assert_eq!(ids(&again), (vec![], vec!["second"]));
    let result = &again.results[0].response;
    assert!(result.meta().replayed && result.meta().call_id == id("second"));
    assert!(!calls.has_open());
}

#[test]
fn a_duplicate_of_a_running_call_waits_for_its_result() {
    let (mut calls, registry) = (SessionCalls::default(), registry());
    calls.issue(vec![call("first", "send", json!({}))], &registry);
    calls.on_reconnected();
    let again = calls.issue(vec![call("second", "send", json!({}))], &registry);
    assert_eq!(ids(&again), (vec![], vec![]));
    let more = calls.add_results(&[result("first", json!(7))]);
    assert_eq!(more.iter().map(|one| one.call_id.as_str()).collect::<Vec<_>>(), ["second"]);
    assert_eq!(calls.add_results(&[result("first", json!(7))]), []);
}

#[test]
fn another_tool_and_other_arguments_are_other_calls() {
    let (mut calls, registry) = (SessionCalls::default(), registry());
    calls.issue(vec![call("first", "send", json!({}))], &registry);
    calls.on_reconnected();
    let others = vec![call("a", "send", json!({ "n": 2 })), call("b", "other", json!({}))];
    let deduped = calls.issue(others, &registry);
    assert_eq!(ids(&deduped), (vec!["a", "b"], vec![]));
}

#[test]
fn once_the_model_knows_the_result_the_same_call_is_another() {
    let (mut calls, registry) = (SessionCalls::default(), registry());
    calls.issue(vec![call("first", "send", json!({}))], &registry);
    calls.on_turn_completed();
    calls.add_results(&[result("first", json!(7))]);
    calls.on_turn_completed();
    calls.on_reconnected();
    let deduped = calls.issue(vec![call("second", "send", json!({}))], &registry);
    assert_eq!(ids(&deduped), (vec!["second"], vec![]));
}

#[test]
fn a_late_result_replaces_the_first() {
    let (mut calls, registry) = (SessionCalls::default(), registry());
    calls.issue(vec![call("first", "send", json!({}))], &registry);
    let asked = failure("first", ErrorType::ConfirmationRequired);
    calls.add_results(&[CallResult { call_id: id("first"), response: asked }]);
    calls.add_results(&[result("first", json!("sent"))]);
    calls.on_reconnected();
    let again = calls.issue(vec![call("second", "send", json!({}))], &registry);
    assert_eq!(again.results[0].response.failure(), None);
}

#[test]
fn entries_are_bounded_and_an_open_call_is_dropped_last() {
    let (mut calls, registry) = (SessionCalls::default(), registry());
    calls.issue(vec![call("open", "send", json!({}))], &registry);
    for n in 0..1000 {
        let (call_id, data) = (format!("call-{n}"), json!({ "n": n }));
        calls.issue(vec![call(&call_id, "send", data)], &registry);
        calls.add_results(&[result(&call_id, json!(n))]);
        calls.start(&id(&format!("nested-{n}")), "send", None, 0);
    }
    assert_eq!((calls.entries.len(), calls.open), (MAX_CALLS, 1));
    for n in 0..1000 {
        calls.issue(vec![call(&format!("more-{n}"), "send", json!({ "n": n }))], &registry);
    }
    assert_eq!((calls.entries.len(), calls.open), (MAX_CALLS, MAX_CALLS));
}

#[test]
fn an_issued_call_is_open_until_its_result_and_removed_after_the_turn() {
    let (mut calls, registry) = (SessionCalls::default(), registry());
    calls.issue(vec![call("first", "send", json!({}))], &registry);
    calls.start(&id("first"), "send", None, 0);
    calls.start(&id("nested"), "look", None, 0);
    assert_eq!(calls.running_tool(&id("nested")), Some("look"));
    calls.finish(&id("nested"));
    calls.finish(&id("first"));
    assert_eq!((calls.running_tool(&id("nested")), calls.has_open()), (None, true));
    calls.add_results(&[result("first", json!(7))]);
    assert!(!calls.has_open());
    calls.on_turn_completed();
    assert!(calls.entries.is_empty());
}

#[test]
fn an_answered_call_is_taken_once_and_its_duplicates_never() {
    let (mut calls, registry) = (SessionCalls::default(), registry());
    let first = call("first", "send", json!({ "n": 3 }));
    let open = call("open", "send", json!({ "n": 4 }));
    calls.issue(vec![first.clone(), open], &registry);
    calls.on_reconnected();
    // A connection may number its calls from the beginning.
    calls.issue(vec![call("first", "send", json!({ "n": 3 }))], &registry);
    assert_eq!(calls.take_answered(), []);
    let answer = result("first", json!(7));
    assert_eq!(calls.add_results(std::slice::from_ref(&answer)).len(), 1);
    assert_eq!(calls.take_answered(), [(first, answer.response)]);
    calls.issue(vec![call("first", "send", json!({ "n": 3 }))], &registry);
    assert_eq!(calls.take_answered(), []);
}

#[test]
fn an_id_that_another_connection_reuses_is_the_newer_calls() {
    let (mut calls, registry) = (SessionCalls::default(), registry());
    calls.issue(vec![call("c-1", "send", json!({ "n": 1 }))], &registry);
    calls.add_results(&[result("c-1", json!("one"))]);
    calls.on_reconnected();
    calls.issue(vec![call("c-1", "send", json!({ "n": 2 }))], &registry);
    calls.on_reconnected();
    calls.issue(vec![call("c-1", "send", json!({ "n": 3 }))], &registry);
    calls.add_results(&[result("c-1", json!("three"))]);
    assert!(!calls.has_open());
    calls.on_reconnected();
    let again = vec![call("a", "send", json!({ "n": 1 })), call("b", "send", json!({ "n": 3 }))];
    let data = |result: &CallResult| match &*result.response {
        ToolResponse::Success { data, .. } => data.clone(),
        ToolResponse::Failure { .. } => json!(null),
    };
    let deduped = calls.issue(again, &registry);
    assert_eq!(deduped.results.iter().map(data).collect::<Vec<_>>(), ["one", "three"]);
}

#[test]
fn a_filler_is_due_after_its_time() {
    let mut calls = SessionCalls::default();
    calls.start(&id("a"), "send", Some(&speech("One moment.", Some(300))), 1000);
    assert_eq!((calls.filler_due(), calls.take_due_filler(1299)), (Some(1300), None));
    assert_eq!(calls.take_due_filler(1300), Some("One moment.".into()));
    assert_eq!((calls.filler_due(), calls.take_due_filler(9999)), (None, None));
}

#[test]
fn a_call_that_was_quick_has_no_filler() {
    let mut calls = SessionCalls::default();
    calls.start(&id("a"), "send", Some(&speech("One moment.", None)), 0);
    assert_eq!(calls.filler_due(), Some(FILLER_AFTER_MS));
    calls.finish(&id("a"));
    assert_eq!((calls.filler_due(), calls.take_due_filler(9999)), (None, None));
}

#[test]
fn of_several_fillers_that_are_due_one_is_taken() {
    let mut calls = SessionCalls::default();
    calls.start(&id("a"), "send", Some(&speech("One.", None)), 0);
    calls.start(&id("b"), "send", Some(&speech("Two.", None)), 0);
    let taken = (calls.take_due_filler(1000), calls.take_due_filler(1000));
    assert_eq!(taken, (Some("One.".into()), None));
}

#[test]
fn a_tool_without_a_filler_has_none_due() {
    let mut calls = SessionCalls::default();
    calls.start(&id("a"), "send", Some(&Speech::default()), 0);
    assert_eq!(calls.filler_due(), None);
}
