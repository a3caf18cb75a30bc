//! A restart in the middle of a turn decides nothing differently: budgets and loops go on.

use std::sync::Arc;

use aileron_contract::{ErrorType, Mode, ToolCall};
use aileron_orchestrator::{Conversation, Input};
use aileron_runtime::{Native, ToolError};
use aileron_store::{MemoryStore, Store};
use serde_json::{Value, json};

use crate::ground::{ask, look};
use crate::stage::{Stage, ada, call, native, spec, words};

fn stage(store: Arc<dyn Store>) -> Stage {
    let find = look("find", json!({ "category": "retrieval" }));
    Stage::over(store, &[look("look", json!({})), find, ask("book"), failing()])
}

fn failing() -> (Value, Native) {
    let run = native("fail", |_, _| {
        Box::pin(async { Err(ToolError::new(ErrorType::Permanent, "it is broken")) })
    });
    (spec("fail", json!({})), run)
}

/// What the calls of a turn are answered, each in a message of its own; with a restart before some.
async fn answered(mode: Mode, calls: &[ToolCall], restarts: &[usize]) -> Vec<&'static str> {
    let mut stage = stage(Arc::new(MemoryStore::new()));
    let mut conversation = stage.open_as("recalled", mode, ada()).await;
    conversation.begin_turn(Input::Written).await;
    let mut answers = Vec::new();
    for (at, call) in calls.iter().enumerate() {
        if restarts.contains(&at) {
            stage = self::stage(stage.store);
            conversation = stage.open_as("recalled", mode, ada()).await;
        }
        answers.extend(one(&conversation, call).await);
    }
    answers
}

async fn one(conversation: &Conversation, call: &ToolCall) -> Vec<&'static str> {
    words(&conversation.call(vec![call.clone()]).await)
}

async fn check(mode: Mode, calls: &[ToolCall], expected: &[&str]) {
    assert_eq!(answered(mode, calls, &[]).await, expected);
    for at in 1..calls.len() {
        assert_eq!(answered(mode, calls, &[at]).await, expected, "restarted before call {at}");
    }
    let everywhere: Vec<_> = (1..calls.len()).collect();
    assert_eq!(answered(mode, calls, &everywhere).await, expected, "restarted before every call");
}

fn numbered(tool: &str, args: &[Value]) -> Vec<ToolCall> {
    let call = |(n, args): (usize, &Value)| call(&format!("call-{tool}-{n}"), tool, args.clone());
    args.iter().enumerate().map(call).collect()
}

#[tokio::test]
async fn questions_and_refused_questions_count_as_they_did() {
    let mut calls = numbered("book", &[json!({ "n": 1 }), json!({ "n": 2 })]);
    calls.extend(numbered("look", &[json!({}), json!({ "n": 2 })]));
    // The second is refused while the first is asked about, and counts.
    let asked = "CONFIRMATION_REQUIRED";
    check(Mode::Voice, &calls, &[asked, asked, "ok", "BUDGET_EXCEEDED"]).await;
}

#[tokio::test]
async fn arguments_that_did_not_fit_are_remembered() {
    let wrong = json!({ "n": "many" });
    let calls = numbered("look", &[wrong.clone(), wrong.clone(), wrong]);
    check(Mode::Text, &calls, &["VALIDATION", "VALIDATION", "LOOP_DETECTED"]).await;
}

#[tokio::test]
async fn the_same_error_is_remembered() {
    let calls = numbered("fail", &[json!({ "n": 1 }), json!({ "n": 2 }), json!({ "n": 3 })]);
    check(Mode::Text, &calls, &["PERMANENT", "PERMANENT", "LOOP_DETECTED"]).await;
}

#[tokio::test]
async fn repeats_under_ids_that_say_nothing_are_remembered() {
    let calls = ["c1", "c2", "c2", "c3", "c1"].map(|id| call(id, "find", json!({ "n": 7 })));
    check(Mode::Text, &calls, &["ok", "ok", "ok", "LOOP_DETECTED", "ok"]).await;
}

#[tokio::test]
async fn budgets_go_on() {
    let calls = numbered("find", &[1, 2, 3, 4].map(|n| json!({ "n": n })));
    check(Mode::Voice, &calls, &["ok", "ok", "BUDGET_EXCEEDED", "BUDGET_EXCEEDED"]).await;
}
