//! Barge-in, by speech or text: the resulting log, and the messages to the client.

use serde_json::{Value, json};

use super::client::Client;
use super::ground::Ground;
use super::provider::{Peer, openai_ready, ready};
use super::stage::Stage;

const QUESTION: &str = "Tell me about Atlas";
const CUT_OFF: &str = "It was made in";
const STOP: &str = "Stop please";
const REPLY: &str = "As you wish.";

/// The log once the session is over.
async fn log(stage: &Stage, mut client: Client, id: &str) -> Vec<String> {
    client.say(json!({ "type": "stop" })).await;
    client.rest().await;
    let reader = crate::client::Client::new(stage.address.parse().unwrap());
    let read = reader.get(&format!("/v1/conversations/{id}/messages")).await.json();
    read["messages"].as_array().unwrap().iter().map(crate::one_history::line).collect()
}

/// The expected log.
fn wanted() -> [String; 4] {
    [
        format!("1 1 person: {QUESTION}"),
        format!("2 1 model: {CUT_OFF}"),
        format!("3 2 person: {STOP}"),
        format!("4 2 model: {REPLY}"),
    ]
}

/// Waits until words of the model are shown.
async fn shown(client: &mut Client) {
    while client.expect("transcript").await["role"] != "assistant" {}
}

/// How often the client receives an interruption until the following turn is over.
async fn interruptions(client: &mut Client, turns: usize) -> usize {
    let (mut interruptions, mut over) = (0, 0);
    while over < turns {
        match client.message().await["type"].as_str() {
            Some("interrupted") => interruptions += 1,
            Some("turn_complete") => over += 1,
            _ => {}
        }
    }
    interruptions
}

/// Gemini: a reply is being spoken.
async fn gemini_speaks(stage: &Stage) -> (Client, Peer, String) {
    let (mut client, mut peer, id) = ready(stage).await;
    peer.heard(QUESTION).await;
    peer.speak().await;
    peer.words("It was").await;
    shown(&mut client).await;
    (client, peer, id)
}

/// Gemini: the reply is interrupted, and its part in flight arrives.
async fn gemini_cut(peer: &mut Peer) {
    peer.words(" made in").await;
    peer.say(json!({ "serverContent": { "interrupted": true } })).await;
    peer.turn_complete().await;
}

async fn gemini_replies(peer: &mut Peer) {
    peer.speak().await;
    peer.words(REPLY).await;
    peer.turn_complete().await;
}

#[tokio::test]
async fn speech_over_gemini_is_a_turn_of_its_own_after_the_words_it_cut_off() {
    let stage = Stage::new().await;
    let (mut client, mut peer, id) = gemini_speaks(&stage).await;
    gemini_cut(&mut peer).await;
    peer.heard(STOP).await;
    gemini_replies(&mut peer).await;
    assert_eq!(interruptions(&mut client, 2).await, 1);
    assert_eq!(log(&stage, client, &id).await, wanted());
}

#[tokio::test]
async fn writing_over_gemini_is_a_turn_of_its_own_after_the_words_it_cut_off() {
    let stage = Stage::new().await;
    let (mut client, mut peer, id) = gemini_speaks(&stage).await;
    client.say(json!({ "type": "text", "text": STOP })).await;
    assert_eq!(peer.read().await["clientContent"]["turns"][0]["parts"][0]["text"], STOP);
    peer.say(json!({ "serverContent": { "interrupted": true } })).await;
    peer.turn_complete().await;
    gemini_replies(&mut peer).await;
    assert_eq!(interruptions(&mut client, 2).await, 1);
    let mut wanted = wanted();
    wanted[1] = "2 1 model: It was".to_owned();
    assert_eq!(log(&stage, client, &id).await, wanted);
}

#[tokio::test]
async fn what_gemini_still_says_after_writing_over_it_stands_before_that() {
    let stage = Stage::new().await;
    let (mut client, mut peer, id) = gemini_speaks(&stage).await;
    client.say(json!({ "type": "text", "text": STOP })).await;
    peer.read().await;
    gemini_cut(&mut peer).await;
    gemini_replies(&mut peer).await;
    interruptions(&mut client, 2).await;
    assert_eq!(log(&stage, client, &id).await, wanted());
}

#[tokio::test]
async fn what_was_done_is_told_to_gemini_although_its_answer_was_passed_over() {
    let stage = Stage::new().await;
    let (_client, mut peer, id) = ready(&stage).await;
    peer.heard("Send it").await;
    peer.call("call-send-1", "send", json!({ "n": 1 })).await;
    // The person interrupts while the answer is in flight.
    assert_eq!(peer.answer().await.0, "call-send-1");
    peer.say(json!({ "serverContent": { "interrupted": true } })).await;
    peer.say(json!({ "toolCallCancellation": { "ids": ["call-send-1"] } })).await;
    peer.turn_complete().await;
    let told = peer.read().await["clientContent"].clone();
    let words = told["turns"][0]["parts"][0]["text"].as_str().unwrap();
    assert!(words.contains("Call: call-send-1. Result: {\"output\":"), "{words}");
    assert_eq!(told["turnComplete"], false);
    assert_eq!(Ground::of(&id).effects().len(), 1);
    assert_eq!(stage.records(), ["call-send-1 completed"]);
}

