//! The results of tasks in the history: with the next message, in a follow-up, and once, whatever dies.

use std::sync::Arc;

use aileron_agent::TurnLimits;
use aileron_contract::Mode;
use aileron_orchestrator::{ConversationEvent, LateAnswer};
use aileron_store::{MemoryStore, Store, TaskFilter, TaskState};
use futures_util::StreamExt;
use serde_json::json;

use crate::script::{Calls, Says, Script};
use crate::stage::{Stage, all, short, told};

/// Says something that begins a task, and waits for the end of the task.
async fn dig(stage: &Stage) {
    let mut watch = stage.hall.watch();
    stage.say("dig").await;
    while let Some(event) = watch.next().await {
        if matches!(event, ConversationEvent::Task { status, .. } if status.as_str() != "running") {
            return;
        }
    }
}

fn digging(then: &'static [&'static str]) -> Arc<Script> {
    let calls = vec![Calls("call-00001", "dig", json!({}))];
    let says = then.iter().map(|text| vec![Says(text)]);
    Script::new([calls].into_iter().chain(says))
}

async fn untold(stage: &Stage) -> usize {
    let filter = TaskFilter { state: TaskState::Untold, ..TaskFilter::default() };
    stage.store.tasks(&filter, None, 9).await.unwrap().len()
}

#[tokio::test]
async fn the_result_comes_with_the_next_message_and_only_then() {
    let script = digging(&["I am digging.", "It is dug.", "Yes."]);
    let stage = Stage::new(&script).await;
    dig(&stage).await;
    assert_eq!(untold(&stage).await, 1);
    let events = told(&stage.say("and?").await);
    assert!(events.contains(&"answered call-00001 ok".to_owned()), "{events:?}");
    stage.say("really?").await;
    let expected = [
        "1 person: dig",
        "1 model: call-00001:dig",
        "1 results: call-00001=ok",
        "1 model: I am digging.",
        "2 late: call-00001=ok",
        "2 person: and?",
        "2 model: It is dug.",
        "3 person: really?",
        "3 model: Yes.",
    ];
    assert_eq!(stage.kept().await, expected);
    assert_eq!(untold(&stage).await, 0);
}

#[tokio::test]
async fn a_follow_up_continues_the_turn_with_the_result() {
    let script = digging(&["I am digging.", "It is dug."]);
    let stage = Stage::new(&script).await;
    dig(&stage).await;
    let follow_up = stage.agent.follow_up(&stage.conversation, stage.hall.watch()).await.unwrap();
    let events = told(&all(follow_up).await);
    assert_eq!(events.first().map(String::as_str), Some("began 1"));
    assert_eq!(events.last().map(String::as_str), Some("finished Answered"));
    let seen = script.seen();
    let last: Vec<_> = seen[2].messages.iter().map(short).collect();
    assert_eq!(last.last().map(String::as_str), Some("late: call-00001=ok"));
    assert_eq!(stage.kept().await.last().map(String::as_str), Some("1 model: It is dug."));
    // Nothing is left to tell, so that the model is not asked again.
    let again = stage.agent.follow_up(&stage.conversation, stage.hall.watch()).await.unwrap();
    assert_eq!(told(&all(again).await), ["began 1", "finished Answered"]);
    assert_eq!(script.seen().len(), 3);
}

#[tokio::test]
async fn a_result_that_the_log_has_is_not_told_again_after_a_kill() {
    let store: Arc<dyn Store> = Arc::new(MemoryStore::new());
    let script = digging(&["I am digging.", "Yes."]);
    let limits = TurnLimits::default();
    let stage = Stage::over(store.clone(), &script, limits, Mode::Text).await;
    dig(&stage).await;
    // The process wrote the result into the log, and was killed before it marked it as told.
    let LateAnswer { call_id, answer } = stage.conversation.task_results().await.remove(0);
    let late = json!({ "turn": 1, "message": { "from": "late", "answer":
        { "callId": call_id, "toolId": "dig", "response": *answer } } });
    let last = store.messages(stage.conversation.id(), u64::MAX, 1).await.unwrap()[0].seq;
    drop(store.append_messages(stage.conversation.id(), last, vec![Arc::new(late)], 1).await);
    stage.say("and?").await;
    let kept = stage.kept().await;
    assert_eq!(kept.iter().filter(|line| line.contains("late: ")).count(), 1, "{kept:#?}");
    assert_eq!(untold(&stage).await, 0);
}
