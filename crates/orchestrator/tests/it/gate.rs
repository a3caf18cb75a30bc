//! The simplest pipeline: one tool, one call, each policy in turn.

use std::sync::Arc;

use aileron_capability::{Native, success};
use aileron_contract::Mode;
use aileron_orchestrator::yes_no::Grammar;
use aileron_orchestrator::{ConversationEvent, Resolution, TurnInput};
use aileron_store::MemoryStore;
use serde_json::{Value, json};

use crate::stage::{NOW, Stage, ada, call, native, spec, word, words};

fn echo(tool: &'static str, more: Value) -> (Value, Native) {
    (spec(tool, more), native(tool, |args, _| Box::pin(async move { success((*args).clone()) })))
}

#[tokio::test]
async fn a_call_runs_with_its_defaults_and_is_recorded_once() {
    let stage = Stage::new(&[echo("echo", json!({}))]);
    let conversation = stage.open(Mode::Text).await;
    let answers = conversation.call(vec![call("call-00001", "echo", json!({}))]).await;
    let answer = serde_json::to_value(&*answers[0]).unwrap();
    assert_eq!(answer["data"], json!({ "n": 1 }));
    assert_eq!(stage.records(), ["call-00001 completed"]);
}

#[tokio::test]
async fn the_same_call_is_answered_again_and_not_run_again() {
    let stage = Stage::new(&[echo("echo", json!({}))]);
    let conversation = stage.open(Mode::Text).await;
    let same = || call("call-00001", "echo", json!({}));
    let answers = conversation.call(vec![same(), same()]).await;
    assert_eq!(words(&answers), ["ok", "ok"]);
    assert!(!answers[0].meta().replayed && answers[1].meta().replayed);
    let again = conversation.call(vec![same()]).await;
    assert!(again[0].meta().replayed);
    assert_eq!(stage.records(), ["call-00001 completed"]);
}

#[tokio::test]
async fn a_batch_cannot_take_more_than_the_budget() {
    let stage = Stage::new(&[echo("echo", json!({}))]);
    let conversation = stage.open(Mode::Voice).await;
    let calls = (0..1000).map(|n| call(&format!("call-{n:05}"), "echo", json!({ "n": n })));
    let answers = conversation.call(calls.collect()).await;
    assert_eq!(words(&answers)[..5], ["ok", "ok", "ok", "BUDGET_EXCEEDED", "BUDGET_EXCEEDED"]);
    assert_eq!(stage.records().len(), 1000);
}

#[tokio::test]
async fn an_approved_call_runs_once() {
    let writes = json!({ "sideEffects": "writes", "requiresConfirmation": true });
    let stage = Stage::new(&[echo("book", writes)]);
    let conversation = stage.open(Mode::Text).await;
    let answers = conversation.call(vec![call("call-00001", "book", json!({ "n": 5 }))]).await;
    let request = answers[0].failure().unwrap().confirmation_request.clone().unwrap();
    let first = conversation.confirm(&request.token, true, &ada()).await.unwrap();
    let Resolution::Approved(late) = first else { panic!("{first:?}") };
    assert_eq!(late[0].call_id.as_str(), "call-00001");
    assert_eq!(word(&late[0].answer), "ok");
    let second = conversation.confirm(&request.token, true, &ada()).await.unwrap();
    let Resolution::Known(known) = second else { panic!("{second:?}") };
    let Resolution::Approved(late) = *known else { panic!("expected an approval") };
    assert!(late[0].answer.meta().replayed);
    let again = conversation.call(vec![call("call-00001", "book", json!({ "n": 5 }))]).await;
    assert_eq!((word(&again[0]), again[0].meta().replayed), ("ok", true));
    assert_eq!(stage.records().len(), 2);
}

