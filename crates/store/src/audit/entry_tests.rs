//! Which values a record contains and which it leaves out.

use std::sync::Arc;

use aileron_contract::ErrorType;

use super::*;
use crate::call::ToolStamp;
use crate::sample;

fn hiding(pointer: &str, args: Value) -> CallStart {
    let call = sample::call("c", "k", sample::READS, 1);
    let tool = ToolStamp { redact: vec![pointer.to_owned()], ..(*call.tool).clone() };
    CallStart { tool: Arc::new(tool), args: Arc::new(args), ..(*call).clone() }
}

#[test]
fn what_the_tool_hides_is_in_neither_args_nor_result() {
    let call = hiding("/mail", json!({"mail": "ada@x.org", "n": 1}));
    let answer = sample::success(&call, json!({"mail": ["ada@x.org"], "sent": true}));
    let entry = entry(&call, Outcome::Completed, &answer);
    assert_eq!(entry.args, json!({"mail": "[redacted]", "n": 1}));
    assert_eq!(entry.result, Some(json!({"mail": "[redacted]", "sent": true})));
}

#[test]
fn a_message_of_a_tool_that_hides_something_is_left_out() {
    let hidden = hiding("/mail", json!({"mail": "ada@x.org"}));
    let open =
        CallStart { tool: sample::call("c", "k", sample::READS, 1).tool.clone(), ..hidden.clone() };
    let answer = sample::failure(&hidden, ErrorType::Conflict, "ada@x.org is busy");
    let entry_of = |call| entry(call, Outcome::Completed, &answer);
    assert_eq!(entry_of(&hidden).result, None);
    assert_eq!(entry_of(&open).result, Some(json!({"message": "ada@x.org is busy"})));
    assert_eq!(entry_of(&hidden).error, Some(ErrorType::Conflict));
}

#[test]
fn whether_to_try_again_is_recorded_where_the_error_does_not_say_it() {
    let call = hiding("/mail", json!({"mail": "ada@x.org"}));
    let retryable = |retryable| {
        let mut answer = sample::failure(&call, ErrorType::Transient, "the line is dead");
        if let ToolResponse::Failure { error, .. } = Arc::make_mut(&mut answer) {
            error.retryable = retryable;
        }
        entry(&call, Outcome::Completed, &answer).retryable
    };
    assert_eq!((retryable(true), retryable(false)), (None, Some(false)));
}

#[test]
fn large_results_leave_their_size() {
    let call = sample::call("c", "k", sample::READS, 1);
    let answer = sample::success(&call, json!("x".repeat(5000)));
    let entry = entry(&call, Outcome::Completed, &answer);
    assert_eq!((entry.result, entry.result_bytes), (None, Some(5002)));
}

#[test]
fn large_arguments_leave_their_size() {
    let call = hiding("/none", json!({"text": "x".repeat(20_000)}));
    assert_eq!(unfinished(&call, Outcome::ProcessDied).args, json!("[left out: 20011 bytes]"));
}
