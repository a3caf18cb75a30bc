//! A conversation goes from text to voice and back, with its registry and what was said.

use serde_json::{Value, json};

use crate::client::Client;
use crate::stage::Stage;

async fn moved(client: &Client, place: &str, mode: &str) -> Value {
    let moved = client.put(&format!("{place}/mode"), json!({ "mode": mode })).await;
    assert_eq!(moved.status, 200, "{moved:?}");
    moved.json()
}

async fn called(client: &Client, place: &str, id: &str, tool: &str, args: Value) -> Value {
    let call = json!({ "callId": id, "toolId": tool, "args": args });
    let answered = client.post(&format!("{place}/calls"), call).await;
    answered.json()["answers"][0]["response"].clone()
}

#[tokio::test]
async fn a_conversation_moves_and_keeps_what_it_has() {
    let stage = Stage::usual().await;
    let ada = stage.ada();
    let place = ada.begin("text").await;
    ada.post(&format!("{place}/turns"), json!({ "input": "written" })).await;
    let first = called(&ada, &place, "call-000001", "kb_search", json!({ "query": "Atlas" })).await;
    let asked = called(&ada, &place, "call-000002", "start_voice_session", json!({})).await;
    assert_eq!(asked["ok"], true);
    assert_eq!(ada.get(&place).await.json()["voice"], "requested");
    let voice = moved(&ada, &place, "voice").await;
    assert_eq!((&voice["mode"], &voice["turn"]), (&json!("voice"), &json!(1)));
    assert_eq!(voice["registryVersion"], first["meta"]["registryVersion"]);
    let again = called(&ada, &place, "call-000001", "kb_search", json!({ "query": "Atlas" })).await;
    assert_eq!(again["meta"]["replayed"], true, "what was called stays known");
    let refused = called(
        &ada,
        &place,
        "call-000003",
        "calendar_create_event",
        json!({ "event_draft_id": "draft-kick-off" }),
    );
    assert_eq!(refused.await["error"]["type"], "MODE_RESTRICTED");
    let text = moved(&ada, &place, "text").await;
    assert_eq!((&text["mode"], &text["voice"]), (&json!("text"), &json!("off")));
    let asked = called(
        &ada,
        &place,
        "call-000004",
        "calendar_create_event",
        json!({ "event_draft_id": "draft-kick-off" }),
    );
    assert_eq!(asked.await["error"]["type"], "CONFIRMATION_REQUIRED");
}

#[tokio::test]
async fn a_move_gives_no_further_budget() {
    let stage = Stage::usual().await;
    let ada = stage.ada();
    let place = ada.begin("text").await;
    ada.post(&format!("{place}/turns"), json!({ "input": "written" })).await;
    for n in 0..2 {
        let query = json!({ "query": format!("Atlas {n}") });
        let found = called(&ada, &place, &format!("call-10000{n}"), "kb_search", query).await;
        assert_eq!(found["ok"], true);
    }
    moved(&ada, &place, "voice").await;
    let spent = called(&ada, &place, "call-200000", "kb_search", json!({ "query": "film" })).await;
    assert_eq!(spent["error"]["type"], "BUDGET_EXCEEDED");
    ada.post(&format!("{place}/turns"), json!({ "input": "spoken", "text": "Go on" })).await;
    let found = called(&ada, &place, "call-200001", "kb_search", json!({ "query": "film" })).await;
    assert_eq!(found["ok"], true, "the next turn has the budget of its mode");
}
