//! How a log is read, and which defects of it are detected.

use aileron_contract::text::ChatMessage;
use aileron_store::MemoryStore;
use serde_json::json;

use super::*;

fn id() -> ConversationId {
    ConversationId::new("c").unwrap()
}

async fn filled(entries: u64, turn_of: fn(u64) -> u64) -> Arc<dyn Store> {
    let store = MemoryStore::new();
    let entry = |n| json!({ "turn": turn_of(n), "message": { "from": "person", "text": "x" } });
    let entries = (1..=entries).map(|n| Arc::new(entry(n))).collect();
    drop(store.append_messages(&id(), 0, entries, 1).await);
    Arc::new(store)
}

#[tokio::test]
async fn of_a_long_log_whole_turns_at_its_end_are_read() {
    let store = filled(10_000, |n| n.div_ceil(3)).await;
    let history = TurnHistory::load(store, &id()).await.unwrap();
    assert_eq!(history.last, 10_000);
    assert!(history.said.len() <= MAX_ENTRIES && history.said.len() >= MAX_ENTRIES - 3);
    let first = history.said[0].turn;
    assert_eq!(history.said.iter().filter(|said| said.turn == first).count(), 3);
}

#[tokio::test]
async fn a_short_log_is_read_whole() {
    let history = TurnHistory::load(filled(5, |_| 1).await, &id()).await.unwrap();
    assert_eq!(history.said.len(), 5);
}

#[tokio::test]
async fn an_addition_that_another_made_too_is_a_conflict() {
    let store = filled(1, |_| 1).await;
    let mut history = TurnHistory::load(store.clone(), &id()).await.unwrap();
    drop(store.append_messages(&id(), 1, vec![Arc::new(json!(1))], 1).await);
    history.add(LoggedMessage::new(2, ChatMessage::Person { text: "hi".to_owned() }), 2);
    assert_eq!(history.settle().await, Err(HistoryError::Conflict));
}
