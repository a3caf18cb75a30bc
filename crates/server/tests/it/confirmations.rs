//! Questions are answered by the person they were put to, for exactly what they were shown.

use serde_json::{Value, json};

use crate::client::Client;
use crate::stage::Stage;

/// Asks for something that needs approval; the place of the conversation, and the token.
async fn asked(client: &Client) -> (String, String) {
    let place = client.begin("text").await;
    let call = json!({ "callId": "call-000001", "toolId": "calendar_create_event",
        "args": { "event_draft_id": "draft-kick-off" } });
    let answered = client.post(&format!("{place}/calls"), call).await.json();
    let error = &answered["answers"][0]["response"]["error"];
    assert_eq!(error["type"], "CONFIRMATION_REQUIRED", "{answered}");
    (place, error["confirmation_request"]["token"].as_str().unwrap().to_owned())
}

fn yes() -> Value {
    json!({ "approve": true })
}

#[tokio::test]
async fn the_person_approves_and_the_model_gets_the_answer() {
    let stage = Stage::usual().await;
    let ada = stage.ada();
    let (place, token) = asked(&ada).await;
    let question = format!("{place}/confirmations/{token}");
    let decided = ada.post(&question, yes()).await.json();
    assert_eq!(decided["is"], "approved");
    assert_eq!(decided["answers"][0]["callId"], "call-000001");
    assert_eq!(decided["answers"][0]["response"]["data"]["title"], "Atlas kick-off");
    let again = ada.post(&question, yes()).await.json();
    assert_eq!(again["answers"][0]["response"]["meta"]["replayed"], true, "it runs once");
}

#[tokio::test]
async fn the_person_declines() {
    let stage = Stage::usual().await;
    let ada = stage.ada();
    let (place, token) = asked(&ada).await;
    let question = format!("{place}/confirmations/{token}");
    let decided = ada.post(&question, json!({ "approve": false })).await.json();
    assert_eq!(decided["is"], "declined");
    assert_eq!(decided["answers"][0]["response"]["error"]["type"], "DENIED");
}

#[tokio::test]
async fn an_answer_that_comes_too_late_does_not_count() {
    let stage = Stage::usual().await;
    let ada = stage.ada();
    let (place, token) = asked(&ada).await;
    stage.clock.advance(301_000);
    let decided = ada.post(&format!("{place}/confirmations/{token}"), yes()).await.json();
    assert_eq!(decided["is"], "expired");
}

#[tokio::test]
async fn forged_approvals_do_not_count() {
    let stage = Stage::usual().await;
    let ada = stage.ada();
    let (place, token) = asked(&ada).await;
    let (other, _) = asked(&ada).await;
    let mut tampered = token.clone();
    let last = tampered.pop().unwrap();
    tampered.push(if last == 'A' { 'B' } else { 'A' });
    let question = |place: &str, token: &str| format!("{place}/confirmations/{token}");
    for (place, token, expected) in [
        (&place, "nonsense", (403, "FORGED")),
        (&place, tampered.as_str(), (403, "FORGED")),
        (&place, "%00", (403, "FORGED")),
        (&other, token.as_str(), (404, "NOT_FOUND")),
    ] {
        let refused = ada.post(&question(place, token), yes()).await;
        assert_eq!((refused.status, refused.code().as_str()), expected, "{token}");
    }
    let approved = ada.post(&question(&place, &token), yes()).await.json();
    assert_eq!(approved["is"], "approved", "the true one still does");
}

#[tokio::test]
async fn somebody_else_cannot_answer() {
    let stage = Stage::usual().await;
    let (place, token) = asked(&stage.ada()).await;
    let question = format!("{place}/confirmations/{token}");
    let refused = stage.bob().post(&question, yes()).await;
    assert_eq!((refused.status, refused.code()), (404, "NOT_FOUND".to_owned()));
    assert_eq!(stage.stranger().post(&question, yes()).await.status, 401);
    assert_eq!(stage.ada().post(&question, yes()).await.json()["is"], "approved");
}

