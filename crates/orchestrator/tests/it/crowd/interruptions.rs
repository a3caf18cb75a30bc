//! Calls that are cancelled while they run, wait or end.

use aileron_capability::{Native, ToolError, success};
use aileron_contract::{CallId, ErrorType, Mode, TaskStatus, ToolResponse};
use aileron_orchestrator::Conversation;
use serde_json::{Value, json};
use tokio::task::JoinHandle;

use super::begun;
use crate::ground::{Ground, act, wait};
use crate::stage::{Stage, call, native, spec, word, words};

fn spawned(
    conversation: &Conversation,
    ids: &[&str],
) -> JoinHandle<Vec<std::sync::Arc<ToolResponse>>> {
    let calls = ids.iter().map(|id| call(id, "work", json!({ "n": id.len() }))).collect();
    let conversation = conversation.clone();
    tokio::spawn(async move { conversation.call(calls).await })
}

#[tokio::test]
async fn a_write_that_was_stopped_may_have_had_effects() {
    let stage = Stage::new(&[wait("work", json!({ "onInterrupt": "cancel" }))]);
    let conversation = begun(&stage, "stopped", Mode::Voice).await;
    let running = spawned(&conversation, &["call-00001"]);
    Ground::of("stopped").arrival().await;
    conversation.cancel(&[CallId::new("call-00001").unwrap()]);
    let answers = running.await.unwrap();
    let failure = answers[0].failure().unwrap();
    assert_eq!((failure.kind, failure.partial_side_effects), (ErrorType::Cancelled, true));
    assert_eq!(stage.records(), ["call-00001 cancelled"]);
}

#[tokio::test]
async fn a_write_that_had_not_begun_has_no_effects() {
    let stage = Stage::new(&[wait("work", json!({}))]);
    let conversation = begun(&stage, "queued", Mode::Voice).await;
    let ground = Ground::of("queued");
    let running = spawned(&conversation, &["call-00001", "call-000002"]);
    ground.arrival().await;
    conversation.interrupt();
    ground.open_gate(2);
    let answers = running.await.unwrap();
    assert_eq!(words(&answers), ["ok", "CANCELLED"]);
    assert!(!answers[1].failure().unwrap().partial_side_effects);
    assert_eq!(ground.effects(), ["call-00001"]);
    assert_eq!(stage.records(), ["call-00001 completed", "call-000002 cancelled"]);
}

