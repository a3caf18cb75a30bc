//! Exactly once, with concurrent callers, dropped callers, barge-in and a shared store.

mod batches;
mod faults;
mod interruptions;
mod limits;
mod questions;
mod stores;

use std::sync::Arc;

use aileron_capability::{Native, success};
use aileron_contract::{Mode, ToolResponse};
use aileron_orchestrator::{Conversation, TurnInput};
use futures_util::future::join_all;
use serde_json::{Value, json};
use tokio::sync::Barrier;

use crate::ground::{Ground, act, look, wait};
use crate::stage::{Stage, ada, call, native, spec, word, words};

/// A tool that calls another one twice at the same time.
fn both(tool: &'static str) -> (Value, Native) {
    let more = json!({ "sideEffects": "writes", "capabilities": ["tools"] });
    let run = native(tool, |_, context| {
        Box::pin(async move {
            let inner = [1, 2].map(|n| context.call_tool("note", json!({ "n": n })));
            let answers = join_all(inner).await;
            success(json!(answers.into_iter().collect::<Result<Vec<_>, _>>()?))
        })
    });
    (spec(tool, more), run)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn writes_inside_of_a_call_never_overlap_either() {
    let stage = Stage::new(&[act("note", json!({})), both("both")]);
    let conversation = begun(&stage, "crowd-nested", Mode::Text).await;
    let answers = conversation.call(vec![call("call-00001", "both", json!({}))]).await;
    assert_eq!(words(&answers), ["ok"]);
    let ground = Ground::of("crowd-nested");
    assert_eq!((ground.effects().len(), ground.overlaps()), (2, 0));
    assert_eq!(stage.records().len(), 3);
}

/// A tool that calls another one and does not wait for it.
fn careless() -> (Value, Native) {
    let run = native("careless", |_, context| {
        Box::pin(async move {
            let ground = Ground::of(context.caller().conversation.as_str());
            tokio::select! {
                biased;
                _ = context.call_tool("stare", json!({})) => {}
                () = ground.arrival() => {}
            }
            success(json!({}))
        })
    });
    (spec("careless", json!({ "capabilities": ["tools"] })), run)
}

/// A tool that never ends.
fn stare() -> (Value, Native) {
    let run = native("stare", |_, context| {
        Ground::of(context.caller().conversation.as_str()).arrived.add_permits(1);
        Box::pin(std::future::pending())
    });
    (spec("stare", json!({})), run)
}

#[tokio::test]
async fn a_call_inside_that_nobody_waits_for_is_recorded_at_once() {
    let stage = Stage::new(&[careless(), stare()]);
    let conversation = begun(&stage, "careless", Mode::Text).await;
    let answers = conversation.call(vec![call("call-00001", "careless", json!({}))]).await;
    assert_eq!(words(&answers), ["ok"]);
    assert_eq!(stage.records(), ["call-00001.1 cancelled", "call-00001 completed"]);
}

/// A conversation whose first turn has begun.
async fn begun(stage: &Stage, name: &str, mode: Mode) -> Conversation {
    let conversation = stage.open_as(name, mode, ada()).await;
    conversation.begin_turn(TurnInput::Written).await.unwrap();
    conversation
}

/// The same call from many concurrent tasks.
async fn delivered(
    conversation: &Conversation,
    id: &str,
    tool: &str,
    tasks: usize,
) -> Vec<Arc<ToolResponse>> {
    let barrier = Arc::new(Barrier::new(tasks));
    let tasks = (0..tasks).map(|_| {
        let (barrier, conversation) = (barrier.clone(), conversation.clone());
        let call = call(id, tool, json!({}));
        tokio::spawn(async move {
            barrier.wait().await;
            conversation.call(vec![call]).await.remove(0)
        })
    });
    join_all(tasks).await.into_iter().map(Result::unwrap).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_call_delivered_by_many_at_once_runs_once_and_all_get_its_answer() {
    let stage = Stage::new(&[act("note", json!({}))]);
    let conversation = begun(&stage, "crowd-same", Mode::Text).await;
    // A long id identifies the call; a short one does not, and then the arguments do.
    for (id, runs) in [("call-00001", 1), ("short", 2)] {
        let answers = delivered(&conversation, id, "note", 64).await;
        assert!(answers.iter().all(|answer| word(answer) == "ok"));
        assert_eq!(answers.iter().filter(|answer| !answer.meta().replayed).count(), 1);
        assert_eq!(Ground::of("crowd-same").effects().len(), runs);
    }
    assert_eq!(stage.records(), ["call-00001 completed", "short completed"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn conversations_with_the_same_call_ids_do_not_meet() {
    let stage = Stage::new(&[act("note", json!({}))]);
    let names: Vec<_> = (0..32).map(|n| format!("crowd-many-{n}")).collect();
    let stage = &stage;
    join_all(names.iter().map(|name| async move {
        let conversation = begun(stage, name, Mode::Text).await;
        let answers = delivered(&conversation, "call-00001", "note", 4).await;
        assert!(answers.iter().all(|answer| word(answer) == "ok"));
        assert_eq!(Ground::of(name).effects(), ["call-00001"]);
    }))
    .await;
    assert_eq!(stage.records().len(), names.len());
    stage.store.verify_audit().unwrap();
}

#[tokio::test]
async fn a_call_goes_on_when_its_caller_goes_away() {
    let stage = Stage::new(&[wait("work", json!({}))]);
    let conversation = begun(&stage, "crowd-dropped", Mode::Text).await;
    let ground = Ground::of("crowd-dropped");
    let caller = tokio::spawn({
        let conversation = conversation.clone();
        async move { conversation.call(vec![call("call-00001", "work", json!({}))]).await }
    });
    ground.arrival().await;
    caller.abort();
    assert!(caller.await.unwrap_err().is_cancelled());
    ground.open_gate(1);
    let again = conversation.call(vec![call("call-00001", "work", json!({}))]).await;
    assert_eq!((word(&again[0]), again[0].meta().replayed), ("ok", true));
    assert_eq!(ground.effects(), ["call-00001"]);
    assert_eq!(stage.records(), ["call-00001 completed"]);
}

#[tokio::test]
async fn an_approved_call_goes_on_when_the_person_goes_away() {
    let stage = Stage::new(&[wait("work", json!({ "requiresConfirmation": true }))]);
    let conversation = begun(&stage, "crowd-left", Mode::Text).await;
    let ground = Ground::of("crowd-left");
    let asked = conversation.call(vec![call("call-00001", "work", json!({}))]).await;
    let request = asked[0].failure().unwrap().confirmation_request.clone().unwrap();
    let person = tokio::spawn({
        let (conversation, token) = (conversation.clone(), request.token.clone());
        async move { conversation.confirm(&token, true, &ada()).await }
    });
    ground.arrival().await;
    person.abort();
    let _ = person.await;
    ground.open_gate(1);
    conversation.confirm(&request.token, true, &ada()).await.unwrap();
    assert_eq!(ground.effects().len(), 1);
    assert_eq!(stage.records().len(), 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn writes_of_many_messages_never_overlap() {
    let stage = Stage::new(&[act("note", json!({})), look("look", json!({}))]);
    let conversation = begun(&stage, "crowd-writes", Mode::Text).await;
    let messages = (0..5).map(|n| {
        let conversation = conversation.clone();
        let calls =
            ["note", "look"].map(|tool| call(&format!("call-{tool}-{n}"), tool, json!({ "n": n })));
        tokio::spawn(async move { conversation.call(calls.into()).await })
    });
    for answers in join_all(messages).await {
        assert_eq!(words(&answers.unwrap()), ["ok", "ok"]);
    }
    let ground = Ground::of("crowd-writes");
    assert_eq!((ground.effects().len(), ground.overlaps()), (5, 0));
}
