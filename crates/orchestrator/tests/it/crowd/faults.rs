//! A store that cannot be written: writes are refused, reads continue, and no record is lost once
//! it can be written again.

use std::sync::Arc;
use std::time::Duration;

use aileron_contract::{ConversationId, Mode};
use aileron_orchestrator::state::{EndReason, Lifecycle};
use aileron_orchestrator::{
    Conversation, ConversationEvent, OpenError, OpenRequest, Resolution, TurnInput,
};
use aileron_store::{SqliteOptions, SqliteStore, Store, StoreError};
use serde_json::json;
use tempfile::TempDir;

use super::begun;
use crate::ground::{Ground, act, ask, look, wait};
use crate::stage::{NOW, Stage, ada, call, word, words};

fn stage(folder: &TempDir, max_bytes: Option<u64>) -> Stage {
    let options = SqliteOptions {
        busy_timeout: Duration::from_millis(5),
        tick: Duration::from_millis(5),
        max_bytes,
        ..Default::default()
    };
    let store = SqliteStore::open(folder.path().join("store.db"), options).unwrap();
    let large = act("large", json!({ "parameters": { "type": "object" } }));
    let tools = [
        act("note", json!({})),
        wait("work", json!({})),
        ask("book"),
        look("look", json!({})),
        large,
    ];
    Stage::over(Arc::new(store), &tools)
}

/// Another connection that holds the write lock.
pub(super) struct Lock(rusqlite::Connection);

impl Lock {
    pub(super) fn hold(folder: &TempDir) -> Self {
        let other = rusqlite::Connection::open(folder.path().join("store.db")).unwrap();
        other.busy_timeout(Duration::from_secs(5)).unwrap();
        other.execute_batch("BEGIN IMMEDIATE").unwrap();
        Self(other)
    }

    /// Releases the lock, and waits until the store has caught up.
    pub(super) fn release(self, store: &dyn Store) {
        self.0.execute_batch("ROLLBACK").unwrap();
        while store.flush().wait().is_err() {}
    }
}