#[tokio::test]
async fn a_token_among_the_arguments_of_a_call_is_an_unknown_parameter() {
    let stage = Stage::usual().await;
    let ada = stage.ada();
    let (place, token) = asked(&ada).await;
    let call = json!({ "callId": "call-000002", "toolId": "calendar_create_event",
        "args": { "event_draft_id": "draft-kick-off", "confirmation_token": token } });
    let answered = ada.post(&format!("{place}/calls"), call).await.json();
    assert_eq!(answered["answers"][0]["response"]["error"]["type"], "VALIDATION");
}

#[tokio::test]
async fn a_question_is_decided_once() {
    let stage = Stage::usual().await;
    let ada = stage.ada();
    for (approve, decision) in [(true, "approved"), (false, "declined")] {
        let (place, token) = asked(&ada).await;
        let question = format!("{place}/confirmations/{token}");
        assert_eq!(ada.post(&question, json!({ "approve": approve })).await.status, 200);
        let again = ada.post(&question, json!({ "approve": approve })).await.json();
        assert_eq!(again["is"], decision);
        let other = ada.post(&question, json!({ "approve": !approve })).await;
        assert_eq!((other.status, other.code()), (409, "ALREADY_DECIDED".to_owned()));
        assert_eq!(other.json()["error"]["decision"], decision);
        let mut tampered = question.clone();
        let last = tampered.pop().unwrap();
        tampered.push(if last == 'A' { 'B' } else { 'A' });
        for approve in [true, false] {
            let refused = ada.post(&tampered, json!({ "approve": approve })).await;
            assert_eq!((refused.status, refused.code()), (403, "FORGED".to_owned()));
        }
    }
}

#[tokio::test]
async fn words_that_take_it_back_close_the_question() {
    let stage = Stage::usual().await;
    let ada = stage.ada();
    let (place, token) = asked(&ada).await;
    let other = json!({ "input": "written", "text": "Actually, who is the lighting lead?" });
    let begun = ada.post(&format!("{place}/turns"), other).await.json();
    assert_eq!(begun["questions"], json!([]));
    let words = json!({ "input": "written", "text": "actually cancel that" });
    let begun = ada.post(&format!("{place}/turns"), words).await.json();
    assert_eq!(begun["questions"][0]["is"], "superseded", "{begun}");
    let refused = ada.post(&format!("{place}/confirmations/{token}"), yes()).await;
    assert_eq!((refused.status, refused.code()), (409, "ALREADY_DECIDED".to_owned()));
    assert_eq!(refused.json()["error"]["decision"], "superseded");
}

#[tokio::test]
async fn an_id_that_was_used_for_another_call_is_refused() {
    let stage = Stage::usual().await;
    let ada = stage.ada();
    let place = ada.begin("text").await;
    let path = format!("{place}/calls");
    let call = |tool: &str, args: Value| {
        let call = json!({ "callId": "kb_search", "toolId": tool, "args": args });
        ada.post(&path, call)
    };
    let first = call("kb_search", json!({ "query": "Atlas" })).await.json();
    assert_eq!(first["answers"][0]["response"]["ok"], true, "{first}");
    for (tool, args, why) in [
        ("kb_search", json!({ "query": "Mira" }), "`kb_search` with other arguments"),
        ("kb_get", json!({ "ids": ["project:atlas"] }), "`kb_search`, another tool"),
    ] {
        let answered = call(tool, args).await.json();
        let error = &answered["answers"][0]["response"]["error"];
        assert_eq!(error["type"], "CONFLICT", "{answered}");
        assert!(error["message"].as_str().unwrap().contains(why), "{error}");
    }
    let again = call("kb_search", json!({ "query": "Atlas" })).await.json();
    assert_eq!(again["answers"][0]["response"]["meta"]["replayed"], true);
}
