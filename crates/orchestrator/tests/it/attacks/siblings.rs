//! Writes of one message while one of them waits for the person, and calls that are made twice.

use aileron_capability::success;
use aileron_contract::Mode;
use aileron_orchestrator::Resolution;
use serde_json::json;

use super::{Scene, asked, told};
use crate::ground::{Ground, ask};
use crate::stage::{Stage, ada, call, native, spec, words};

#[tokio::test]
async fn a_sibling_that_needs_no_approval_runs_only_after_it() {
    let scene = Scene::new("sibling", Mode::Text).await;
    let calls = vec![
        call("call-note-1", "note", json!({})),
        call("call-look-1", "look", json!({})),
        call("call-book-1", "book", json!({})),
    ];
    let answers = scene.conversation.call(calls).await;
    assert_eq!(words(&answers), ["CONFIRMATION_REQUIRED", "ok", "CONFIRMATION_REQUIRED"]);
    assert!(scene.ground.effects().is_empty());
    let token = asked(&answers[2]).token;
    assert_eq!(told(scene.answer(&token, true).await), ("approved", vec!["ok", "ok"]));
    assert_eq!(scene.ground.effects(), ["call-book-1", "call-note-1"]);
}

#[tokio::test]
async fn a_sibling_that_needs_approval_is_asked_about_by_itself() {
    let scene = Scene::new("sibling-asks", Mode::Text).await;
    let calls = vec![call("call-book-1", "book", json!({})), call("call-pay-01", "pay", json!({}))];
    let answers = scene.conversation.call(calls).await;
    let token = asked(&answers[0]).token;
    assert!(answers[1].failure().unwrap().confirmation_request.is_none());
    let approved = scene.answer(&token, true).await.unwrap();
    assert_eq!(scene.ground.effects().len(), 1);
    let Resolution::Approved(late) = approved else { panic!() };
    let second = asked(&late[1].answer).token;
    assert_eq!(told(scene.answer(&second, true).await), ("approved", vec!["ok"]));
    assert_eq!(scene.ground.effects().len(), 2);
}

#[tokio::test]
async fn a_no_holds_for_the_siblings_too() {
    let scene = Scene::new("sibling-no", Mode::Text).await;
    let calls =
        vec![call("call-book-1", "book", json!({})), call("call-note-1", "note", json!({}))];
    let answers = scene.conversation.call(calls).await;
    let declined = scene.answer(&asked(&answers[0]).token, false).await;
    assert_eq!(told(declined), ("declined", vec!["DENIED", "DENIED"]));
    scene.check(
        0,
        &[
            "call-note-1 refused:confirmation",
            "call-book-1 refused:confirmation",
            "confirmed denied",
            "confirmed.1 denied",
        ],
    );
}

#[tokio::test]
async fn siblings_of_a_question_nobody_answered_are_not_told_of_a_no() {
    let scene = Scene::new("sibling-late", Mode::Text).await;
    let calls =
        vec![call("call-book-1", "book", json!({})), call("call-note-1", "note", json!({}))];
    let answers = scene.conversation.call(calls).await;
    scene.stage.clock.advance(300_000);
    let expired = scene.answer(&asked(&answers[0]).token, true).await.unwrap();
    let Resolution::Expired(late) = expired else { panic!() };
    let message = &late[1].answer.failure().unwrap().message;
    assert!(message.contains("in time"), "{message}");
    assert!(scene.ground.effects().is_empty());
}

#[tokio::test]
async fn a_call_that_stands_twice_in_a_message_is_one_question() {
    let scene = Scene::new("twin", Mode::Text).await;
    for (first, second) in [("call-book-1", "call-book-1"), ("b1", "b2")] {
        let args = json!({ "n": first.len() });
        let twice = [first, second].map(|id| call(id, "book", args.clone()));
        let answers = scene.conversation.call(twice.into()).await;
        assert_eq!(asked(&answers[0]).token, asked(&answers[1]).token);
        let approved = scene.answer(&asked(&answers[0]).token, true).await;
        assert_eq!(told(approved), ("approved", vec!["ok"]));
    }
    assert_eq!(scene.ground.effects().len(), 2);
}

#[tokio::test]
async fn a_call_delivered_again_while_the_person_is_asked_is_the_same_question() {
    let scene = Scene::new("delivered-again", Mode::Text).await;
    let first = scene.question().await;
    let second = scene.question().await;
    assert_eq!(first, second);
    scene.check(0, &["call-book-5 refused:confirmation"]);
}

#[tokio::test]
async fn no_tool_makes_a_call_that_the_person_would_be_asked_about() {
    let more = json!({ "sideEffects": "writes", "capabilities": ["tools"] });
    let run = native("broker", |_, context| {
        Box::pin(async move { success(json!(context.call_tool("book", json!({})).await?)) })
    });
    let stage = Stage::new(&[(spec("broker", more), run), ask("book")]);
    let conversation = stage.open_as("broker", Mode::Text, ada()).await;
    let answers = conversation.call(vec![call("call-00001", "broker", json!({}))]).await;
    let answer = serde_json::to_value(&*answers[0]).unwrap();
    assert_eq!(answer["data"]["error"]["type"], "CONFIRMATION_REQUIRED", "{answer}");
    assert!(answer["data"]["error"].get("confirmation_request").is_none(), "{answer}");
    assert!(Ground::of("broker").effects().is_empty());
    assert_eq!(stage.records(), ["call-00001.1 refused:confirmation", "call-00001 completed"]);
}