async fn one(conversation: &Conversation, id: &str, tool: &str) -> &'static str {
    word(&conversation.call(vec![call(id, tool, json!({}))]).await[0])
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn writes_are_denied_and_reads_go_on() {
    let folder = tempfile::tempdir().unwrap();
    let stage = stage(&folder, None);
    let conversation = begun(&stage, "unwritable", Mode::Text).await;
    stage.store.flush().wait().unwrap();
    let lock = Lock::hold(&folder);
    let calls = [("call-note-1", "note"), ("call-look-1", "look"), ("call-book-1", "book")];
    let answers = conversation.call(calls.map(|(id, tool)| call(id, tool, json!({}))).into()).await;
    // A write of the message needs a confirmation that cannot be stored, so the other write waits.
    assert_eq!(words(&answers), ["CONFIRMATION_REQUIRED", "ok", "UNAVAILABLE"]);
    assert_eq!(one(&conversation, "call-note-2", "note").await, "UNAVAILABLE");
    lock.release(&*stage.store);
    assert!(Ground::of("unwritable").effects().is_empty());
    assert_eq!(one(&conversation, "call-look-2", "look").await, "ok");
    conversation.begin_turn(TurnInput::Written).await.unwrap();
    assert_eq!(one(&conversation, "call-note-2", "note").await, "ok", "it was not begun before");
    stage.store.verify_audit().unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_question_that_could_not_be_kept_does_not_stand_in_the_way() {
    let folder = tempfile::tempdir().unwrap();
    let stage = stage(&folder, None);
    let conversation = begun(&stage, "not-kept", Mode::Voice).await;
    stage.store.flush().wait().unwrap();
    let lock = Lock::hold(&folder);
    assert_eq!(one(&conversation, "call-book-1", "book").await, "UNAVAILABLE");
    lock.release(&*stage.store);
    let again = conversation.call(vec![call("call-book-2", "book", json!({ "n": 2 }))]).await;
    let failure = again[0].failure().unwrap();
    assert!(failure.confirmation_request.is_some(), "{failure:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_question_that_could_not_give_way_is_answered_by_a_click() {
    let folder = tempfile::tempdir().unwrap();
    let stage = stage(&folder, None);
    let conversation = begun(&stage, "not-given-way", Mode::Voice).await;
    let asked = conversation.call(vec![call("call-book-1", "book", json!({}))]).await;
    let token = asked[0].failure().unwrap().confirmation_request.clone().unwrap().token;
    conversation.begin_turn(TurnInput::Written).await.unwrap();
    stage.store.flush().wait().unwrap();
    let lock = Lock::hold(&folder);
    let other = conversation.call(vec![call("call-book-2", "book", json!({ "n": 2 }))]).await;
    assert_eq!(words(&other), ["UNAVAILABLE"]);
    lock.release(&*stage.store);
    conversation.confirm(&token, true, &ada()).await.unwrap();
    stage.store.flush().wait().unwrap();
    let records = stage.records();
    let outcomes: Vec<_> = records.iter().filter_map(|line| line.split(' ').nth(1)).collect();
    assert_eq!(outcomes, ["refused:confirmation", "refused:confirmation", "completed"]);
    assert_eq!(Ground::of("not-given-way").effects().len(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_write_whose_result_cannot_be_recorded_is_unknown_and_never_repeated() {
    let folder = tempfile::tempdir().unwrap();
    let stage = stage(&folder, None);
    let conversation = begun(&stage, "not-settled", Mode::Text).await;
    let ground = Ground::of("not-settled");
    let running = tokio::spawn({
        let conversation = conversation.clone();
        async move { conversation.call(vec![call("call-work-1", "work", json!({}))]).await }
    });
    ground.arrival().await;
    let lock = Lock::hold(&folder);
    ground.open_gate(2);
    assert_eq!(words(&running.await.unwrap()), ["OUTCOME_UNKNOWN"]);
    assert_eq!(one(&conversation, "call-work-1", "work").await, "OUTCOME_UNKNOWN");
    lock.release(&*stage.store);
    assert_eq!(one(&conversation, "call-work-1", "work").await, "ok", "the record came through");
    assert_eq!(ground.effects().len(), 1);
    assert_eq!(stage.records(), ["call-work-1 completed"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_turn_begins_and_nothing_ends_while_the_store_is_unwritable() {
    let folder = tempfile::tempdir().unwrap();
    let id = {
        let stage = stage(&folder, None);
        let conversation = begun(&stage, "turns", Mode::Text).await;
        let id = conversation.id().clone();
        let lock = Lock::hold(&folder);
        let refused = conversation.begin_turn(TurnInput::Written).await.unwrap_err();
        assert!(matches!(refused, OpenError::Store(StoreError::Unwritable { .. })), "{refused}");
        stage.orchestrator.end(&id, &ada(), EndReason::Person).await.unwrap_err();
        let voice = OpenRequest { id: id.clone(), mode: Mode::Voice, person: ada() };
        stage.orchestrator.move_to(voice).await.unwrap_err();
        let now = (conversation.turn(), conversation.mode(), conversation.state().lifecycle());
        assert_eq!(now, (1, Mode::Text, Lifecycle::Active), "nothing has changed");
        lock.release(&*stage.store);
        assert_eq!(conversation.begin_turn(TurnInput::Written).await.unwrap().turn, 2);
        id
    };
    let stage = stage(&folder, None);
    let later = begun(&stage, "turns", Mode::Text).await;
    assert_eq!(later.turn(), 3);
    stage.orchestrator.end(&id, &ada(), EndReason::Person).await.unwrap().unwrap();
    assert_eq!(later.begin_turn(TurnInput::Written).await.unwrap_err(), OpenError::Ended);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_conversation_begins_while_the_store_is_unwritable() {
    let folder = tempfile::tempdir().unwrap();
    let stage = stage(&folder, None);
    let lock = Lock::hold(&folder);
    let id = ConversationId::new("begun-unwritable").unwrap();
    let opening = OpenRequest { id, mode: Mode::Text, person: ada() };
    let refused = stage.orchestrator.open(opening).await.unwrap_err();
    assert!(matches!(refused, OpenError::Store(StoreError::Unwritable { .. })), "{refused}");
    lock.release(&*stage.store);
    assert_eq!(begun(&stage, "begun-unwritable", Mode::Text).await.turn(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_full_disk_denies_writes_clearly() {
    let folder = tempfile::tempdir().unwrap();
    let stage = stage(&folder, Some(400_000));
    let conversation = begun(&stage, "full", Mode::Text).await;
    let large = json!({ "text": "x".repeat(20_000) });
    let mut refused = None;
    for n in 0..200 {
        if n % 5 == 0 {
            conversation.begin_turn(TurnInput::Written).await.unwrap();
        }
        let id = format!("call-large-{n:03}");
        let answers =
            conversation.call(vec![call(&id, "large", json!({ "n": n, "of": large }))]).await;
        if word(&answers[0]) != "ok" {
            refused = Some(answers[0].clone());
            break;
        }
    }
    let refused = refused.unwrap();
    let failure = refused.failure().unwrap();
    assert!(matches!(word(&refused), "UNAVAILABLE" | "OUTCOME_UNKNOWN"), "{failure:?}");
    assert_eq!(one(&conversation, "call-look-1", "look").await, "ok");
    assert_eq!(one(&conversation, "call-note-1", "note").await, "UNAVAILABLE");
    let again = call("call-large-000", "large", json!({ "n": 0, "of": large }));
    let replayed = conversation.call(vec![again]).await;
    assert!(replayed[0].meta().replayed);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_spoken_yes_that_cannot_be_kept_is_asked_for_again() {
    let folder = tempfile::tempdir().unwrap();
    let stage = stage(&folder, None);
    let conversation = begun(&stage, "unheard", Mode::Voice).await;
    assert_eq!(one(&conversation, "call-book-1", "book").await, "CONFIRMATION_REQUIRED");
    stage.store.flush().wait().unwrap();
    let lock = Lock::hold(&folder);
    let yes = || TurnInput::Spoken { text: "yes".to_owned(), began_ms: NOW };
    conversation.begin_turn(yes()).await.unwrap_err();
    let TurnInput::Spoken { text, began_ms } = yes() else { panic!("it is spoken") };
    let heard = conversation.hear(text, began_ms).await;
    assert!(matches!(heard[..], [Resolution::AskAgain { .. }]), "{heard:?}");
    let repeated = |event: &&ConversationEvent| {
        matches!(event, ConversationEvent::ConfirmationRepeated { .. })
    };
    assert_eq!(stage.memo.events().iter().filter(repeated).count(), 1);
    lock.release(&*stage.store);
    assert!(Ground::of("unheard").effects().is_empty());
    // The confirmation accepts speech as before.
    let heard = conversation.begin_turn(yes()).await.unwrap().resolutions;
    let [Resolution::Approved(late)] = &heard[..] else { panic!("{heard:?}") };
    assert_eq!(word(&late[0].answer), "ok");
    assert_eq!(Ground::of("unheard").effects().len(), 1);
}
