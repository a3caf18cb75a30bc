//! A person who is blocked in one mode is refused in the other.

use serde_json::json;

use crate::stage::Stage;

#[tokio::test]
async fn whoever_is_blocked_in_voice_is_refused_in_text() {
    let stage = Stage::usual().await;
    let ada = stage.ada();
    let text = ada.begin("text").await;
    let voice = ada.begin("voice").await;
    let block = json!({ "callId": "call-000001", "toolId": "ignore_user",
        "args": { "duration_seconds": 60, "farewell_message": "Let us talk later." } });
    let blocked = ada.post(&format!("{voice}/calls"), block).await.json();
    assert_eq!(blocked["answers"][0]["response"]["ok"], true, "{blocked}");
    let begin = json!({ "mode": "text" });
    let refused = ada.post("/v1/conversations", begin.clone()).await;
    assert_eq!((refused.status, refused.code()), (403, "BLOCKED".to_owned()));
    assert_eq!(refused.json()["error"]["leftMs"], 60_000);
    let turn = ada.post(&format!("{text}/turns"), json!({ "input": "written" })).await;
    assert_eq!((turn.status, turn.code()), (403, "BLOCKED".to_owned()), "one that was open too");
    assert_eq!(stage.bob().post("/v1/conversations", begin.clone()).await.status, 201);
    stage.clock.advance(60_000);
    assert_eq!(ada.post("/v1/conversations", begin).await.status, 201);
}
