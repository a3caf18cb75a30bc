//! Tasks through the conversation's interface: first answers, results, cancellation, bounds, ends.

use std::sync::Arc;

use aileron_capability::{Native, success};
use aileron_contract::{ErrorType, Mode, TaskStatus, ToolResponse};
use aileron_orchestrator::state::EndReason;
use aileron_orchestrator::{CancelledTask, Config, Conversation, Resolution, TurnInput};
use aileron_store::{MemoryStore, TaskFilter};
use serde_json::{Value, json};

use crate::ground::{Ground, act, wait};
use crate::stage::{Stage, ada, call, native, spec, word};

fn background(more: Value) -> Value {
    let mut spec = json!({ "execution": "background", "timeoutMs": 86_400_000 });
    spec.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    spec
}

/// A write in the background that waits at the gate.
fn write() -> (Value, Native) {
    wait("work", background(json!({})))
}

/// A read in the background that waits at the gate and reports its progress.
fn read() -> (Value, Native) {
    let run = native("work", |args, context| {
        Box::pin(async move {
            let ground = Ground::of(context.caller().conversation.as_str());
            context.progress(json!({ "done": 0.5 }));
            ground.arrived.add_permits(1);
            ground.gate.acquire().await.unwrap().forget();
            success((*args).clone())
        })
    });
    (spec("work", background(json!({}))), run)
}

async fn begun(stage: &Stage, id: &str) -> Conversation {
    let conversation = stage.open_as(id, Mode::Text, ada()).await;
    conversation.begin_turn(TurnInput::Written).await.unwrap();
    conversation
}

async fn start(conversation: &Conversation, id: &str) -> Arc<ToolResponse> {
    let calls = vec![call(id, "work", json!({ "n": id.len() }))];
    conversation.call(calls).await.remove(0)
}

fn task_of(answer: &ToolResponse) -> (String, TaskStatus) {
    let task = answer.meta().task.as_ref().unwrap();
    (task.id.clone(), task.status)
}

#[tokio::test]
async fn a_background_call_is_answered_before_it_ends_and_told_once() {
    let stage = Stage::new(&[read()]);
    let conversation = begun(&stage, "told-once").await;
    let first = start(&conversation, "call-00001").await;
    let (id, status) = task_of(&first);
    assert_eq!(status, TaskStatus::Running);
    let ToolResponse::Success { data, .. } = &*first else { panic!("{first:?}") };
    assert_eq!((&data["taskId"], &data["status"]), (&json!(id), &json!("running")));
    let ground = Ground::of("told-once");
    ground.arrival().await;
    let listed = stage.orchestrator.task(&id).await.unwrap().unwrap();
    assert_eq!(listed.progress.as_deref(), Some(&json!({ "done": 0.5 })));
    assert!(stage.records().is_empty() && conversation.task_results().await.is_empty());
    ground.open_gate(1);
    let last = conversation.final_answer(first).await.unwrap();
    assert_eq!(task_of(&last), (id.clone(), TaskStatus::Completed));
    assert_eq!(stage.records(), ["call-00001 completed"]);
    stage.orchestrator.settled().await;
    let results = results_of(&conversation).await;
    assert_eq!(results.len(), 1);
    // Until the model has it, it is given again, also to another process.
    assert_eq!(results_of(&conversation).await.len(), 1);
    conversation.mark_told(results.iter().map(|answer| &**answer)).await.unwrap();
    assert!(results_of(&conversation).await.is_empty());
    assert!(stage.orchestrator.task(&id).await.unwrap().unwrap().ended.unwrap().told);
}

/// The results at the start of a turn. The end of a task is stored just after its call is settled.
async fn results_of(conversation: &Conversation) -> Vec<Arc<ToolResponse>> {
    tokio::task::yield_now().await;
    let begun = conversation.begin_turn(TurnInput::Written).await.unwrap();
    begun.task_results.into_iter().map(|late| late.answer).collect()
}

#[tokio::test]
async fn a_call_that_is_delivered_again_while_it_runs_names_the_same_task() {
    let stage = Stage::new(&[write()]);
    let conversation = begun(&stage, "same-task").await;
    let first = start(&conversation, "call-00001").await;
    let again = start(&conversation, "call-00001").await;
    assert_eq!((task_of(&again), again.meta().replayed), (task_of(&first), true));
    let ground = Ground::of("same-task");
    ground.arrival().await;
    ground.open_gate(1);
    conversation.final_answer(first).await.unwrap();
    assert_eq!(ground.effects(), ["call-00001"]);
}

#[tokio::test]
async fn a_barge_in_and_a_provider_do_not_stop_a_background_call() {
    let stage = Stage::new(&[read()]);
    let conversation = begun(&stage, "kept").await;
    let first = start(&conversation, "call-00001").await;
    Ground::of("kept").arrival().await;
    conversation.interrupt();
    conversation.cancel(&[first.meta().call_id.clone()]);
    Ground::of("kept").open_gate(1);
    assert_eq!(word(&conversation.final_answer(first).await.unwrap()), "ok");
}

