//! Rate limits while the store is slow: other calls are not delayed, and if several calls compete
//! for the last unit, one gets it, in whichever process.

use std::sync::Arc;

use aileron_contract::{Mode, ToolResponse};
use aileron_orchestrator::{Conversation, Resolution};
use aileron_store::{SqliteOptions, SqliteStore};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::task::{JoinHandle, yield_now};

use super::begun;
use super::faults::Lock;
use crate::ground::{act, ask, look};
use crate::stage::{Stage, ada, call, word, words};

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

/// The answers of two processes that make the same calls before either sees the other's; the one
/// that was too late comes last, with its stage.
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
    let is_late = |answers: &Answers| words(answers).contains(&"RATE_LIMIT");
    assert_ne!(is_late(&first), is_late(&second), "{:?} {:?}", words(&first), words(&second));
    match is_late(&second) {
        true => (first, second, (other, of_other), folder),
        false => (second, first, (one, of_one), folder),
    }
}

/// On one thread: a blocking call would block all others.
#[tokio::test]
async fn a_call_that_waits_to_be_counted_holds_nobody_up() {
    let folder = tempfile::tempdir().unwrap();
    let stage = process(&folder);
    let (conversation, other) = (open(&stage, "limited").await, open(&stage, "other").await);
    let lock = Lock::hold(&folder);
    let waits = start(&conversation, &["ping"]).await;
    assert_eq!(one(&conversation, "call-00001", "look", json!({})).await, "ok");
    assert_eq!(one(&other, "call-00001", "look", json!({})).await, "ok");
    // The last unit is already taken.
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
        // It has used no budget, and may be made when the window has passed.
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

/// The answers of two processes whose people approve the same calls, one after the other: a call is
/// counted when it runs.
async fn both_approved(tools: &[&str]) -> [Vec<&'static str>; 2] {
    let folder = tempfile::tempdir().unwrap();
    let stages = [process(&folder), process(&folder)];
    let conversations = [open(&stages[0], "asked-0").await, open(&stages[1], "asked-1").await];
    let mut told = [const { Vec::new() }; 2];
    let mut tokens = Vec::new();
    for conversation in &conversations {
        let calls = tools.iter().enumerate();
        let calls = calls.map(|(n, tool)| call(&format!("call-0000{n}"), tool, json!({})));
        let asked = conversation.call(calls.collect()).await;
        let request = asked[0].failure().unwrap().confirmation_request.clone().unwrap();
        tokens.push(request.token);
    }
    for (at, conversation) in conversations.iter().enumerate() {
        let approved = conversation.confirm(&tokens[at], true, &ada()).await.unwrap();
        let Resolution::Approved(late) = approved else { panic!("{approved:?}") };
        told[at] = late.iter().map(|late| word(&late.answer)).collect();
    }
    told
}

#[tokio::test]
async fn of_two_approved_calls_one_takes_the_last_place() {
    assert_eq!(both_approved(&["order"]).await, [["ok"], ["RATE_LIMIT"]]);
}

#[tokio::test]
async fn a_call_that_waited_with_a_question_is_counted_when_it_runs() {
    let told = both_approved(&["book", "send"]).await;
    assert_eq!(told, [["ok", "ok"], ["ok", "RATE_LIMIT"]]);
}
