//! Differences between a line of a script and an answer, and the messages that report them.

use aileron_capability::Success;
use aileron_capability::envelope::{ResponseMeta, failed, replayed, succeeded};
use aileron_contract::envelope::Failure;
use aileron_contract::{CallId, ErrorType};

use super::*;

fn stamp(call_id: &CallId) -> ResponseMeta<'_> {
    ResponseMeta {
        tool_id: "tool",
        tool_version: None,
        registry_version: "1.0.0",
        call_id,
        duration_ms: 0,
        attempts: 2,
        clamped: Vec::new(),
        over_budget: false,
    }
}

fn fine() -> ToolResponse {
    let success = Success { data: json!({ "n": 1, "more": true }), intents: Vec::new() };
    succeeded(success, stamp(&CallId::new("call").unwrap()), 1000)
}

fn refused() -> ToolResponse {
    let failure = Failure::new(ErrorType::Auth, "not yours");
    failed(failure, stamp(&CallId::new("call").unwrap()))
}

fn expected(word: &str) -> ExpectedResult {
    ExpectedResult { line: 7, word: word.to_owned(), ..ExpectedResult::default() }
}

fn check(expected: &ExpectedResult, found: &ToolResponse, fault: Option<&str>) {
    let result = answer(expected, found, Some("refused:permission"));
    match (result, fault) {
        (Ok(()), None) => {}
        (Err(found), Some(text)) => {
            assert_eq!(found.line, 7);
            assert!(found.found.contains(text), "{found:?}");
        }
        (result, _) => panic!("{result:?}, expected {fault:?}"),
    }
}

#[test]
fn the_word_tells_success_from_each_error() {
    check(&expected("ok"), &fine(), None);
    check(&expected("AUTH"), &refused(), None);
    check(&expected("ok"), &refused(), Some("not yours"));
    check(&expected("DENIED"), &refused(), Some("AUTH"));
}

#[test]
fn a_replay_is_expected_or_a_fault() {
    let again = ExpectedResult { again: true, ..expected("ok") };
    let replay = replayed(&fine(), &CallId::new("call").unwrap());
    check(&again, &replay, None);
    check(&again, &fine(), Some("of its own"));
    check(&expected("ok"), &replay, Some("given again"));
}

#[test]
fn the_policy_stands_in_the_record() {
    let by = |policy: &str| ExpectedResult { by: Some(policy.to_owned()), ..expected("AUTH") };
    check(&by("permission"), &refused(), None);
    check(&by("mode"), &refused(), Some("refused:permission"));
}

#[test]
fn parts_of_data_error_message_and_meta_are_matched() {
    let part = |value| ExpectedResult { part: Some(value), ..expected("ok") };
    check(&part(json!({ "n": 1 })), &fine(), None);
    check(&part(json!({ "n": 2 })), &fine(), Some("/data/n"));
    let says = |text: &str| ExpectedResult { says: vec![text.to_owned()], ..expected("AUTH") };
    check(&says("yours"), &refused(), None);
    check(&says("mine"), &refused(), Some("does not say"));
    let meta = |value| ExpectedResult { meta: Some(value), ..expected("ok") };
    check(&meta(json!({ "attempts": 2, "truncated": null })), &fine(), None);
    check(&meta(json!({ "attempts": 3 })), &fine(), Some("meta.attempts is 2"));
}
