//! A restart in the middle of a turn changes no decision: budgets and loop detection continue.

use std::sync::Arc;

use aileron_capability::{Clock, Native, ToolError};
use aileron_contract::spec::SideEffects;
use aileron_contract::{CallId, ErrorType, Mode, Outcome, ToolCall, ToolResponse};
use aileron_orchestrator::{Conversation, TurnInput};
use aileron_store::{CallScope, CallStart, Lease, MemoryStore, Store, ToolStamp};
use serde_json::{Value, json};

use crate::ground::{ask, look};
use crate::stage::{Stage, ada, call, native, spec, word, words};

fn stage(store: Arc<dyn Store>) -> Stage {
    let find = look("find", json!({ "category": "retrieval" }));
    Stage::over(store, &[look("look", json!({})), find, ask("book"), failing(), sending()])
}

fn failing() -> (Value, Native) {
    let run = native("fail", |_, _| {
        Box::pin(async { Err(ToolError::new(ErrorType::Permanent, "it is broken")) })
    });
    (spec("fail", json!({})), run)
}

/// Sends something, and fails with an error that is retryable by type although the call must not be
/// repeated.
fn sending() -> (Value, Native) {
    let run = native("send", |args, _| {
        let error = ToolError::new(ErrorType::Transient, "sent, and no answer came");
        let may_retry = args["n"] == 7;
        Box::pin(async move { Err(error.retryable(may_retry).with_partial_side_effects()) })
    });
    (spec("send", json!({ "sideEffects": "writes", "idempotent": false })), run)
}

/// The answers to the calls of a turn, each in a separate message; with a restart before some.
async fn answered(mode: Mode, calls: &[ToolCall], restarts: &[usize]) -> Vec<&'static str> {
    let mut stage = stage(Arc::new(MemoryStore::new()));
    let mut conversation = stage.open_as("recalled", mode, ada()).await;
    conversation.begin_turn(TurnInput::Written).await.unwrap();
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
    let answers = conversation.call(vec![call.clone()]).await;
    let told = |answer: &Arc<ToolResponse>| match answer.meta().replayed {
        true => "again",
        false => word(answer),
    };
    answers.iter().map(told).collect()
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
    // The second is refused while the first waits for confirmation, and counts.
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
    check(Mode::Text, &calls, &["ok", "again", "again", "LOOP_DETECTED", "again"]).await;
}

#[tokio::test]
async fn a_failed_write_is_not_made_again_under_an_id_that_says_nothing() {
    let sent = |ids: [&str; 5], n: u32| ids.map(|id| call(id, "send", json!({ "n": n })));
    // It is not retryable: another id is the same call.
    let once = ["TRANSIENT", "again", "again", "again", "LOOP_DETECTED"];
    check(Mode::Text, &sent(["c1", "c1", "c2", "c2", "c3"], 1), &once).await;
    // It is retryable: another id is another attempt, and both keep their answers.
    let twice = ["TRANSIENT", "again", "TRANSIENT", "again", "again"];
    check(Mode::Text, &sent(["c1", "c1", "c2", "c2", "c1"], 7), &twice).await;
}

#[tokio::test]
async fn what_waited_for_a_call_that_failed_is_not_made_in_its_place() {
    let ids = ["c1", "c2"].map(|id| call(id, "send", json!({ "n": 7 })));
    for restarts in [false, true] {
        let mut stage = stage(Arc::new(MemoryStore::new()));
        let mut conversation = stage.open_as("recalled", Mode::Text, ada()).await;
        conversation.begin_turn(TurnInput::Written).await.unwrap();
        let answers = conversation.call(ids.to_vec()).await;
        assert_eq!(words(&answers), ["TRANSIENT", "TRANSIENT"]);
        assert!(answers[1].meta().replayed, "the second asks for the same");
        if restarts {
            stage = self::stage(stage.store);
            conversation = stage.open_as("recalled", Mode::Text, ada()).await;
        }
        for call in &ids {
            assert_eq!(one(&conversation, call).await, ["again"], "{}", call.call_id);
        }
        assert_eq!(stage.records(), ["c1 completed", "c2 replayed"]);
    }
}

#[tokio::test]
async fn budgets_go_on() {
    let calls = numbered("find", &[1, 2, 3, 4].map(|n| json!({ "n": n })));
    check(Mode::Voice, &calls, &["ok", "ok", "BUDGET_EXCEEDED", "BUDGET_EXCEEDED"]).await;
}

/// The refusal of a third identical call after two whose records have this outcome.
async fn third_after(outcome: Outcome) -> &'static str {
    let first = stage(Arc::new(MemoryStore::new()));
    let conversation = first.open_as("recalled", Mode::Text, ada()).await;
    conversation.begin_turn(TurnInput::Written).await.unwrap();
    let answer = conversation.call(vec![call("call-fail-1", "fail", json!({}))]).await.remove(0);
    for n in [1, 2] {
        let start = CallStart {
            scope: Arc::new(CallScope {
                conversation: conversation.id().clone(),
                user: ada().id,
                mode: Mode::Text,
                registry_version: conversation.registry().version().to_owned(),
                lease: Lease::unowned(),
            }),
            tool: Arc::new(ToolStamp {
                id: "look".to_owned(),
                version: Some("1.0.0".to_owned()),
                category: None,
                side_effects: SideEffects::ReadOnly,
                redact: Vec::new(),
            }),
            turn: 1,
            call_id: CallId::new(format!("call-died-{n}")).unwrap(),
            key: format!("call-died-{n}").into(),
            args: Arc::new(json!({ "n": 1 })),
            given: None,
            time: first.clock.now_ms(),
            trail: Vec::new(),
        };
        first
            .store
            .record_refusal(Arc::new(start), outcome.clone(), answer.clone())
            .wait()
            .unwrap();
    }
    let second = stage(first.store);
    let conversation = second.open_as("recalled", Mode::Text, ada()).await;
    one(&conversation, &call("call-look-3", "look", json!({ "n": 1 }))).await[0]
}

/// Its process died each time without an answer, so the model did not repeat itself.
#[tokio::test]
async fn a_read_that_was_killed_twice_is_no_loop() {
    assert_eq!(third_after(Outcome::ProcessDied).await, "ok");
    assert_eq!(third_after(Outcome::Completed).await, "LOOP_DETECTED");
}