/// A booking and the note that waits for it, as a provider delivers them again after a reconnect.
async fn deliver(scene: &Scene) -> Vec<&'static str> {
    let calls =
        vec![call("call-book-1", "book", json!({})), call("call-note-1", "note", json!({}))];
    words(&scene.conversation.call(calls).await)
}

const BOTH_WAIT: [&str; 2] = ["CONFIRMATION_REQUIRED"; 2];

#[tokio::test]
async fn a_sibling_delivered_again_still_waits() {
    let scene = Scene::new("sibling-again", Mode::Text).await;
    assert_eq!(deliver(&scene).await, BOTH_WAIT);
    assert_eq!(deliver(&scene).await, BOTH_WAIT);
    let alone = scene.conversation.call(vec![call("call-note-1", "note", json!({}))]).await;
    assert_eq!(words(&alone), ["CONFIRMATION_REQUIRED"]);
    let scene = scene.restarted(1000).await;
    assert_eq!(deliver(&scene).await, BOTH_WAIT);
    scene.check(0, &["call-note-1 refused:confirmation", "call-book-1 refused:confirmation"]);
}

#[tokio::test]
async fn calls_delivered_again_after_the_yes_are_not_made_again() {
    let scene = Scene::new("again-after-yes", Mode::Text).await;
    let answers = scene
        .conversation
        .call(vec![call("call-book-1", "book", json!({})), call("call-note-1", "note", json!({}))]);
    let token = asked(&answers.await[0]).token;
    scene.answer(&token, true).await.unwrap();
    assert_eq!(deliver(&scene).await, ["ok", "ok"]);
    let scene = scene.restarted(1000).await;
    assert_eq!(deliver(&scene).await, ["ok", "ok"]);
    assert_eq!(scene.ground.effects().len(), 2);
    assert_eq!(scene.stage.records().len(), 4);
}

#[tokio::test]
async fn calls_delivered_again_after_the_no_are_still_denied() {
    let scene = Scene::new("again-after-no", Mode::Text).await;
    let answers = scene
        .conversation
        .call(vec![call("call-book-1", "book", json!({})), call("call-note-1", "note", json!({}))]);
    let token = asked(&answers.await[0]).token;
    scene.answer(&token, false).await.unwrap();
    assert_eq!(deliver(&scene).await, ["DENIED", "DENIED"]);
    let scene = scene.restarted(1000).await;
    assert_eq!(deliver(&scene).await, ["DENIED", "DENIED"]);
    assert!(scene.ground.effects().is_empty());
    assert_eq!(scene.stage.records().len(), 4);
}

#[tokio::test]
async fn a_sibling_with_a_question_of_its_own_is_followed_through_both() {
    let scene = Scene::new("followed", Mode::Text).await;
    let both =
        || vec![call("call-book-1", "book", json!({})), call("call-pay-01", "pay", json!({}))];
    let first = asked(&scene.conversation.call(both()).await[0]).token;
    let approved = scene.answer(&first, true).await.unwrap();
    let Resolution::Approved(late) = approved else { panic!() };
    let second = asked(&late[1].answer).token;
    let again = scene.conversation.call(both()).await;
    assert_eq!((words(&again)[0], asked(&again[1]).token), ("ok", second.clone()));
    let paid = scene.answer(&second, true).await.unwrap();
    assert_eq!(late_ids(paid), ["call-pay-01"], "the model knows the call by the id it gave it");
    assert_eq!(words(&scene.conversation.call(both()).await), ["ok", "ok"]);
    assert_eq!(scene.ground.effects().len(), 2);
}

#[tokio::test]
async fn a_no_to_the_second_question_names_the_calls_by_the_ids_the_model_gave_them() {
    let scene = Scene::new("second-no", Mode::Text).await;
    let calls = vec![
        call("call-book-1", "book", json!({})),
        call("call-pay-01", "pay", json!({})),
        call("call-note-1", "note", json!({})),
    ];
    let first = asked(&scene.conversation.call(calls).await[0]).token;
    let approved = scene.answer(&first, true).await.unwrap();
    let Resolution::Approved(late) = approved else { panic!() };
    let declined = scene.answer(&asked(&late[1].answer).token, false).await.unwrap();
    assert_eq!(late_ids(declined), ["call-pay-01", "call-note-1"]);
    assert_eq!(scene.ground.effects(), ["call-book-1"]);
}

fn late_ids(resolution: Resolution) -> Vec<String> {
    let (Resolution::Approved(late) | Resolution::Declined(late)) = resolution else { panic!() };
    late.iter().map(|late| late.call_id.to_string()).collect()
}

#[tokio::test]
async fn what_waited_for_a_question_that_was_withdrawn_does_not_run() {
    let scene = Scene::new("withdrawn", Mode::Text).await;
    assert_eq!(deliver(&scene).await, BOTH_WAIT);
    // The model requests the same with another note: the first confirmation and its note are
    // superseded.
    let calls = vec![
        call("call-book-2", "book", json!({})),
        call("call-note-2", "note", json!({ "n": 2 })),
    ];
    let answers = scene.conversation.call(calls).await;
    let old = scene.conversation.call(vec![call("call-note-1", "note", json!({}))]).await;
    assert_eq!(words(&old), ["DENIED"]);
    scene.answer(&asked(&answers[0]).token, true).await.unwrap();
    assert_eq!(scene.ground.effects().len(), 2);
}
