//! A confirmation that is answered while another one supersedes it: one of the two decides, and the
//! calls that waited for it have one record each.

use std::sync::Arc;

use aileron_contract::Mode;
use aileron_orchestrator::state::{EndReason, StateEvent};
use aileron_orchestrator::{
    ConfirmError, ConfirmationOutcome, Conversation, ConversationEvent, TurnInput,
};
use aileron_store::{SqliteOptions, SqliteStore};
use futures_util::FutureExt;
use serde_json::json;

use super::begun;
use super::faults::Lock;
use crate::ground::{Ground, act, ask, wait};
use crate::stage::{Stage, ada, call, words};

/// Which of the two began first.
enum First {
    Person,
    NextQuestion,
}

/// Requests a confirmation for a booking that a note waits for, and one for a payment while the
/// person answers. Returns the records of the waiting calls, how the confirmation was closed, and
/// the number of effects.
async fn answered(
    name: &str,
    approve: bool,
    first: First,
) -> (Vec<String>, Vec<ConfirmationOutcome>, usize) {
    let folder = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(folder.path().join("store.db"), SqliteOptions::default());
    let tools = [ask("book"), ask("pay"), act("note", json!({}))];
    let stage = Stage::over(Arc::new(store.unwrap()), &tools);
    let conversation = begun(&stage, name, Mode::Voice).await;
    let calls = [("call-book-1", "book"), ("call-note-1", "note")];
    let asked = conversation.call(calls.map(|(id, tool)| call(id, tool, json!({}))).into()).await;
    let token = asked[0].failure().unwrap().confirmation_request.clone().unwrap().token;
    conversation.begin_turn(TurnInput::Written).await.unwrap();
    stage.store.flush().await.unwrap();

    // Nothing is written while another connection holds the lock, so that both run concurrently.
    let lock = Lock::hold(&folder);
    let person = ada();
    let mut answering = Box::pin(conversation.confirm(&token, approve, &person));
    let mut paying = Box::pin(pay(&conversation));
    let early = match first {
        First::Person => ((&mut answering).now_or_never(), (&mut paying).now_or_never()),
        First::NextQuestion => {
            let paid = (&mut paying).now_or_never();
            ((&mut answering).now_or_never(), paid)
        }
    };
    let (answered, None) = early else { panic!("{early:?}") };
    lock.release(&*stage.store);
    assert_eq!(paying.await, ["CONFIRMATION_REQUIRED"]);
    // The later one gets its result without waiting.
    let answer = match answered {
        Some(answer) => answer,
        None => answering.await,
    };
    assert_eq!(answer.is_ok(), matches!(first, First::Person), "{answer:?}");

    stage.store.flush().await.unwrap();
    stage.store.verify_audit().unwrap();
    let confirmed = stage.records().into_iter().filter(|line| line.starts_with("confirmed-"));
    let outcomes = confirmed.map(|line| line[line.rfind(' ').unwrap() + 1..].to_owned()).collect();
    let closed = stage.memo.events().into_iter().filter_map(|event| match event {
        ConversationEvent::ConfirmationClosed { how, .. } => Some(how),
        _ => None,
    });
    (outcomes, closed.collect(), Ground::of(name).effects().len())
}

async fn pay(conversation: &Conversation) -> Vec<&'static str> {
    words(&conversation.call(vec![call("call-pay-1", "pay", json!({}))]).await)
}

#[tokio::test]
async fn what_the_person_declined_is_not_superseded_too() {
    let (records, closed, effects) = answered("declined-first", false, First::Person).await;
    assert_eq!((records, effects), (vec!["denied".to_owned(); 2], 0));
    assert_eq!(closed, [ConfirmationOutcome::Declined]);
}

#[tokio::test]
async fn what_the_person_approved_is_not_superseded_too() {
    let (records, closed, effects) = answered("approved-first", true, First::Person).await;
    assert_eq!((records, effects), (vec!["completed".to_owned(); 2], 2));
    assert_eq!(closed, [ConfirmationOutcome::Approved]);
}

#[tokio::test]
async fn what_was_superseded_is_not_declined_too() {
    let (records, closed, effects) = answered("declined-late", false, First::NextQuestion).await;
    assert_eq!((records, effects), (vec!["superseded".to_owned(); 2], 0));
    assert_eq!(closed, [ConfirmationOutcome::Superseded]);
}

#[tokio::test]
async fn what_was_superseded_is_not_made() {
    let (records, closed, effects) = answered("approved-late", true, First::NextQuestion).await;
    assert_eq!((records, effects), (vec!["superseded".to_owned(); 2], 0));
    assert_eq!(closed, [ConfirmationOutcome::Superseded]);
}

#[tokio::test]
async fn a_call_delivered_again_while_its_question_is_put_is_asked_and_recorded_once() {
    let folder = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(folder.path().join("store.db"), SqliteOptions::default());
    let stage = Stage::over(Arc::new(store.unwrap()), &[ask("book")]);
    let conversation = begun(&stage, "asked-again", Mode::Text).await;
    stage.store.flush().await.unwrap();
    let lock = Lock::hold(&folder);
    let booking = || vec![call("call-book-1", "book", json!({}))];
    let mut first = Box::pin(conversation.call(booking()));
    let mut second = Box::pin(conversation.call(booking()));
    assert!((&mut first).now_or_never().is_none());
    assert!((&mut second).now_or_never().is_none());
    lock.release(&*stage.store);
    let (first, second) = (first.await.remove(0), second.await.remove(0));
    let token = |answer: &aileron_contract::ToolResponse| {
        answer.failure().unwrap().confirmation_request.clone().unwrap().token
    };
    assert_eq!(token(&first), token(&second));
    stage.store.flush().await.unwrap();
    assert_eq!(stage.records(), ["call-book-1 refused:confirmation"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn an_approved_call_behind_another_does_not_begin_after_the_end() {
    let folder = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(folder.path().join("store.db"), SqliteOptions::default());
    let tools = [ask("book"), wait("work", json!({}))];
    let stage = Stage::over(Arc::new(store.unwrap()), &tools);
    let name = "crowd-ended";
    let conversation = begun(&stage, name, Mode::Text).await;
    let asked = conversation.call(vec![call("call-book-1", "book", json!({}))]).await;
    let token = asked[0].failure().unwrap().confirmation_request.clone().unwrap().token;
    let (working, approving) = (conversation.clone(), conversation.clone());
    let working =
        tokio::spawn(
            async move { working.call(vec![call("call-work-1", "work", json!({}))]).await },
        );
    let ground = Ground::of(name);
    ground.arrival().await;
    let approving = tokio::spawn(async move { approving.confirm(&token, true, &ada()).await });
    // It is known from its approval on, and waits until no other write runs.
    let waits = || stage.store.lookup(conversation.id(), "call-book-1").unwrap().is_some();
    while !waits() {
        tokio::task::yield_now().await;
    }
    assert_eq!(stage.store.unfinished_calls(conversation.id()).unwrap().len(), 1);
    conversation.on_event_durably(StateEvent::Closed(EndReason::Person)).await.unwrap();
    ground.open_gate(1);
    assert_eq!(words(&working.await.unwrap()), ["ok"]);
    assert_eq!(approving.await.unwrap(), Err(ConfirmError::Unknown));
    assert_eq!(ground.effects(), ["call-work-1"]);
}