#[tokio::test]
async fn a_spoken_yes_approves_the_question_that_was_asked_before() {
    let writes = json!({ "sideEffects": "writes", "requiresConfirmation": true });
    let stage = Stage::new(&[echo("book", writes)]);
    let conversation = stage.open(Mode::Voice).await;
    conversation.call(vec![call("call-00001", "book", json!({ "n": 5 }))]).await;
    let spoken = |text: &str| TurnInput::Spoken { text: text.to_owned(), began_ms: NOW };
    let unclear = conversation.begin_turn(spoken("what was that")).await.unwrap().resolutions;
    assert!(matches!(unclear[..], [Resolution::AskAgain { .. }]), "{unclear:?}");
    let approved = conversation.begin_turn(spoken("yes please")).await.unwrap().resolutions;
    let [Resolution::Approved(late)] = &approved[..] else { panic!("{approved:?}") };
    assert_eq!(word(&late[0].answer), "ok");
}

fn stuck() -> (Value, Native) {
    let writes = json!({ "sideEffects": "writes", "onInterrupt": "cancel" });
    (spec("stuck", writes), native("stuck", |_, _| Box::pin(std::future::pending())))
}

#[tokio::test]
async fn a_native_write_that_is_stopped_may_have_done_something() {
    let stage = Stage::new(&[stuck()]);
    let conversation = stage.open(Mode::Text).await;
    let running = conversation.call(vec![call("call-00001", "stuck", json!({}))]);
    let (answers, ()) = tokio::join!(running, async { conversation.interrupt() });
    assert_eq!(words(&answers), ["CANCELLED"]);
    assert!(answers[0].failure().unwrap().partial_side_effects);
    let events = stage.memo.events();
    assert!(
        matches!(
            events[..],
            [
                ConversationEvent::Began { .. },
                ConversationEvent::TurnBegan { .. },
                ConversationEvent::Decided(_),
                ConversationEvent::Started { .. },
                ConversationEvent::Answered { .. }
            ]
        ),
        "{events:?}"
    );
}

#[tokio::test]
async fn a_native_write_past_its_deadline_is_given_up() {
    let stage = Stage::new(&[stuck()]);
    let conversation = stage.open(Mode::Text).await;
    let running = conversation.call(vec![call("call-00001", "stuck", json!({}))]);
    let (answers, ()) = tokio::join!(running, async { stage.clock.advance(4000) });
    assert_eq!(words(&answers), ["OUTCOME_UNKNOWN"]);
    assert_eq!(stage.records(), ["call-00001 timed_out"]);
}

#[tokio::test]
async fn a_call_is_known_for_a_week() {
    const HOUR: u64 = 3_600_000;
    let stage = Stage::new(&[echo("echo", json!({}))]);
    let conversation = stage.open(Mode::Text).await;
    let same = || vec![call("call-00001", "echo", json!({}))];
    conversation.call(same()).await;
    stage.clock.advance(167 * HOUR);
    conversation.begin_turn(TurnInput::Written).await.unwrap();
    assert!(conversation.call(same()).await[0].meta().replayed);
    stage.clock.advance(2 * HOUR);
    conversation.begin_turn(TurnInput::Written).await.unwrap();
    assert!(!conversation.call(same()).await[0].meta().replayed);
}

#[tokio::test]
async fn a_yes_is_heard_in_the_language_of_the_grammar() {
    let german = r#"{
        "yes": ["ja"], "no": ["nein"], "refusals": [], "unclear": [],
        "openers": [], "fillers": ["bitte"], "hesitations": []
    }"#;
    let german = Arc::new(Grammar::from_json(german).unwrap());
    let writes = json!({ "sideEffects": "writes", "requiresConfirmation": true });
    let stage = Stage::hearing(Arc::new(MemoryStore::new()), &[echo("book", writes)], german);
    let conversation = stage.open(Mode::Voice).await;
    conversation.call(vec![call("call-00001", "book", json!({}))]).await;
    let spoken = |text: &str| TurnInput::Spoken { text: text.to_owned(), began_ms: NOW };
    let english = conversation.begin_turn(spoken("yes please")).await.unwrap().resolutions;
    assert!(matches!(english[..], [Resolution::AskAgain { .. }]), "{english:?}");
    let approved = conversation.begin_turn(spoken("Ja, bitte!")).await.unwrap().resolutions;
    assert!(matches!(approved[..], [Resolution::Approved(_)]), "{approved:?}");
}
