//! Calls: each answered once, in the turn it belongs to.

use serde_json::{Value, json};

use super::client::Client;
use super::ground::Ground;
use super::provider::ready;
use super::stage::Stage;

/// The phases of a call up to its end.
async fn phases(client: &mut Client) -> Vec<Value> {
    let mut phases = Vec::new();
    loop {
        let tool = client.expect("tool").await;
        phases.push(tool["phase"].clone());
        if tool["phase"] != "started" && tool["phase"] != "progress" {
            return phases;
        }
    }
}

#[tokio::test]
async fn a_call_is_answered_and_shown() {
    let stage = Stage::new().await;
    let (mut client, mut peer, _) = ready(&stage).await;
    peer.heard("look").await;
    peer.call("call-look-1", "look", json!({ "n": 7 })).await;
    let answer = peer.answer().await;
    let seen = json!({ "output": { "seen": { "n": 7 } } });
    assert_eq!(answer, ("call-look-1".into(), seen));
    assert_eq!(phases(&mut client).await, ["started", "finished"]);
    assert_eq!(stage.records(), ["call-look-1 completed"]);
}

#[tokio::test]
async fn a_tool_that_voice_does_not_allow_is_refused_and_answered() {
    let stage = Stage::new().await;
    let (mut client, mut peer, _) = ready(&stage).await;
    peer.call("call-note-1", "note_down", json!({})).await;
    let (id, response) = peer.answer().await;
    assert_eq!(id, "call-note-1");
    assert!(response["error"].to_string().contains("MODE_RESTRICTED"), "{response}");
    assert_eq!(phases(&mut client).await, ["refused"]);
}

#[tokio::test]
async fn budgets_begin_anew_with_the_persons_words_and_not_with_the_models() {
    let stage = Stage::new().await;
    let (_client, mut peer, _) = ready(&stage).await;
    peer.heard("look around").await;
    let mut refused = Vec::new();
    for n in 0..5 {
        peer.call(&format!("call-look-{n}"), "look", json!({ "n": n })).await;
        refused.push(!peer.answer().await.1["error"].is_null());
    }
    assert_eq!(refused, [false, false, false, true, true]);
    peer.turn_complete().await;
    peer.heard("and again").await;
    peer.call("call-look-9", "look", json!({ "n": 9 })).await;
    assert!(peer.answer().await.1["error"].is_null());
}

#[tokio::test]
async fn a_transcription_that_comes_after_the_calls_belongs_to_their_turn() {
    let stage = Stage::new().await;
    let (mut client, mut peer, _) = ready(&stage).await;
    client.audio(640).await;
    peer.read().await;
    for n in 0..3 {
        peer.call(&format!("call-look-{n}"), "look", json!({ "n": n })).await;
        assert!(peer.answer().await.1["error"].is_null());
    }
    peer.heard("look around").await;
    client.expect("transcript").await;
    peer.call("call-look-9", "look", json!({ "n": 9 })).await;
    let (_, response) = peer.answer().await;
    assert!(response["error"].to_string().contains("BUDGET_EXCEEDED"), "{response}");
}

#[tokio::test]
async fn a_connection_made_again_gives_the_model_no_further_budget() {
    let stage = Stage::new().await;
    let (client, mut peer, id) = ready(&stage).await;
    peer.heard("look around").await;
    for n in 0..3 {
        peer.call(&format!("call-look-{n}"), "look", json!({ "n": n })).await;
        peer.answer().await;
    }
    drop((client, peer));
    let mut client = stage.client().await;
    client.say(json!({ "type": "start", "conversationId": id })).await;
    let (mut peer, _) = stage.upstream.gemini().await;
    client.expect("ready").await;
    peer.call("call-look-9", "look", json!({ "n": 9 })).await;
    // Earlier messages may arrive first.
    let response = loop {
        let frame = peer.read().await;
        if frame["toolResponse"].is_object() {
            break frame["toolResponse"]["functionResponses"][0]["response"].clone();
        }
    };
    assert!(response["error"].to_string().contains("BUDGET_EXCEEDED"), "{response}");
}

#[tokio::test]
async fn a_slow_call_does_not_hold_up_the_audio() {
    let stage = Stage::new().await;
    let (mut client, mut peer, id) = ready(&stage).await;
    peer.call("call-slow-1", "look_slowly", json!({})).await;
    Ground::of(&id).arrival().await;
    client.audio(640).await;
    assert!(peer.read().await["realtimeInput"]["audio"].is_object());
    Ground::of(&id).open_gate();
    assert_eq!(peer.answer().await.0, "call-slow-1");
}

#[tokio::test]
async fn calls_of_one_message_are_answered_together() {
    let stage = Stage::new().await;
    let (_client, mut peer, id) = ready(&stage).await;
    let calls = json!([
        { "id": "call-send-1", "name": "send", "args": { "n": 1 } },
        { "id": "call-look-1", "name": "look", "args": {} },
        { "id": "call-none-1", "name": "nothing_like_it", "args": {} },
    ]);
    peer.say(json!({ "toolCall": { "functionCalls": calls } })).await;
    let frame = peer.read().await;
    let answers = frame["toolResponse"]["functionResponses"].as_array().unwrap();
    let ids: Vec<_> = answers.iter().map(|answer| answer["id"].clone()).collect();
    assert_eq!(ids, ["call-send-1", "call-look-1", "call-none-1"]);
    assert_eq!(Ground::of(&id).effects(), [json!({ "n": 1 })]);
}
