//! Lost connections to the provider, and their effect on calls.

use serde_json::json;

use super::ground::Ground;
use super::provider::ready;
use super::stage::Stage;

#[tokio::test]
async fn a_result_that_became_ready_after_a_drop_is_told_over_the_next_connection() {
    let stage = Stage::new().await;
    let (mut client, mut peer, id) = ready(&stage).await;
    peer.call("call-slow-1", "send_slowly", json!({})).await;
    Ground::of(&id).arrival().await;
    drop(peer);
    assert_eq!(client.expect("error").await["code"], "reconnecting");
    let (mut peer, _) = stage.upstream.gemini().await;
    assert_eq!(client.expect("ready").await["conversationId"], id.as_str());
    Ground::of(&id).open_gate();
    let told = peer.read().await;
    let text = told["clientContent"]["turns"][0]["parts"][0]["text"].as_str().unwrap();
    assert!(text.contains("call-slow-1"), "{text}");
    assert_eq!(stage.records(), ["call-slow-1 completed"]);
}

#[tokio::test]
async fn a_write_that_is_called_again_after_a_drop_is_made_once() {
    let stage = Stage::new().await;
    let (mut client, mut peer, id) = ready(&stage).await;
    peer.say(json!({"sessionResumptionUpdate": {"newHandle": "h1", "resumable": true}})).await;
    peer.heard("send it").await;
    peer.call("call-before-the-drop", "send", json!({ "n": 1 })).await;
    peer.answer().await;
    drop(peer);
    client.expect("error").await;
    let (mut peer, setup) = stage.upstream.gemini().await;
    assert_eq!(setup["setup"]["sessionResumption"]["handle"], "h1");
    // A result that may not have arrived is sent once more, as text.
    let told = peer.read().await;
    assert!(told["clientContent"].is_object(), "{told}");
    // The resumed model is at a state before its call, and makes it again.
    peer.call("call-after-the-drop", "send", json!({})).await;
    let (call, response) = peer.answer().await;
    assert_eq!(
        (call.as_str(), &response["output"]["done"]["n"]),
        ("call-after-the-drop", &json!(1))
    );
    assert_eq!(Ground::of(&id).effects(), [json!({ "n": 1 })]);
    assert_eq!(stage.records(), ["call-before-the-drop completed"]);
}

#[tokio::test]
async fn a_write_that_is_called_again_while_it_runs_is_waited_for() {
    let stage = Stage::new().await;
    let (mut client, mut peer, id) = ready(&stage).await;
    peer.call("call-before-the-drop", "send_slowly", json!({})).await;
    Ground::of(&id).arrival().await;
    drop(peer);
    client.expect("error").await;
    let (mut peer, _) = stage.upstream.gemini().await;
    client.expect("ready").await;
    peer.call("call-after-the-drop", "send_slowly", json!({})).await;
    // The call has reached us once the audio behind it was answered by the model's turn.
    peer.turn_complete().await;
    client.expect("turn_complete").await;
    Ground::of(&id).open_gate();
    let frames = [peer.read().await, peer.read().await];
    let text = json!(frames).to_string();
    assert!(text.contains("call-before-the-drop") && text.contains("call-after-the-drop"));
    assert_eq!(Ground::of(&id).effects().len(), 1);
}

#[tokio::test]
async fn a_provider_that_cannot_be_reached_at_first_is_told_at_once() {
    let stage = Stage::new().await;
    let mut client = stage.client().await;
    client.start().await;
    // It hangs up before it is a WebSocket, twice.
    for _ in 0..2 {
        drop(stage.upstream.knock().await);
    }
    assert_eq!(client.message().await["code"], "reconnecting");
    let (_peer, _) = stage.upstream.gemini().await;
    assert_eq!(client.message().await["type"], "ready");
}

#[tokio::test]
async fn a_provider_that_refuses_is_told_in_words_without_its_own() {
    let stage = Stage::new().await;
    let mut client = stage.client().await;
    client.start().await;
    let mut peer = stage.upstream.accept().await;
    peer.read().await;
    let frame = tungstenite::protocol::CloseFrame {
        code: 1007.into(),
        reason: "API key k not valid".into(),
    };
    peer.0.close(Some(frame)).await.unwrap();
    let (messages, code) = client.rest().await;
    let types: Vec<_> = messages.iter().map(|one| one["type"].clone()).collect();
    assert_eq!((types, code), (vec![json!("error"), json!("ended")], 1000));
    assert_eq!(messages[0]["code"], "upstream_lost");
    assert!(!messages[0].to_string().contains("API key k"), "{messages:?}");
    assert_eq!(messages[1]["reason"], "upstream_lost");
}

#[tokio::test]
async fn a_call_under_way_when_the_client_leaves_is_recorded() {
    let stage = Stage::new().await;
    let (client, mut peer, id) = ready(&stage).await;
    peer.call("call-slow-1", "send_slowly", json!({})).await;
    Ground::of(&id).arrival().await;
    drop(client);
    Ground::of(&id).open_gate();
    // The answer still reaches the model, and then the session is over.
    assert_eq!(peer.answer().await.0, "call-slow-1");
    assert_eq!(peer.try_read().await, None);
    stage.app.voice().drained().await;
    assert_eq!(stage.records(), ["call-slow-1 completed"]);
}