#[tokio::test]
async fn a_cancelled_task_ends_as_cancelled_and_the_model_is_told() {
    let stage = Stage::new(&[write()]);
    let conversation = begun(&stage, "cancelled").await;
    let first = start(&conversation, "call-00001").await;
    let (id, _) = task_of(&first);
    Ground::of("cancelled").arrival().await;
    let cancelled = stage.orchestrator.cancel_task(&id).await.unwrap();
    assert_eq!(cancelled, CancelledTask::Requested);
    let last = conversation.final_answer(first).await.unwrap();
    let failure = last.failure().unwrap();
    assert_eq!((failure.kind, failure.partial_side_effects), (ErrorType::Cancelled, true));
    stage.orchestrator.settled().await;
    assert_eq!(results_of(&conversation).await, [last]);
    assert_eq!(stage.orchestrator.cancel_task(&id).await.unwrap(), CancelledTask::Ended);
    assert_eq!(stage.orchestrator.cancel_task("task_0").await.unwrap(), CancelledTask::Ended);
    assert_eq!(stage.records(), ["call-00001 cancelled"]);
}

#[tokio::test]
async fn a_write_in_the_background_lets_other_writes_pass() {
    let stage = Stage::new(&[write(), act("note", json!({}))]);
    let conversation = begun(&stage, "passing").await;
    let first = start(&conversation, "call-00001").await;
    Ground::of("passing").arrival().await;
    let note = conversation.call(vec![call("call-00002", "note", json!({ "n": 1 }))]).await;
    assert_eq!(word(&note[0]), "ok");
    Ground::of("passing").open_gate(1);
    conversation.final_answer(first).await.unwrap();
    assert_eq!(stage.records(), ["call-00002 completed", "call-00001 completed"]);
}

#[tokio::test]
async fn an_approved_background_call_is_told_under_the_id_of_the_model() {
    let tool = wait("work", background(json!({ "requiresConfirmation": true })));
    let stage = Stage::new(&[tool]);
    let conversation = begun(&stage, "approved").await;
    let asked = start(&conversation, "call-00001").await;
    let token = asked.failure().unwrap().confirmation_request.clone().unwrap().token;
    let resolution = conversation.confirm(&token, true, &ada()).await.unwrap();
    let Resolution::Approved(late) = resolution else { panic!("{resolution:?}") };
    assert_eq!(task_of(&late[0].answer).1, TaskStatus::Running);
    // Another channel learns the same at once, and does not wait for the end.
    let known = conversation.answered(&token).await.unwrap();
    assert_eq!(task_of(&known.answer), task_of(&late[0].answer));
    Ground::of("approved").arrival().await;
    Ground::of("approved").open_gate(1);
    conversation.final_answer(late[0].answer.clone()).await.unwrap();
    stage.orchestrator.settled().await;
    tokio::task::yield_now().await;
    let told = conversation.begin_turn(TurnInput::Written).await.unwrap().task_results;
    assert_eq!(told[0].call_id.as_str(), "call-00001");
    assert_eq!(Ground::of("approved").effects().len(), 1);
}

#[tokio::test]
async fn tasks_are_bounded_for_a_person_over_all_conversations() {
    let mut config = Config::default();
    config.tasks.per_person = 2;
    let stage = Stage::configured(Arc::new(MemoryStore::new()), &[read()], config);
    let (one, other) = (begun(&stage, "bound-1").await, begun(&stage, "bound-2").await);
    let first = start(&one, "call-00001").await;
    assert_eq!(word(&*start(&other, "call-00001").await), "ok");
    let refused = start(&other, "call-000002").await;
    assert_eq!(word(&refused), "RATE_LIMIT");
    Ground::of("bound-1").open_gate(1);
    one.final_answer(first).await.unwrap();
    // The place is given back when the call is settled.
    let later = loop {
        let answer = start(&other, "call-0000003").await;
        if word(&answer) == "ok" {
            break answer;
        }
        tokio::task::yield_now().await;
    };
    assert_eq!(task_of(&later).1, TaskStatus::Running);
    Ground::of("bound-2").open_gate(2);
}

#[tokio::test]
async fn the_end_of_a_conversation_cancels_its_reads_and_no_write() {
    let stage = Stage::new(&[read(), wait("copy", background(json!({})))]);
    let conversation = begun(&stage, "ended").await;
    let read = start(&conversation, "call-00001").await;
    let copy = conversation.call(vec![call("call-00002", "copy", json!({ "n": 1 }))]).await;
    let ground = Ground::of("ended");
    ground.arrival().await;
    ground.arrival().await;
    let id = conversation.id().clone();
    stage.orchestrator.end(&id, &ada(), EndReason::Person).await.unwrap().unwrap();
    let read = conversation.final_answer(read).await.unwrap();
    assert_eq!(word(&read), "CANCELLED");
    ground.open_gate(1);
    let copy = conversation.final_answer(copy[0].clone()).await.unwrap();
    assert_eq!(word(&copy), "ok");
    assert_eq!(stage.orchestrator.tasks(&TaskFilter::default(), None, 9).await.unwrap().len(), 2);
}

#[tokio::test]
async fn a_task_is_stopped_at_its_deadline_of_at_most_a_day() {
    let stage = Stage::new(&[wait("work", background(json!({ "timeoutMs": 90_000_000 })))]);
    let conversation = begun(&stage, "deadline").await;
    let first = start(&conversation, "call-00001").await;
    Ground::of("deadline").arrival().await;
    stage.clock.advance(86_400_000);
    let last = conversation.final_answer(first).await.unwrap();
    assert_eq!(task_of(&last).1, TaskStatus::OutcomeUnknown);
}
