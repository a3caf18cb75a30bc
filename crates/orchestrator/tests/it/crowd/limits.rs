//! Rate limits while the store is slow: nobody is held up, and of those who take the last place at the
//! same moment one gets it, whichever process they are in.

use std::sync::Arc;

use aileron_contract::{Mode, ToolResponse};
use aileron_orchestrator::Conversation;
use aileron_store::{SqliteOptions, SqliteStore};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::task::{JoinHandle, yield_now};

use super::begun;
use super::faults::Lock;
use crate::ground::{act, ask, look};
use crate::stage::{Stage, call, word, words};

/// A process over the store in the folder, with tools that may be called once in a second.
fn process(folder: &TempDir) -> Stage {
    let store = SqliteStore::open(folder.path().join("store.db"), SqliteOptions::default());
    let once = || json!({ "rateLimit": { "calls": 1, "windowMs": 1000, "per": "tool" } });
    let mut asks = once();
    asks["requiresConfirmation"] = json!(true);
    let tools = [
        look("look", json!({})),
        look("ping", once()),
        act("send", once()),
        act("order", asks),
        ask("book"),
    ];
    Stage::over(Arc::new(store.unwrap()), &tools)
}

async fn open(stage: &Stage, id: &str) -> Conversation {
    let conversation = begun(stage, id, Mode::Voice).await;
    stage.store.flush().await.unwrap();
    conversation
}

type Answers = Vec<Arc<ToolResponse>>;

/// Makes the calls, up to where they wait for the store.
async fn start(conversation: &Conversation, tools: &[&str]) -> JoinHandle<Answers> {
    let calls = tools.iter().enumerate();
    let calls = calls.map(|(n, tool)| call(&format!("call-0000{n}"), tool, json!({}))).collect();
    let conversation = conversation.clone();
    let started = tokio::spawn(async move { conversation.call(calls).await });
    yield_now().await;
    assert!(!started.is_finished());
    started
}

async fn one(conversation: &Conversation, id: &str, tool: &str, args: Value) -> &'static str {
    word(&conversation.call(vec![call(id, tool, args)]).await[0])
}

/// What two processes are answered that make the same calls while neither sees the other's; the one
/// that was too late last, with what it leaves behind.
async fn race(tools: &[&str]) -> (Answers, Answers, (Stage, Conversation), TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let stages = [process(&folder), process(&folder)];
    let conversations = [open(&stages[0], "race-0").await, open(&stages[1], "race-1").await];
    let lock = Lock::hold(&folder);
    let started = [start(&conversations[0], tools).await, start(&conversations[1], tools).await];
    lock.release(&*stages[0].store);
    let [first, second] = started;
    let (first, second) = (first.await.unwrap(), second.await.unwrap());
    let [one, other] = stages;
    let [of_one, of_other] = conversations;
    let is_late = |answers: &Answers| {
        words(answers).iter().any(|word| ["RATE_LIMIT", "UNAVAILABLE"].contains(word))
    };
    assert_ne!(is_late(&first), is_late(&second), "{:?} {:?}", words(&first), words(&second));
    match is_late(&second) {
        true => (first, second, (other, of_other), folder),
        false => (second, first, (one, of_one), folder),
    }
}

/// One thread: whoever blocks it blocks everybody.
#[tokio::test]
async fn a_call_that_waits_to_be_counted_holds_nobody_up() {
    let folder = tempfile::tempdir().unwrap();
    let stage = process(&folder);
    let (conversation, other) = (open(&stage, "limited").await, open(&stage, "other").await);
    let lock = Lock::hold(&folder);
    let waits = start(&conversation, &["ping"]).await;
    assert_eq!(one(&conversation, "call-00001", "look", json!({})).await, "ok");
    assert_eq!(one(&other, "call-00001", "look", json!({})).await, "ok");
    // Its place is taken already.
    assert_eq!(one(&other, "call-00002", "ping", json!({})).await, "RATE_LIMIT");
    assert!(!waits.is_finished());
    lock.release(&*stage.store);
    assert_eq!(words(&waits.await.unwrap()), ["ok"]);
}

#[tokio::test]
async fn of_two_processes_one_takes_the_last_place() {
    for tool in ["ping", "send"] {
        let (ran, late, (stage, conversation), _folder) = race(&[tool]).await;
        assert_eq!([words(&ran), words(&late)], [["ok"], ["RATE_LIMIT"]]);
        let again = conversation.call(vec![call("call-00000", tool, json!({}))]).await;
        assert!(again[0].meta().replayed && word(&again[0]) == "RATE_LIMIT", "{tool}");
        stage.store.flush().await.unwrap();
        let refused: Vec<_> =
            stage.records().into_iter().filter(|record| !record.ends_with("completed")).collect();
        assert_eq!(refused, ["call-00000 refused:rate_limit"]);
        // It has used no budget, and may be made when there is room.
        stage.clock.advance(1000);
        assert_eq!(one(&conversation, "call-00001", tool, json!({ "n": 2 })).await, "ok");
        for n in 3..5 {
            let id = format!("call-0000{n}");
            assert_eq!(one(&conversation, &id, "look", json!({ "n": n })).await, "ok");
        }
        let fourth = one(&conversation, "call-00005", "look", json!({ "n": 5 })).await;
        assert_eq!(fourth, "BUDGET_EXCEEDED");
    }
}

#[tokio::test]
async fn the_person_is_not_asked_about_a_call_that_came_too_late() {
    let (asked, late, (stage, conversation), _folder) = race(&["order"]).await;
    assert_eq!([words(&asked), words(&late)], [["CONFIRMATION_REQUIRED"], ["RATE_LIMIT"]]);
    stage.store.flush().await.unwrap();
    let open = stage.store.confirmations(conversation.id(), 0).await.unwrap();
    assert_eq!(open, []);
}

#[tokio::test]
async fn a_call_beside_a_question_does_not_run_without_its_place() {
    let (asked, late, (stage, conversation), _folder) = race(&["book", "send"]).await;
    let waits = "CONFIRMATION_REQUIRED";
    assert_eq!([words(&asked), words(&late)], [[waits, waits], ["UNAVAILABLE", waits]]);
    stage.store.flush().await.unwrap();
    let open = stage.store.confirmations(conversation.id(), 0).await.unwrap();
    assert_eq!(open, []);
}
