//! Two orchestrators, like two processes, on one database.

use std::path::Path;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use aileron_contract::{ConversationId, Mode, UserId};
use aileron_orchestrator::state::{EndReason, StateEvent};
use aileron_orchestrator::{OpenError, OpenRequest, Person, TurnInput};
use aileron_store::{SqliteOptions, SqliteStore};
use serde_json::json;
use tokio::time::MissedTickBehavior;

use super::begun;
use crate::ground::{Ground, ask, look, wait};
use crate::stage::{Stage, ada, call, word, words};

fn stage(folder: &Path) -> Stage {
    let store = SqliteStore::open(folder.join("store.db"), SqliteOptions::default()).unwrap();
    Stage::over(Arc::new(store), &[wait("work", json!({})), ask("book")])
}

/// Awaits a future while both clocks follow the real one. A call that waits for another process
/// polls by its clock; a clock that ran ahead would let deadlines pass.
async fn as_time_passes<T>(stages: [&Stage; 2], awaited: impl Future<Output = T>) -> T {
    let mut awaited = pin!(awaited);
    let mut milliseconds = tokio::time::interval(Duration::from_millis(1));
    milliseconds.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            come = &mut awaited => return come,
            _ = milliseconds.tick() => stages.iter().for_each(|stage| stage.clock.advance(1)),
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_write_delivered_to_two_runs_in_one_and_both_answer() {
    let folder = tempfile::tempdir().unwrap();
    let (here, there) = (stage(folder.path()), stage(folder.path()));
    let name = "two-stores";
    let (first, second) =
        (begun(&here, name, Mode::Text).await, begun(&there, name, Mode::Text).await);
    let ground = Ground::of(name);
    let one =
        tokio::spawn(async move { first.call(vec![call("call-00001", "work", json!({}))]).await });
    ground.arrival().await;
    let two =
        tokio::spawn(async move { second.call(vec![call("call-00001", "work", json!({}))]).await });
    ground.open_gate(2);
    assert_eq!(word(&one.await.unwrap()[0]), "ok");
    let answers = as_time_passes([&here, &there], two).await.unwrap();
    assert_eq!((word(&answers[0]), answers[0].meta().replayed), ("ok", true));
    assert_eq!(ground.effects(), ["call-00001"]);
    there.store.flush().wait().unwrap();
    assert_eq!(there.records(), ["call-00001 completed"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_question_put_in_one_is_answered_in_the_other_once() {
    let folder = tempfile::tempdir().unwrap();
    let (here, there) = (stage(folder.path()), stage(folder.path()));
    let name = "two-stores-asked";
    let first = begun(&here, name, Mode::Text).await;
    let asked = first.call(vec![call("call-00001", "book", json!({}))]).await;
    let token = asked[0].failure().unwrap().confirmation_request.clone().unwrap().token;
    let second = begun(&there, name, Mode::Text).await;
    let [one, two] = [first, second].map(|conversation| {
        let token = token.clone();
        tokio::spawn(async move { conversation.confirm(&token, true, &ada()).await })
    });
    let confirmed = async { (one.await.unwrap(), two.await.unwrap()) };
    let (one, two) = as_time_passes([&here, &there], confirmed).await;
    assert!(one.is_ok() || two.is_ok(), "{one:?} {two:?}");
    assert_eq!(Ground::of(name).effects().len(), 1, "{one:?} {two:?}");
}

/// The calls are admitted in one process, and run when the other has taken the conversation.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_call_that_was_let_through_is_made_although_the_conversation_was_taken_over() {
    let folder = tempfile::tempdir().unwrap();
    let (here, there) = (stage(folder.path()), stage(folder.path()));
    let name = "two-stores-taken";
    let first = begun(&here, name, Mode::Text).await;
    let ground = Ground::of(name);
    ground.open_gate(2);
    let calls = [1, 2].map(|n| call(&format!("call-0000{n}"), "work", json!({ "n": n })));
    let admitted = first.admit(calls.to_vec());
    let second = begun(&there, name, Mode::Text).await;
    let other = as_time_passes([&here, &there], second.call(vec![calls[0].clone()])).await;
    assert_eq!(words(&other), ["ok"]);
    let answers = as_time_passes([&here, &there], admitted).await;
    assert_eq!(words(&answers), ["ok", "ok"]);
    let replayed: Vec<_> = answers.iter().map(|answer| answer.meta().replayed).collect();
    assert_eq!(replayed, [true, false]);
    assert_eq!(ground.effects(), ["call-00001", "call-00002"]);
}

/// Each of them opens the conversation, so that each takes it from the one before.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_write_delivered_by_many_as_its_conversation_is_taken_over_runs_once() {
    let folder = tempfile::tempdir().unwrap();
    let (here, there) = (stage(folder.path()), stage(folder.path()));
    for round in 0..20 {
        let name = format!("two-stores-many-{round}");
        begun(&there, &name, Mode::Text).await;
        Ground::of(&name).open_gate(4);
        let deliver = || async {
            let conversation = here.open_as(&name, Mode::Text, ada()).await;
            conversation.call(vec![call("call-00001", "work", json!({}))]).await.remove(0)
        };
        let delivered = futures_util::future::join_all((0..4).map(|_| deliver()));
        let answers = as_time_passes([&here, &there], delivered);
        let answers = tokio::time::timeout(Duration::from_secs(30), answers).await;
        let answers = answers.expect("an answer within 30 seconds");
        assert_eq!(Ground::of(&name).effects(), ["call-00001"], "{answers:?}");
        // A call that waited for one which had to start again may get a retryable error.
        let is_fine = |answer: &&str| ["ok", "TRANSIENT"].contains(answer);
        assert!(words(&answers).iter().all(is_fine), "{answers:?}");
        assert!(words(&answers).contains(&"ok"), "{answers:?}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_call_that_was_let_through_is_not_made_once_the_conversation_was_ended_elsewhere() {
    let folder = tempfile::tempdir().unwrap();
    let (here, there) = (stage(folder.path()), stage(folder.path()));
    let name = "two-stores-ended";
    let first = begun(&here, name, Mode::Text).await;
    Ground::of(name).open_gate(1);
    let admitted = first.admit(vec![call("call-00001", "work", json!({}))]);
    let second = begun(&there, name, Mode::Text).await;
    second.on_event_durably(StateEvent::Closed(EndReason::Person)).await.unwrap();
    let answers = as_time_passes([&here, &there], admitted).await;
    assert_eq!(words(&answers), ["UNAVAILABLE"]);
    assert_eq!(Ground::of(name).effects(), [""; 0]);
}

fn limited(folder: &Path) -> Stage {
    let store = SqliteStore::open(folder.join("store.db"), SqliteOptions::default()).unwrap();
    let limit = json!({ "rateLimit": { "calls": 5, "windowMs": 600_000, "per": "user" } });
    Stage::over(Arc::new(store), &[look("look", limit)])
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn two_take_no_more_than_a_rate_limit_gives_one_person() {
    let folder = tempfile::tempdir().unwrap();
    let stages = [limited(folder.path()), limited(folder.path())];
    let mut calling = Vec::new();
    for (n, stage) in stages.iter().enumerate() {
        let conversation = begun(stage, &format!("limited-{n}"), Mode::Text).await;
        let looks = (0..5).map(|n| call(&format!("call-look-{n}"), "look", json!({ "n": n })));
        let looks: Vec<_> = looks.collect();
        calling.push(tokio::spawn(async move { conversation.call(looks).await }));
    }
    let mut answers = Vec::new();
    for calls in calling {
        answers.extend(calls.await.unwrap());
    }
    assert_eq!(words(&answers).iter().filter(|word| **word == "ok").count(), 5);
    drop(stages);
    // A restart, and another conversation of the same person, do not reset the count.
    let later = begun(&limited(folder.path()), "limited-later", Mode::Text).await;
    let answers = later.call(vec![call("call-look-9", "look", json!({}))]).await;
    assert_eq!(words(&answers), ["RATE_LIMIT"]);
}

#[tokio::test]
async fn a_conversation_opened_by_two_people_at_once_belongs_to_one() {
    let folder = tempfile::tempdir().unwrap();
    let (here, there) = (stage(folder.path()), stage(folder.path()));
    for (name, other) in [("two-people", &here), ("two-people-apart", &there)] {
        let opening = |who: &str| OpenRequest {
            id: ConversationId::new(name).unwrap(),
            mode: Mode::Text,
            person: Person::known(UserId::new(who).unwrap()),
        };
        let (one, two) = tokio::join!(
            here.orchestrator.open(opening("ada")),
            other.orchestrator.open(opening("bob"))
        );
        let refused = [one.err(), two.err()].into_iter().flatten().collect::<Vec<_>>();
        assert_eq!(refused, [OpenError::NotOwner], "{name}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn what_was_decided_in_one_is_not_decided_again_in_the_other() {
    let folder = tempfile::tempdir().unwrap();
    let (here, there) = (stage(folder.path()), stage(folder.path()));
    let name = "two-stores-decided";
    let first = begun(&here, name, Mode::Text).await;
    let asked = first.call(vec![call("call-00001", "book", json!({}))]).await;
    let token = asked[0].failure().unwrap().confirmation_request.clone().unwrap().token;
    let second = begun(&there, name, Mode::Text).await;
    second.confirm(&token, true, &ada()).await.unwrap();
    // The first learns of it from its own saves.
    first.begin_turn(TurnInput::Written).await.unwrap();
    here.store.flush().await.unwrap();
    first.begin_turn(TurnInput::Written).await.unwrap();
    let again = first.call(vec![call("call-00001", "book", json!({}))]).await;
    assert_eq!(word(&again[0]), "ok");
    assert_eq!(Ground::of(name).effects().len(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn whoever_was_behind_catches_up_with_the_turns_of_the_other() {
    let folder = tempfile::tempdir().unwrap();
    let name = "two-stores-turns";
    let latest = {
        let (here, there) = (stage(folder.path()), stage(folder.path()));
        let (first, second) =
            (begun(&here, name, Mode::Text).await, begun(&there, name, Mode::Text).await);
        let settled = || async { (here.store.flush().await, there.store.flush().await) };
        for conversation in [&first, &second, &second, &first, &second] {
            conversation.begin_turn(TurnInput::Written).await.unwrap();
            let _ = settled().await;
        }
        let other = second.begin_turn(TurnInput::Written).await.unwrap().turn;
        // The copy that was behind learns of the other's turns from its own save, and continues
        // after them.
        first.begin_turn(TurnInput::Written).await.unwrap();
        let _ = settled().await;
        let latest = first.begin_turn(TurnInput::Written).await.unwrap().turn;
        assert!(latest > other, "{latest} after {other}");
        let _ = settled().await;
        latest
    };
    let later = begun(&stage(folder.path()), name, Mode::Text).await;
    let next = later.begin_turn(TurnInput::Written).await.unwrap().turn;
    assert!(next > latest, "{next} after {latest}");
}
