//! Messages survive a restart, and a call that a crash left open gets its one answer.

use std::sync::Arc;

use aileron_agent::TurnLimits;
use aileron_contract::Mode;
use aileron_store::{AuditFilter, SqliteOptions, SqliteStore, Store};
use serde_json::json;

use crate::script::{Calls, Says, Script};
use crate::stage::{Stage, short};

fn open(folder: &std::path::Path) -> Arc<dyn Store> {
    Arc::new(SqliteStore::open(folder.join("a.db"), SqliteOptions::default()).unwrap())
}

#[tokio::test]
async fn a_conversation_goes_on_after_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let first = Script::new([vec![Calls("call-00001", "look", json!({}))], vec![Says("Mira.")]]);
    {
        let stage =
            Stage::over(open(folder.path()), &first, TurnLimits::default(), Mode::Text).await;
        stage.say("who?").await;
    }
    let second = Script::new([vec![Says("Yes.")]]);
    let stage = Stage::over(open(folder.path()), &second, TurnLimits::default(), Mode::Text).await;
    stage.say("sure?").await;
    let messages: Vec<_> = second.seen()[0].messages.iter().map(short).collect();
    assert_eq!(
        messages,
        [
            "person: who?",
            "model: call-00001:look",
            "results: call-00001=ok",
            "model: Mira.",
            "person: sure?"
        ]
    );
}

#[tokio::test]
async fn a_call_whose_result_was_lost_is_answered_before_the_next_turn() {
    let script = Script::new([vec![Says("Hello.")]]);
    let store: Arc<dyn Store> = Arc::new(aileron_store::MemoryStore::new());
    let stage = Stage::over(store.clone(), &script, TurnLimits::default(), Mode::Text).await;
    let call = json!({ "callId": "call-00001", "toolId": "look", "args": {} });
    let entries = [
        json!({ "turn": 1, "message": { "from": "person", "text": "who?" } }),
        json!({ "turn": 1, "message": { "from": "model", "parts": [{ "kind": "call", "call": call }] } }),
    ];
    let entries = entries.into_iter().map(Arc::new).collect();
    drop(store.append_messages(stage.conversation.id(), 0, entries, 1).await);
    stage.say("still there?").await;
    let kept = stage.kept().await;
    assert_eq!(kept[2..4], ["1 results: call-00001=ok", "1 person: still there?"]);
    assert_eq!(store.audit(AuditFilter::default()).count(), 1);
}

#[tokio::test]
async fn a_log_that_cannot_be_read_is_said_so() {
    let script = Script::new([]);
    let store: Arc<dyn Store> = Arc::new(aileron_store::MemoryStore::new());
    let stage = Stage::over(store.clone(), &script, TurnLimits::default(), Mode::Text).await;
    let broken = vec![Arc::new(json!({ "turn": "x" }))];
    drop(store.append_messages(stage.conversation.id(), 0, broken, 1).await);
    let watch = Box::pin(futures_util::stream::empty());
    let error = stage.agent.say(&stage.conversation, "hi".to_owned(), watch).await.unwrap_err();
    assert!(
        error.to_string().starts_with("message 1 of the conversation cannot be read: "),
        "{error}"
    );
}
