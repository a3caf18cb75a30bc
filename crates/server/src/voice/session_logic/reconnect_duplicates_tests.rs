//! Calls that are made again over another connection.

use aileron_contract::ErrorType;
use serde_json::json;

use super::*;
use crate::voice::samples::{call, failure, id, registry, result};

fn ids(sorted: &DedupedCalls) -> (Vec<&str>, Vec<&str>) {
    let calls = sorted.calls.iter().map(|call| call.call_id.as_str()).collect();
    (calls, sorted.answers.iter().map(|answer| answer.call_id.as_str()).collect())
}

#[test]
fn the_same_call_over_one_connection_is_not_ours_to_judge() {
    let (mut repeats, registry) = (ReconnectDuplicates::default(), registry());
    repeats.sort(vec![call("first", "send", json!({}))], &registry);
    repeats.answered(&result("first", json!(1)));
    let again = repeats.sort(vec![call("second", "send", json!({}))], &registry);
    assert_eq!(ids(&again), (vec!["second"], vec![]));
}

#[test]
fn a_call_that_was_answered_before_the_drop_gets_the_same_answer() {
    let (mut repeats, registry) = (ReconnectDuplicates::default(), registry());
    repeats.sort(vec![call("first", "send", json!({ "n": 1 }))], &registry);
    assert_eq!(repeats.answered(&result("first", json!(7))), []);
    repeats.reconnected();
    // Defaults are filled in before calls are compared.
    let again = repeats.sort(vec![call("second", "send", json!({}))], &registry);
    assert_eq!(ids(&again), (vec![], vec!["second"]));
    let answer = &again.answers[0].response;
    assert!(answer.meta().replayed && answer.meta().call_id == id("second"));
}

#[test]
fn a_call_that_still_runs_is_waited_for_and_not_made_again() {
    let (mut repeats, registry) = (ReconnectDuplicates::default(), registry());
    repeats.sort(vec![call("first", "send", json!({}))], &registry);
    repeats.reconnected();
    let again = repeats.sort(vec![call("second", "send", json!({}))], &registry);
    assert_eq!(ids(&again), (vec![], vec![]));
    let more = repeats.answered(&result("first", json!(7)));
    assert_eq!(more.iter().map(|one| one.call_id.as_str()).collect::<Vec<_>>(), ["second"]);
    assert_eq!(repeats.answered(&result("first", json!(7))), []);
}

#[test]
fn another_tool_and_other_arguments_are_other_calls() {
    let (mut repeats, registry) = (ReconnectDuplicates::default(), registry());
    repeats.sort(vec![call("first", "send", json!({}))], &registry);
    repeats.reconnected();
    let others = vec![call("a", "send", json!({ "n": 2 })), call("b", "other", json!({}))];
    let sorted = repeats.sort(others, &registry);
    assert_eq!(ids(&sorted), (vec!["a", "b"], vec![]));
}

#[test]
fn once_the_model_knows_the_answer_the_same_call_is_another() {
    let (mut repeats, registry) = (ReconnectDuplicates::default(), registry());
    repeats.sort(vec![call("first", "send", json!({}))], &registry);
    repeats.settled();
    repeats.answered(&result("first", json!(7)));
    repeats.settled();
    repeats.reconnected();
    let sorted = repeats.sort(vec![call("second", "send", json!({}))], &registry);
    assert_eq!(ids(&sorted), (vec!["second"], vec![]));
}

#[test]
fn a_late_answer_takes_the_place_of_the_first() {
    let (mut repeats, registry) = (ReconnectDuplicates::default(), registry());
    repeats.sort(vec![call("first", "send", json!({}))], &registry);
    let asked = failure("first", ErrorType::ConfirmationRequired);
    repeats.answered(&CallResult { call_id: id("first"), response: asked });
    repeats.answered(&result("first", json!("sent")));
    repeats.reconnected();
    let again = repeats.sort(vec![call("second", "send", json!({}))], &registry);
    assert_eq!(again.answers[0].response.failure(), None);
}

#[test]
fn what_is_remembered_is_bounded() {
    let (mut repeats, registry) = (ReconnectDuplicates::default(), registry());
    for n in 0..1000 {
        repeats.sort(vec![call(&format!("call-{n}"), "send", json!({ "n": n }))], &registry);
    }
    assert_eq!(repeats.made.len(), MOST);
}