/// OpenAI: a reply is being spoken.
async fn openai_speaks(stage: &Stage) -> (Client, Peer, String) {
    let (mut client, mut peer, id) = openai_ready(stage).await;
    peer.spoken_to(QUESTION, "r1").await;
    peer.sounds("r1").await;
    openai_says(&mut peer, "r1", CUT_OFF).await;
    shown(&mut client).await;
    (client, peer, id)
}

async fn openai_says(peer: &mut Peer, response: &str, words: &str) {
    peer.say(json!({
        "type": "response.output_audio_transcript.delta", "response_id": response,
        "item_id": "a", "output_index": 0, "content_index": 0, "delta": words,
    }))
    .await;
}

async fn openai_cancelled(peer: &mut Peer) {
    let done = json!({ "id": "r1", "status": "cancelled", "output": [] });
    peer.say(json!({ "type": "response.done", "response": done })).await;
}

async fn openai_replies(peer: &mut Peer, metadata: Value) {
    let response = json!({ "id": "r2", "metadata": metadata });
    peer.say(json!({ "type": "response.created", "response": response })).await;
    peer.sounds("r2").await;
    openai_says(peer, "r2", REPLY).await;
}

async fn heard(peer: &mut Peer) {
    let kind = "conversation.item.input_audio_transcription.completed";
    peer.say(json!({ "type": kind, "item_id": "i2", "transcript": STOP })).await;
}

#[tokio::test]
async fn speech_over_openai_is_a_turn_of_its_own_after_the_words_it_cut_off() {
    for words_come_late in [false, true] {
        let stage = Stage::new().await;
        let (mut client, mut peer, id) = openai_speaks(&stage).await;
        peer.say(json!({"type": "input_audio_buffer.speech_started", "item_id": "i2"})).await;
        openai_cancelled(&mut peer).await;
        peer.say(json!({"type": "input_audio_buffer.speech_stopped", "item_id": "i2"})).await;
        if words_come_late {
            openai_replies(&mut peer, json!({})).await;
            heard(&mut peer).await;
        } else {
            heard(&mut peer).await;
            openai_replies(&mut peer, json!({})).await;
        }
        peer.done("r2", &[]).await;
        assert_eq!(interruptions(&mut client, 2).await, 1);
        assert_eq!(log(&stage, client, &id).await, wanted(), "late: {words_come_late}");
    }
}

#[tokio::test]
async fn writing_over_openai_is_a_turn_of_its_own_after_the_words_it_cut_off() {
    let stage = Stage::new().await;
    let (mut client, mut peer, id) = openai_speaks(&stage).await;
    client.say(json!({ "type": "text", "text": STOP })).await;
    while peer.read().await["type"] != "conversation.item.create" {}
    openai_cancelled(&mut peer).await;
    while peer.read().await["type"] != "response.create" {}
    openai_replies(&mut peer, json!({ "aileron": "reply" })).await;
    peer.done("r2", &[]).await;
    assert_eq!(interruptions(&mut client, 1).await, 1);
    assert_eq!(log(&stage, client, &id).await, wanted());
}

#[tokio::test]
async fn a_reply_of_which_nothing_was_heard_leaves_no_words_and_the_next_turn_is_its_own() {
    let stage = Stage::new().await;
    let (mut client, mut peer, id) = openai_speaks(&stage).await;
    client.say(json!({ "type": "interrupt" })).await;
    while peer.read().await["type"] != "response.cancel" {}
    client.say(json!({ "type": "text", "text": STOP })).await;
    while peer.read().await["type"] != "conversation.item.create" {}
    openai_cancelled(&mut peer).await;
    while peer.read().await["type"] != "response.create" {}
    openai_replies(&mut peer, json!({ "aileron": "reply" })).await;
    peer.done("r2", &[]).await;
    client.expect("turn_complete").await;
    let [asked, _, stop, reply] = wanted();
    let [stop, reply] = [stop.replacen('3', "2", 1), reply.replacen('4', "3", 1)];
    assert_eq!(log(&stage, client, &id).await, [asked, stop, reply]);
}

/// A turn over Gemini in the API: the model's speech, and its stretch that was not played.
#[tokio::test]
async fn a_turn_shows_the_speech_that_barge_in_cut_off() {
    let stage = Stage::new().await;
    let (mut client, mut peer, id) = gemini_speaks(&stage).await;
    let reader = crate::client::Client::new(stage.address.parse().unwrap());
    // The turn is stored while the reply is spoken.
    while reader.get(&format!("/v1/conversations/{id}")).await.json()["turn"] == 0 {}
    gemini_cut(&mut peer).await;
    peer.heard(STOP).await;
    gemini_replies(&mut peer).await;
    interruptions(&mut client, 2).await;
    let turn = reader.get(&format!("/v1/conversations/{id}/turns/1")).await.json();
    let kinds: Vec<_> =
        turn["spans"].as_array().unwrap().iter().map(|span| span["kind"].clone()).collect();
    assert_eq!(kinds, [json!("modelSpeech"), json!("cutOff")], "{turn}");
    assert!(turn["spans"][1]["to"].as_u64() > turn["spans"][1]["from"].as_u64(), "{turn}");
    assert_eq!((&turn["mode"], &turn["source"]), (&json!("voice"), &json!("live")));
}
