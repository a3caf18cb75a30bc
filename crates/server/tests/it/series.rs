//! The time series, on a clock that the test moves.

use aileron_server::{Auth, Tokens};
use serde_json::{Value, json};

use crate::client::Client;
use crate::stage::{ADA, BOB, Plan, Stage};

/// Ada is a viewer, Bob is not.
async fn stage() -> Stage {
    let tokens = format!("ada {ADA} viewer\nbob {BOB}");
    Plan { auth: Auth::Tokens(Tokens::read(&tokens).unwrap()), ..Plan::default() }.start().await
}

async fn call(client: &Client, place: &str, id: &str, tool: &str, args: Value) {
    let made = json!({ "callId": id, "toolId": tool, "args": args });
    assert_eq!(client.post(&format!("{place}/calls"), made).await.status, 200);
}

/// The series, once it has so many points.
async fn series(stage: &Stage, points: usize) -> Value {
    for _ in 0..10_000 {
        let found = stage.ada().get("/v1/series?minutes=1").await.json();
        if found["points"] == points {
            return found;
        }
    }
    panic!("expected {points} points");
}

#[tokio::test]
async fn each_step_has_its_calls_and_the_tools_are_summed_up() {
    let stage = stage().await;
    let bob = stage.bob();
    let place = bob.begin("text").await;
    series(&stage, 0).await;
    call(&bob, &place, "call-000001", "kb_search", json!({ "query": "Atlas" })).await;
    call(&bob, &place, "call-000002", "no_such_tool", json!({})).await;
    stage.clock.advance(5_000);
    series(&stage, 1).await;
    let draft = json!({ "event_draft_id": "draft-kick-off" });
    call(&bob, &place, "call-000003", "calendar_create_event", draft).await;
    stage.clock.advance(5_000);
    let found = series(&stage, 2).await;
    assert_eq!((&found["stepMs"], &found["calls"]["completed"]), (&json!(5000), &json!([1, 0])));
    assert_eq!(found["calls"]["refused"], json!([1, 1]));
    let refused_by = json!({ "known_tool": [1, 0], "confirmation": [0, 1] });
    assert_eq!(found["refusedBy"], refused_by);
    assert_eq!(found["openConfirmations"], json!([0, 1]));
    assert_eq!(found["conversations"], json!({ "text": [1, 1], "voice": [0, 0] }));
    assert_eq!(found["latency"]["p50"][1], Value::Null);
    assert!(found["latency"]["p50"][0].is_u64() && found["memoryBytes"][0].is_u64(), "{found}");
    let tools = found["tools"].as_array().unwrap();
    let ids: Vec<_> = tools.iter().map(|tool| tool["toolId"].as_str().unwrap()).collect();
    assert_eq!(ids, ["calendar_create_event", "kb_search", "other"]);
    assert_eq!((&tools[1]["calls"], &tools[1]["succeeded"]), (&json!(1), &json!(1)));
    assert!(tools[1]["budgetMs"].as_u64() > Some(0) && tools[1]["p95"].is_u64(), "{tools:?}");
    assert!(tools[1]["responseCharsP95"].as_u64() > tools[1]["responseTokensP95"].as_u64());
    assert_eq!(tools[0]["p95"], Value::Null, "it did not run");
    // After the minute, the calls are out of sight.
    for points in 3..=14 {
        stage.clock.advance(5_000);
        series(&stage, points.min(12)).await;
    }
    let later = stage.ada().get("/v1/series?minutes=1").await.json();
    assert_eq!(later["tools"], json!([]), "{later}");
    assert_eq!(stage.ada().get("/v1/series").await.json()["points"], 14);
}

#[tokio::test]
async fn only_operators_and_viewers_read_the_series_and_the_time_is_bounded() {
    let stage = stage().await;
    let refused = stage.bob().get("/v1/series").await;
    assert_eq!((refused.status, refused.code()), (403, "OPERATOR_ONLY".to_owned()));
    for query in ["minutes=0", "minutes=61", "minutes=x", "hours=1"] {
        let refused = stage.ada().get(&format!("/v1/series?{query}")).await;
        assert_eq!(refused.status, 400, "{query}");
    }
}
