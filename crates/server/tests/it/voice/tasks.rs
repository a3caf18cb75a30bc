//! Tasks in voice: the model goes on, and is told the result when it is there, once.

use serde_json::json;

use super::ground::Ground;
use super::provider::ready;
use super::stage::Stage;

#[tokio::test]
async fn the_model_is_told_the_result_of_a_task_when_it_is_there() {
    let stage = Stage::new().await;
    let (mut client, mut peer, id) = ready(&stage).await;
    peer.heard("dig").await;
    peer.call("call-dig-1", "dig", json!({ "n": 7 })).await;
    let (call, response) = peer.answer().await;
    assert_eq!((call.as_str(), &response["output"]["status"]), ("call-dig-1", &json!("running")));
    let shown = client.expect("tool").await;
    assert_eq!(
        (&shown["phase"], &shown["taskId"]),
        (&json!("background"), &response["output"]["taskId"])
    );
    assert_eq!(client.expect("tool").await["phase"], "started");
    Ground::of(&id).arrival().await;
    peer.turn_complete().await;
    client.expect("turn_complete").await;
    Ground::of(&id).open_gate();
    assert_eq!(client.expect("tool").await["phase"], "finished");
    let frame = peer.read().await;
    let text = frame["clientContent"]["turns"][0]["parts"][0]["text"].as_str().unwrap_or_default();
    assert!(text.contains("call-dig-1") && text.contains("\"n\":7"), "{frame}");
    assert_eq!(stage.records(), ["call-dig-1 completed"]);
    // The next turn has nothing left to tell: its first frame is the answer to its own call.
    peer.heard("look").await;
    peer.call("call-look-1", "look", json!({ "n": 1 })).await;
    assert_eq!(peer.answer().await.0, "call-look-1");
}
