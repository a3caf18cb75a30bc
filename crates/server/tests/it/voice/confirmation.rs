//! Approval by click and by speech, and never by the words that led to the question.

use serde_json::{Value, json};

use super::client::Client;
use super::ground::Ground;
use super::provider::{Peer, ready};
use super::stage::Stage;

/// The model wants to pay, and the person is asked.
async fn asked(client: &mut Client, peer: &mut Peer) -> Value {
    peer.heard("pay it").await;
    peer.call("call-pay-1", "pay", json!({ "n": 5 })).await;
    let (_, response) = peer.answer().await;
    assert!(response["error"].to_string().contains("CONFIRMATION_REQUIRED"), "{response}");
    let question = client.expect("confirmation_request").await;
    assert_eq!(question["preview"], "Pay 5");
    question
}

/// The model asks aloud, and ends its turn.
async fn spoken(stage: &Stage, client: &mut Client, peer: &mut Peer) {
    stage.clock.advance(2000);
    peer.speak().await;
    peer.turn_complete().await;
    client.expect("turn_complete").await;
    stage.clock.advance(1000);
}

/// The text that the model receives.
async fn told(peer: &mut Peer) -> String {
    let frame = peer.read().await;
    let text = frame["clientContent"]["turns"][0]["parts"][0]["text"].as_str();
    text.unwrap_or_else(|| panic!("words, found {frame}")).to_owned()
}

#[tokio::test]
async fn a_click_makes_the_call() {
    let stage = Stage::new().await;
    let (mut client, mut peer, id) = ready(&stage).await;
    let question = asked(&mut client, &mut peer).await;
    client.say(json!({"type": "confirm", "token": question["token"], "approve": true})).await;
    let text = told(&mut peer).await;
    assert!(text.contains("call-pay-1") && text.contains("\"n\":5"), "{text}");
    assert_eq!(Ground::of(&id).effects(), [json!({ "n": 5 })]);
    assert_eq!(client.expect("confirmation_closed").await["how"], "approved");
}

#[tokio::test]
async fn a_click_on_no_denies_the_call() {
    let stage = Stage::new().await;
    let (mut client, mut peer, id) = ready(&stage).await;
    let question = asked(&mut client, &mut peer).await;
    client.say(json!({"type": "confirm", "token": question["token"], "approve": false})).await;
    assert!(told(&mut peer).await.contains("DENIED"));
    assert_eq!(Ground::of(&id).effects(), Vec::<Value>::new());
}

#[tokio::test]
async fn a_yes_after_the_question_makes_the_call() {
    let stage = Stage::new().await;
    let (mut client, mut peer, id) = ready(&stage).await;
    asked(&mut client, &mut peer).await;
    spoken(&stage, &mut client, &mut peer).await;
    peer.heard("yes please").await;
    assert!(told(&mut peer).await.contains("call-pay-1"));
    assert_eq!(Ground::of(&id).effects(), [json!({ "n": 5 })]);
}

#[tokio::test]
async fn a_no_after_the_question_denies_the_call() {
    let stage = Stage::new().await;
    let (mut client, mut peer, id) = ready(&stage).await;
    asked(&mut client, &mut peer).await;
    spoken(&stage, &mut client, &mut peer).await;
    peer.heard("no").await;
    assert!(told(&mut peer).await.contains("DENIED"));
    assert_eq!(Ground::of(&id).effects(), Vec::<Value>::new());
}

#[tokio::test]
async fn an_unclear_answer_is_asked_about_again() {
    let stage = Stage::new().await;
    let (mut client, mut peer, id) = ready(&stage).await;
    asked(&mut client, &mut peer).await;
    spoken(&stage, &mut client, &mut peer).await;
    peer.heard("what is the weather").await;
    assert_eq!(client.expect("confirmation_request").await["again"], true);
    spoken(&stage, &mut client, &mut peer).await;
    peer.heard("yes").await;
    assert!(told(&mut peer).await.contains("call-pay-1"));
    assert_eq!(Ground::of(&id).effects().len(), 1);
}

#[tokio::test]
async fn the_words_that_led_to_the_question_do_not_answer_it_however_late_they_come() {
    let stage = Stage::new().await;
    let (mut client, mut peer, id) = ready(&stage).await;
    client.audio(640).await;
    peer.read().await;
    peer.call("call-pay-1", "pay", json!({ "n": 5 })).await;
    peer.answer().await;
    client.expect("confirmation_request").await;
    stage.clock.advance(10);
    peer.heard("yes").await;
    client.expect("transcript").await;
    peer.turn_complete().await;
    client.expect("turn_complete").await;
    assert_eq!(Ground::of(&id).effects(), Vec::<Value>::new());
    // The next utterance does.
    stage.clock.advance(10);
    peer.heard("yes").await;
    assert!(told(&mut peer).await.contains("call-pay-1"));
    assert_eq!(Ground::of(&id).effects().len(), 1);
}

#[tokio::test]
async fn a_token_of_another_conversation_is_refused() {
    let stage = Stage::new().await;
    let (mut mine, mut peer, id) = ready(&stage).await;
    let question = asked(&mut mine, &mut peer).await;
    let (mut theirs, _their_peer, _) = ready(&stage).await;
    for token in [question["token"].clone(), json!("nonsense"), json!("")] {
        theirs.say(json!({"type": "confirm", "token": token, "approve": true})).await;
        assert_eq!(theirs.expect("error").await["code"], "confirmation_refused");
    }
    assert_eq!(Ground::of(&id).effects(), Vec::<Value>::new());
}

#[tokio::test]
async fn a_double_click_tells_the_model_once() {
    let stage = Stage::new().await;
    let (mut client, mut peer, id) = ready(&stage).await;
    let question = asked(&mut client, &mut peer).await;
    for approve in [true, true, false] {
        let click = json!({"type": "confirm", "token": question["token"], "approve": approve});
        client.say(click).await;
    }
    assert!(told(&mut peer).await.contains("call-pay-1"));
    assert_eq!(client.expect("error").await["code"], "confirmation_refused");
    assert_eq!(Ground::of(&id).effects(), [json!({ "n": 5 })]);
    // The next input of the model is something else.
    client.say(json!({"type": "text", "text": "And now?"})).await;
    assert!(!peer.read().await.to_string().contains("call-pay-1"));
}

#[tokio::test]
async fn words_that_take_it_back_close_the_question() {
    let stage = Stage::new().await;
    let (mut client, mut peer, id) = ready(&stage).await;
    let question = asked(&mut client, &mut peer).await;
    spoken(&stage, &mut client, &mut peer).await;
    peer.heard("hmm, I changed my mind about it").await;
    assert!(told(&mut peer).await.contains("changed their mind"));
    assert_eq!(client.expect("confirmation_closed").await["how"], "superseded");
    client.say(json!({"type": "confirm", "token": question["token"], "approve": true})).await;
    assert_eq!(client.expect("error").await["code"], "confirmation_refused");
    assert_eq!(Ground::of(&id).effects(), Vec::<Value>::new());
}
