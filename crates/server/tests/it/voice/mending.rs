//! A question outlives its connection: the input of the next connection, and the audio that the
//! person hears.

use serde_json::{Value, json};

use super::client::Sent;
use super::provider::{Peer, openai_ready, ready};
use super::stage::Stage;

const QUESTION: &str = "what is Atlas?";

/// The texts of a `clientContent` that asks for a reply.
#[track_caller]
fn texts(frame: &Value) -> Vec<&str> {
    let content = &frame["clientContent"];
    assert_eq!(content["turnComplete"], true, "{frame}");
    let turns = content["turns"].as_array().unwrap().iter();
    turns.map(|turn| turn["parts"][0]["text"].as_str().unwrap()).collect()
}

/// The text of an item that OpenAI is given.
#[track_caller]
fn item(frame: &Value) -> &str {
    assert_eq!(frame["type"], "conversation.item.create", "{frame}");
    frame["item"]["content"][0]["text"].as_str().unwrap_or_else(|| panic!("{frame}"))
}

async fn types(peer: &mut Peer, count: usize) -> Vec<Value> {
    let mut types = Vec::new();
    for _ in 0..count {
        types.push(peer.read().await["type"].clone());
    }
    types
}

#[tokio::test]
async fn gemini_is_asked_again_what_a_drop_cut_off_and_once() {
    let stage = Stage::new().await;
    let (mut client, mut peer, _) = ready(&stage).await;
    peer.heard(QUESTION).await;
    peer.speak().await;
    peer.words("Atlas is").await;
    client.expect("transcript").await;
    drop(peer);
    // The words spoken until then are the final transcript of that reply.
    let last = loop {
        let words = client.expect("transcript").await;
        if words["role"] == "assistant" && words["final"] == true {
            break words;
        }
    };
    assert_eq!(last["text"], "Atlas is");
    assert_eq!(client.expect("error").await["code"], "reconnecting");
    let (mut peer, _) = stage.upstream.gemini().await;
    client.expect("ready").await;
    assert_eq!(texts(&peer.read().await), [QUESTION]);
    peer.speak().await;
    peer.turn_complete().await;
    client.expect("turn_complete").await;
    drop(peer);
    let (mut peer, _) = stage.upstream.gemini().await;
    let told = texts_of_history(&mut peer).await;
    assert_eq!(told, [QUESTION]);
    client.say(json!({ "type": "text", "text": "and Kite?" })).await;
    assert_eq!(texts(&peer.read().await), ["and Kite?"]);
}

/// Without a resumption handle, Gemini receives the history.
async fn texts_of_history(peer: &mut Peer) -> Vec<String> {
    let history = peer.read().await;
    texts(&history).into_iter().map(str::to_owned).collect()
}

#[tokio::test]
async fn openai_is_asked_again_what_a_drop_cut_off_and_once() {
    let stage = Stage::new().await;
    let (mut client, mut peer, _) = openai_ready(&stage).await;
    peer.spoken_to(QUESTION, "r1").await;
    peer.sounds("r1").await;
    while !matches!(client.next().await, Sent::Audio(_)) {}
    drop(peer);
    assert_eq!(client.expect("error").await["code"], "reconnecting");
    let (mut peer, _) = stage.upstream.openai().await;
    client.expect("ready").await;
    assert_eq!(item(&peer.read().await), QUESTION);
    assert_eq!(types(&mut peer, 1).await, ["response.create"]);
    let response = json!({ "id": "r1", "metadata": { "aileron": "reply" } });
    peer.say(json!({ "type": "response.created", "response": response })).await;
    peer.sounds("r1").await;
    peer.done("r1", &[]).await;
    client.expect("turn_complete").await;
    drop(peer);
    let (mut peer, _) = stage.upstream.openai().await;
    // By now it is history, and no reply to it is requested.
    assert_eq!(item(&peer.read().await), QUESTION);
    client.expect("ready").await;
    client.say(json!({ "type": "text", "text": "and Kite?" })).await;
    assert_eq!(item(&peer.read().await), "and Kite?");
}

