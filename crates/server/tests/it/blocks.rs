//! A person who is blocked in one mode is refused in the other.

use aileron_server::{Auth, RequestLimits, Tokens};
use aileron_simulator::simulated_model::ModelAction;
use aileron_store::AuditFilter;
use serde_json::json;

use crate::one_history::house::{Rules, Town, call};
use crate::stage::{ADA, BOB, Plan, Stage};

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

/// The default configuration without sign-in: all clients are the person at this machine.
#[tokio::test]
async fn where_nobody_signs_in_a_block_in_voice_holds_in_chat_and_in_every_conversation() {
    let mut town = Town::new().await;
    let house = town.house_with(Rules { auth: Auth::Open, limits: RequestLimits::default() }).await;
    let mut client = house.talk_unknown().await;
    client.expect("ready").await;
    client.say(json!({ "type": "text", "text": "You are useless!" })).await;
    let args = json!({ "duration_seconds": 60, "farewell_message": "Let us talk later." });
    let (_, turn) = town.hand.call(vec![call("ignore_user", args)]).await.unwrap();
    assert_eq!(client.expect("timeout").await["durationSeconds"], 60);
    turn.does(vec![ModelAction::Say("Let us talk later.".to_owned())]);

    let stranger = house.stranger();
    for body in [json!({ "message": "Hello?" }), json!({ "id": "another", "message": "Hello?" })] {
        let refused = stranger.post("/api/chat", body).await;
        let sentence = String::from_utf8(refused.body.clone()).unwrap();
        assert_eq!(refused.status, 403, "{sentence}");
        assert_eq!(sentence, "the person is blocked for another 60 seconds");
        assert_eq!(refused.header("retry-after"), Some("60"));
    }
    let refused = stranger.post("/v1/conversations", json!({ "mode": "text" })).await;
    assert_eq!((refused.status, refused.code()), (403, "BLOCKED".to_owned()));
    let mut again = house.talk_unknown().await;
    assert_eq!(again.expect("ended").await["reason"], "blocked");

    house.clock.advance(60_000);
    let body = json!({ "message": "Hello?", "stream": false });
    let answered = tokio::spawn(async move { stranger.post("/api/chat", body).await });
    town.hand.say("Good day.").await.unwrap();
    assert_eq!(answered.await.unwrap().json()["text"], "Good day.");
}

#[tokio::test]
async fn an_operator_lets_a_blocked_person_back_in() {
    let tokens = Tokens::read(&format!("ada {ADA} operator\nbob {BOB}")).unwrap();
    let stage = Plan { auth: Auth::Tokens(tokens), ..Plan::default() }.start().await;
    let (ada, bob) = (stage.ada(), stage.bob());
    let place = bob.begin("text").await;
    let block = json!({ "callId": "call-000001", "toolId": "ignore_user",
        "args": { "duration_seconds": 60, "farewell_message": "Let us talk later." } });
    bob.post(&format!("{place}/calls"), block).await;
    let begin = || json!({ "mode": "text" });
    assert_eq!(bob.post("/v1/conversations", begin()).await.code(), "BLOCKED");
    for refused in [bob.get("/v1/blocks").await, bob.delete("/v1/blocks/bob").await] {
        assert_eq!((refused.status, refused.code()), (403, "OPERATOR_ONLY".to_owned()));
    }
    let listed = ada.get("/v1/blocks").await.json();
    assert_eq!(
        (&listed["blocks"][0]["user"], &listed["blocks"][0]["leftMs"]),
        (&json!("bob"), &json!(60_000))
    );
    assert_eq!(ada.delete("/v1/blocks/bob").await.status, 204);
    assert_eq!(bob.post("/v1/conversations", begin()).await.status, 201);
    assert_eq!(ada.delete("/v1/blocks/bob").await.code(), "NOT_FOUND");
    assert_eq!(ada.get("/v1/blocks").await.json()["blocks"], json!([]));
    let records = stage.app.store().audit(AuditFilter::default());
    let lifted: Vec<_> = records
        .map(|record| record.unwrap().entry)
        .filter(|entry| entry.tool_id == "blocks_lift")
        .map(|entry| (entry.user.map(|user| user.to_string()), entry.args["user"].clone()))
        .collect();
    assert_eq!(lifted, [(Some("ada".to_owned()), json!("bob"))]);
}

#[tokio::test]
async fn where_nobody_signs_in_the_person_at_the_machine_is_the_operator() {
    let stage = Plan { auth: Auth::Open, ..Plan::default() }.start().await;
    let person = stage.stranger();
    let place = person.begin("text").await;
    let block = json!({ "callId": "call-000001", "toolId": "ignore_user",
        "args": { "duration_seconds": 60, "farewell_message": "Let us talk later." } });
    person.post(&format!("{place}/calls"), block).await;
    assert_eq!(person.get("/v1/blocks").await.json()["blocks"][0]["user"], "local");
    assert_eq!(person.delete("/v1/blocks/local").await.status, 204);
    assert_eq!(person.post("/v1/conversations", json!({ "mode": "text" })).await.status, 201);
}
