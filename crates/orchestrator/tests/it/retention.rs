//! Which old data is removed, and which is kept.

use std::sync::Arc;
use std::time::Duration;

use aileron_contract::{ConversationId, Mode, ToolCall};
use aileron_orchestrator::config::Retention;
use aileron_orchestrator::{Config, TurnInput};
use aileron_store::{MemoryStore, SqliteOptions, SqliteStore, Store};
use serde_json::json;

use crate::ground::{Ground, act, look};
use crate::stage::{Stage, ada, call, words};

const DAY: u64 = 24 * 3_600_000;

/// How long a busy machine may take to remove old data.
const PATIENCE: Duration = Duration::from_secs(20);

fn calls(from: usize, count: usize) -> Vec<ToolCall> {
    (from..from + count).map(|n| call(&format!("call-{n:06}"), "look", json!({ "n": n }))).collect()
}

async fn turn(stage: &Stage, conversation: &str, calls: Vec<ToolCall>) -> Vec<&'static str> {
    let conversation = stage.open_as(conversation, Mode::Text, ada()).await;
    conversation.begin_turn(TurnInput::Written).await.unwrap();
    words(&conversation.call(calls).await)
}

/// Whether the store knows the conversation.
async fn is_kept(stage: &Stage, conversation: &str) -> bool {
    let id = ConversationId::new(conversation).unwrap();
    stage.orchestrator.release(&id);
    stage.orchestrator.look(&id, &ada()).await.unwrap().is_some()
}

/// The remaining records, once there are this many or their number no longer changes.
async fn records_left(stage: &Stage, count: usize) -> Vec<String> {
    let few = async {
        while stage.store.flush().await.is_ok() && stage.records().len() > count {
            tokio::task::yield_now().await;
        }
    };
    let _ = tokio::time::timeout(PATIENCE, few).await;
    stage.records()
}

/// A stage that keeps records for a year. By default they are kept forever.
fn stage(store: Arc<dyn Store>) -> Stage {
    let retention = Retention { audit_days: 365, ..Retention::default() };
    Stage::configured(store, &[look("look", json!({}))], Config { retention, ..Config::default() })
}

async fn what_is_old_goes(store: Arc<dyn Store>) {
    let stage = stage(store.clone());
    turn(&stage, "old", calls(0, 1000)).await;
    turn(&stage, "old", calls(1000, 1000)).await;
    turn(&stage, "opened", Vec::new()).await;
    stage.clock.advance(200 * DAY);
    turn(&stage, "young", calls(2000, 1)).await;
    assert!(is_kept(&stage, "old").await && is_kept(&stage, "opened").await);

    let stage = self::stage(store);
    stage.clock.advance(200 * DAY);
    turn(&stage, "young", Vec::new()).await;
    stage.clock.advance(166 * DAY);
    // The conversation is opened again, without a turn.
    stage.open_as("opened", Mode::Text, ada()).await;
    assert_eq!(turn(&stage, "next", calls(3000, 1)).await, ["ok"]);
    let left = records_left(&stage, 2).await;
    assert_eq!(left, ["call-002000 completed", "call-003000 completed"]);
    let verified = stage.store.verify_audit().unwrap();
    assert_eq!((verified.base.seq, verified.records), (2000, 2));
    assert!(!is_kept(&stage, "old").await);
    for kept in ["opened", "young", "next"] {
        assert!(is_kept(&stage, kept).await, "{kept}");
    }
}

#[tokio::test]
async fn what_is_old_goes_from_memory() {
    what_is_old_goes(Arc::new(MemoryStore::new())).await;
}

#[tokio::test]
async fn what_is_old_goes_from_disk() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    what_is_old_goes(Arc::new(SqliteStore::open(&path, SqliteOptions::default()).unwrap())).await;
}

#[tokio::test]
async fn a_conversation_that_was_forgotten_while_it_was_open_is_kept_again() {
    let stage = Stage::new(&[look("look", json!({}))]);
    let conversation = stage.open(Mode::Text).await;
    assert!(stage.store.delete_conversation(conversation.id()).await.unwrap());
    conversation.begin_turn(TurnInput::Written).await.unwrap();
    conversation.begin_turn(TurnInput::Written).await.unwrap();
    assert!(is_kept(&stage, conversation.id().as_str()).await);
}

/// A write that is delivered again after the clock has jumped is answered from the ledger, with or
/// without a restart of the process in between.
async fn a_jump_ages_nothing(store: Arc<dyn Store>, name: &str) {
    let act = || vec![call("call-000001", "act", json!({}))];
    let tools = [act_tool()];
    let stage = Stage::over(store.clone(), &tools);
    assert_eq!(turn(&stage, name, act()).await, ["ok"]);
    stage.clock.jump(30 * DAY);
    for _ in 0..3 {
        stage.clock.advance(2000);
        turn(&stage, name, Vec::new()).await;
        stage.store.flush().await.unwrap();
    }
    assert_eq!(turn(&stage, name, act()).await, ["ok"]);
    let restarted = Stage::over(store, &tools);
    restarted.clock.jump(60 * DAY);
    for _ in 0..3 {
        restarted.clock.advance(2000);
        turn(&restarted, name, Vec::new()).await;
        restarted.store.flush().await.unwrap();
    }
    assert_eq!(turn(&restarted, name, act()).await, ["ok"]);
    assert_eq!(Ground::of(name).effects().len(), 1);
}

fn act_tool() -> (serde_json::Value, aileron_capability::Native) {
    act("act", json!({}))
}

#[tokio::test]
async fn a_clock_that_jumps_makes_no_write_run_twice() {
    a_jump_ages_nothing(Arc::new(MemoryStore::new()), "jump-in-memory").await;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    let store = Arc::new(SqliteStore::open(&path, SqliteOptions::default()).unwrap());
    a_jump_ages_nothing(store, "jump-on-disk").await;
}
