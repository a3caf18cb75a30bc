//! The form of an answer for the model.

use aileron_contract::ErrorType;

use super::*;
use crate::samples::{failure as failed, success, sunny, unapproved};

fn view(result: &CallResult) -> String {
    model_view(&result.response).to_string()
}

#[test]
fn a_result_is_wrapped_whatever_its_kind() {
    assert_eq!(view(&success("c", json!([1]))), r#"{"output":[1]}"#);
    assert_eq!(view(&success("c", json!("text"))), r#"{"output":"text"}"#);
}

#[test]
fn an_empty_result_says_that_the_call_was_done() {
    for data in [json!(null), json!({})] {
        assert_eq!(view(&success("c", data)), r#"{"output":{"status":"done"}}"#);
    }
    assert_eq!(view(&success("c", json!([]))), r#"{"output":[]}"#);
}

#[test]
fn a_failure_says_what_to_do_and_keeps_the_token_to_itself() {
    insta::assert_snapshot!(view(&unapproved("c")), @r#"{"error":{"awaitingApprovalOf":"Create \"Tea\" with 2 people","code":"CONFIRMATION_REQUIRED","message":"The person must approve this first. Ask, and wait for the answer.","retryable":false}}"#);
}

#[test]
fn a_failure_with_details_shows_them() {
    let mut error = Failure::new(ErrorType::Transient, "no answer from the calendar");
    error.partial_side_effects = true;
    error.suggestion = Some("look before you try again".into());
    error.details = Some(json!({ "tried": 2 }));
    insta::assert_snapshot!(view(&failed("c", error)));
}

#[test]
fn a_late_result_says_whose_it_is() {
    insta::assert_snapshot!(late_text(&sunny("fc-1")));
}
