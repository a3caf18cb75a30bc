//! A block that a tool asked for, while the store cannot write.

use std::sync::Arc;
use std::time::Duration;

use aileron_capability::{Native, Success};
use aileron_contract::{ConversationId, Intent, Mode};
use aileron_orchestrator::{ConversationEvent, OpenError, OpenRequest};
use aileron_store::{SqliteOptions, SqliteStore, Store};
use rusqlite::Connection;
use serde_json::{Value, json};

use crate::stage::{NOW, Stage, ada, call, native, spec, words};

fn block() -> (Value, Native) {
    let run = native("block", |data, _| {
        let intents = vec![Intent::BlockUser { until: NOW + 60_000 }];
        Box::pin(async move { Ok(Success { data: (*data).clone(), intents }) })
    });
    (spec("block", json!({ "sideEffects": "none" })), run)
}

async fn is_blocked(stage: &Stage) -> bool {
    let id = ConversationId::new("another").unwrap();
    let opened = stage.orchestrator.open(OpenRequest { id, mode: Mode::Text, person: ada() }).await;
    matches!(opened, Err(OpenError::Blocked { .. }))
}

#[tokio::test]
async fn a_block_holds_from_its_answer_on_and_after_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("store.db");
    let moment = Duration::from_millis(5);
    let options = SqliteOptions { busy_timeout: moment, tick: moment, ..Default::default() };
    let store = Arc::new(SqliteStore::open(&path, options.clone()).unwrap());
    let stage = Stage::over(store.clone(), &[block()]);
    let conversation = stage.open(Mode::Text).await;
    store.flush().await.unwrap();

    let other = Connection::open(&path).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let answers = conversation.call(vec![call("call-00001", "block", json!({}))]).await;
    assert_eq!(words(&answers), ["ok"]);
    assert!(is_blocked(&stage).await);
    let told = |event: &ConversationEvent| matches!(event, ConversationEvent::Defect { what, .. } if what.contains("a block holds"));
    assert!(stage.memo.events().iter().any(told), "{:?}", stage.memo.events());

    other.execute_batch("ROLLBACK").unwrap();
    while store.flush().await.is_err() {}
    let again = Stage::over(Arc::new(SqliteStore::open(&path, options).unwrap()), &[block()]);
    assert!(is_blocked(&again).await);
}
