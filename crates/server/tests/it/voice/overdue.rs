//! Providers that leave out the end of a turn, or stop a reply, and a person who does not want it.

use serde_json::json;

use super::client::Sent;
use super::provider::{openai_ready, ready};
use super::stage::Stage;

/// How long after a reply was played its turn is taken as over, and a little more.
const OVERDUE_MS: u64 = 2500;

#[tokio::test]
async fn a_turn_of_gemini_without_an_end_is_over_once_it_was_heard() {
    let stage = Stage::new().await;
    let (mut client, mut peer, _) = ready(&stage).await;
    peer.heard("hello").await;
    peer.speak().await;
    peer.generated().await;
    peer.words("Hi there.").await;
    while client.expect("transcript").await["role"] != "assistant" {}
    stage.clock.advance(OVERDUE_MS);
    let last = client.expect("transcript").await;
    assert_eq!((&last["text"], &last["final"]), (&json!("Hi there."), &json!(true)));
    client.expect("turn_complete").await;
}

#[tokio::test]
async fn what_is_said_after_a_turn_without_an_end_has_a_budget_of_its_own() {
    let stage = Stage::new().await;
    let (mut client, mut peer, _) = ready(&stage).await;
    peer.heard("one").await;
    let mut made = 0;
    let spent = loop {
        made += 1;
        peer.call(&format!("call-look-{made}"), "look", json!({ "n": made })).await;
        let (_, response) = peer.answer().await;
        if response["error"].is_object() {
            break response;
        }
    };
    assert!(spent.to_string().contains("BUDGET") && made < 20, "{spent}");
    peer.speak().await;
    peer.generated().await;
    peer.heard("two").await;
    client.expect("turn_complete").await;
    peer.call("call-look-again", "look", json!({ "n": 100 })).await;
    let (_, response) = peer.answer().await;
    assert!(response["output"].is_object(), "{response}");
}

#[tokio::test]
async fn a_call_of_a_response_without_an_end_is_made_and_answered_once() {
    let stage = Stage::new().await;
    let (mut client, mut peer, _) = openai_ready(&stage).await;
    client.say(json!({ "type": "text", "text": "look it up" })).await;
    peer.read().await;
    peer.read().await;
    let response = json!({ "id": "r1", "metadata": { "aileron": "reply" } });
    peer.say(json!({ "type": "response.created", "response": response })).await;
    peer.written_call("call_look_1", "look").await;
    let kind = "conversation.item.input_audio_transcription.delta";
    peer.say(json!({ "type": kind, "item_id": "i", "delta": "hm" })).await;
    client.expect("transcript").await;
    stage.clock.advance(OVERDUE_MS);
    let answer = peer.read().await;
    assert_eq!(answer["item"]["call_id"], "call_look_1", "{answer}");
    assert_eq!(peer.read().await["type"], "response.create");
    // The end comes late and changes nothing.
    peer.done("r1", &[("call_look_1", "look")]).await;
    client.say(json!({ "type": "text", "text": "and?" })).await;
    assert_eq!(peer.read().await["type"], "response.cancel");
    assert_eq!(peer.read().await["item"]["content"][0]["text"], "and?");
    assert_eq!(stage.records(), ["call_look_1 completed"]);
}

#[tokio::test]
async fn texts_are_answered_although_no_response_ever_ends() {
    let stage = Stage::new().await;
    let (mut client, mut peer, _) = openai_ready(&stage).await;
    client.say(json!({ "type": "text", "text": "one" })).await;
    peer.read().await;
    peer.read().await;
    for (n, text) in ["two", "three"].into_iter().enumerate() {
        let response = json!({ "id": format!("r{n}"), "metadata": { "aileron": "reply" } });
        peer.say(json!({ "type": "response.created", "response": response })).await;
        peer.sounds(&format!("r{n}")).await;
        while !matches!(client.next().await, Sent::Audio(_)) {}
        client.say(json!({ "type": "text", "text": text })).await;
        let cancel = peer.read().await;
        assert_eq!(cancel["type"], "response.cancel", "{cancel}");
        // The part that was not played is truncated in between.
        assert_eq!(peer.read().await["type"], "conversation.item.truncate");
        let item = peer.read().await;
        assert_eq!(item["item"]["content"][0]["text"], text);
        let error = json!({
            "type": "invalid_request_error", "code": "response_cancel_not_active",
            "message": "", "event_id": cancel["event_id"],
        });
        peer.say(json!({ "type": "error", "error": error })).await;
        assert_eq!(peer.read().await["type"], "response.create");
    }
}

#[tokio::test]
async fn a_reply_that_fails_twice_is_told_in_our_words() {
    let stage = Stage::new().await;
    let (mut client, mut peer, _) = openai_ready(&stage).await;
    peer.spoken_to("hello", "r1").await;
    peer.failed("r1", "rate_limit_exceeded").await;
    assert_eq!(peer.read().await["type"], "response.create");
    let response = json!({ "id": "r2", "metadata": { "aileron": "reply" } });
    peer.say(json!({ "type": "response.created", "response": response })).await;
    peer.failed("r2", "rate_limit_exceeded").await;
    let error = client.expect("error").await;
    assert_eq!(error["code"], "reply_failed");
    assert!(!error.to_string().contains("org-secret"), "{error}");
    client.expect("turn_complete").await;
}

#[tokio::test]
async fn the_interrupt_button_before_the_first_sound_mutes_the_reply() {
    for provider in ["gemini", "offline"] {
        let stage = Stage::new().await;
        let mut client = stage.client().await;
        client.say(json!({ "type": "start", "provider": provider })).await;
        let (mut peer, _) = stage.upstream.gemini().await;
        client.expect("ready").await;
        client.say(json!({ "type": "text", "text": "hello" })).await;
        peer.read().await;
        client.say(json!({ "type": "interrupt" })).await;
        client.expect("interrupted").await;
        peer.speak().await;
        peer.speak().await;
        peer.turn_complete().await;
        let next = client.next().await;
        assert_eq!(next, Sent::Message(json!({ "type": "turn_complete" })), "{provider}");
        client.say(json!({ "type": "text", "text": "and now?" })).await;
        peer.read().await;
        peer.speak().await;
        assert_eq!(client.next().await, Sent::Audio(4800));
    }
}