#[tokio::test]
async fn a_provider_that_leaves_in_mid_reply_does_not_cut_the_person_off_in_silence() {
    let stage = Stage::new().await;
    let (mut client, mut peer, _) = ready(&stage).await;
    peer.heard(QUESTION).await;
    peer.speak().await;
    peer.say(json!({ "goAway": { "timeLeft": "2s" } })).await;
    assert_eq!(client.expect("error").await["code"], "reconnecting");
    let (mut next, _) = stage.upstream.gemini().await;
    client.expect("ready").await;
    assert_eq!(texts(&next.read().await), [QUESTION]);
    next.speak().await;
    next.turn_complete().await;
    client.expect("turn_complete").await;
}

#[tokio::test]
async fn a_provider_that_leaves_is_heard_out_where_there_is_time() {
    let stage = Stage::new().await;
    let (mut client, mut peer, _) = ready(&stage).await;
    peer.heard(QUESTION).await;
    peer.speak().await;
    peer.say(json!({ "goAway": { "timeLeft": "60s" } })).await;
    peer.speak().await;
    peer.turn_complete().await;
    let (mut next, _) = stage.upstream.gemini().await;
    assert_eq!(texts_of_history(&mut next).await, [QUESTION]);
    client.say(json!({ "type": "text", "text": "and Kite?" })).await;
    assert_eq!(texts(&next.read().await), ["and Kite?"]);
    next.turn_complete().await;
    for wanted in ["turn_complete", "turn_complete"] {
        loop {
            let message = client.message().await;
            assert_ne!(message["type"], "error", "{message}");
            if message["type"] == wanted {
                break;
            }
        }
    }
}

#[tokio::test]
async fn a_question_and_the_answer_of_its_call_are_told_in_one_message() {
    let stage = Stage::new().await;
    let (mut client, mut peer, _) = ready(&stage).await;
    peer.heard("look it up").await;
    peer.call("call-look-1", "look", json!({})).await;
    peer.answer().await;
    drop(peer);
    client.expect("error").await;
    let (mut peer, _) = stage.upstream.gemini().await;
    let told = peer.read().await;
    let told = texts(&told);
    assert!(told[0] == "look it up" && told[1].contains("call-look-1"), "{told:?}");
}

#[tokio::test]
async fn openai_is_told_again_what_tools_answered() {
    let stage = Stage::new().await;
    let (mut client, mut peer, _) = openai_ready(&stage).await;
    peer.spoken_to("look it up", "r1").await;
    peer.done("r1", &[("call_look_1", "look")]).await;
    assert_eq!(types(&mut peer, 2).await, ["conversation.item.create", "response.create"]);
    let response = json!({ "id": "r2", "metadata": { "aileron": "reply" } });
    peer.say(json!({ "type": "response.created", "response": response })).await;
    peer.sounds("r2").await;
    peer.done("r2", &[]).await;
    client.expect("turn_complete").await;
    drop(peer);
    let (mut peer, _) = stage.upstream.openai().await;
    assert_eq!(item(&peer.read().await), "look it up");
    let told = peer.read().await;
    assert!(item(&told).contains("Earlier") && item(&told).contains("call_look_1"), "{told}");
}

#[tokio::test]
async fn an_answer_that_openai_refuses_is_told_in_words() {
    let stage = Stage::new().await;
    let (_client, mut peer, _) = openai_ready(&stage).await;
    peer.spoken_to("look it up", "r1").await;
    peer.done("r1", &[("call_look_1", "look")]).await;
    let refused = peer.read().await;
    assert_eq!(refused["item"]["type"], "function_call_output");
    assert_eq!(types(&mut peer, 1).await, ["response.create"]);
    let error = json!({
        "type": "invalid_request_error", "code": "invalid_value", "message": "no",
        "event_id": refused["event_id"],
    });
    peer.say(json!({ "type": "error", "error": error })).await;
    let told = peer.read().await;
    assert!(item(&told).contains("call_look_1"), "{told}");
}