#[tokio::test]
async fn a_detached_write_becomes_a_task_whose_result_follows() {
    let stage = Stage::new(&[wait("work", json!({ "onInterrupt": "detach" }))]);
    let conversation = begun(&stage, "detached", Mode::Voice).await;
    let ground = Ground::of("detached");
    let running = spawned(&conversation, &["call-00001"]);
    ground.arrival().await;
    conversation.interrupt();
    let detached = running.await.unwrap();
    let task = detached[0].meta().task.clone().unwrap();
    assert_eq!((word(&detached[0]), task.status), ("ok", TaskStatus::Running));
    assert!(stage.records().is_empty());
    ground.open_gate(1);
    let again = spawned(&conversation, &["call-00001"]).await.unwrap();
    assert_eq!((word(&again[0]), ground.effects().len()), ("ok", 1));
    assert_eq!(again[0].meta().task.as_ref().unwrap().status, TaskStatus::Completed);
    assert_eq!(stage.records(), ["call-00001 completed"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_cancellation_that_meets_the_end_leaves_one_answer_and_one_record() {
    let stage = Stage::new(&[act("work", json!({ "onInterrupt": "cancel" }))]);
    for n in 0..200 {
        let name = format!("met-{n}");
        let conversation = begun(&stage, &name, Mode::Voice).await;
        let running = spawned(&conversation, &["call-00001"]);
        tokio::task::yield_now().await;
        conversation.interrupt();
        let answers = running.await.unwrap();
        let again = spawned(&conversation, &["call-00001"]).await.unwrap();
        assert_eq!(word(&answers[0]), word(&again[0]));
        let ran = Ground::of(&name).effects().len();
        assert!(if word(&answers[0]) == "ok" { ran == 1 } else { ran <= 1 });
    }
    assert_eq!(stage.records().len(), 200);
}

fn flaky() -> (Value, Native) {
    let run = native("work", |_, context| {
        Box::pin(async move {
            Ground::of(context.caller().conversation.as_str()).arrived.add_permits(1);
            Err(ToolError::new(ErrorType::Transient, "not now"))
        })
    });
    (spec("work", json!({})), run)
}

#[tokio::test]
async fn a_call_that_was_taken_back_is_not_tried_again() {
    let stage = Stage::new(&[flaky()]);
    let conversation = begun(&stage, "backoff", Mode::Text).await;
    let ground = Ground::of("backoff");
    let running = spawned(&conversation, &["call-00001"]);
    ground.arrival().await;
    conversation.interrupt();
    let answers = running.await.unwrap();
    assert_eq!(answers[0].meta().attempts, 1);
    assert_eq!(ground.arrived.available_permits(), 0);
    assert_eq!(stage.records(), ["call-00001 completed"]);
}

/// A read that waits at the gate.
fn peer() -> (Value, Native) {
    let run = native("peer", |args, context| {
        Box::pin(async move {
            let ground = Ground::of(context.caller().conversation.as_str());
            ground.arrived.add_permits(1);
            ground.gate.acquire().await.unwrap().forget();
            success((*args).clone())
        })
    });
    (spec("peer", json!({})), run)
}

/// A tool that needs two calls of another to finish.
fn digest(more: Value) -> (Value, Native) {
    let run = native("work", |_, context| {
        Box::pin(async move {
            for n in [1, 2] {
                let answer = context.call_tool("peer", json!({ "n": n })).await?;
                if let Some(failure) = answer.failure() {
                    return Err(ToolError::new(failure.kind, "the other call failed"));
                }
            }
            success(json!({}))
        })
    });
    let mut spec = spec("work", json!({ "sideEffects": "writes", "capabilities": ["tools"] }));
    spec.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    (spec, run)
}

/// The answer when the person interrupts a call that waits for a nested call, for which this many
/// gates are then opened.
async fn cut_inside(name: &str, more: Value, gates: usize) -> (Stage, &'static str) {
    let stage = Stage::new(&[digest(more), peer()]);
    let conversation = begun(&stage, name, Mode::Text).await;
    let ground = Ground::of(name);
    let running = spawned(&conversation, &["call-00001"]);
    ground.arrival().await;
    conversation.interrupt();
    ground.open_gate(gates);
    let told = word(&running.await.unwrap()[0]);
    stage.orchestrator.settled().await;
    (stage, told)
}

#[tokio::test]
async fn a_call_inside_of_one_that_goes_on_goes_on() {
    let (stage, told) = cut_inside("inside-goes-on", json!({}), 2).await;
    assert_eq!(told, "ok");
    let all = ["call-00001.1 completed", "call-00001.2 completed", "call-00001 completed"];
    assert_eq!(stage.records(), all);
}

#[tokio::test]
async fn a_call_inside_of_one_that_is_left_alone_goes_on() {
    let detached = json!({ "onInterrupt": "detach" });
    let (stage, told) = cut_inside("inside-detached", detached, 2).await;
    assert_eq!(told, "ok");
    let all = ["call-00001.1 completed", "call-00001.2 completed", "call-00001 completed"];
    assert_eq!(stage.records(), all);
}

#[tokio::test]
async fn a_call_inside_of_one_that_is_stopped_is_stopped() {
    let (stage, _) = cut_inside("inside-stopped", json!({ "onInterrupt": "cancel" }), 0).await;
    let records = stage.records();
    assert!(records.contains(&"call-00001.1 cancelled".to_owned()), "{records:?}");
    assert_eq!(records.len(), 2, "{records:?}");
}
