//! `/metrics` over a socket, in each of its formats.

mod dashboard;
mod open_metrics;

use serde_json::{Value, json};

use self::open_metrics::{read, value};
use crate::client::{Answer, Client};
use crate::stage::Stage;

const OPEN_METRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";
const PROMETHEUS: &str = "text/plain; version=0.0.4; charset=utf-8";

/// The header of Prometheus 2.
const SCRAPER: &str = "application/openmetrics-text;version=1.0.0;q=0.5,\
                       application/openmetrics-text;version=0.0.1;q=0.4,text/plain;version=0.0.4;q=0.3,*/*;q=0.2";

async fn scrape(stage: &Stage, accept: &str) -> Answer {
    stage.ada().with("accept", accept).get("/metrics").await
}

fn text(answer: &Answer) -> String {
    String::from_utf8(answer.body.clone()).unwrap()
}

async fn call(client: &Client, place: &str, id: &str, tool: &str, args: Value) -> Value {
    let made = json!({ "callId": id, "toolId": tool, "args": args });
    client.post(&format!("{place}/calls"), made).await.json()
}

/// A success, a refusal by each of three policies, and a confirmation that is approved.
async fn played() -> Stage {
    let stage = Stage::usual().await;
    let ada = stage.ada();
    let place = ada.begin("text").await;
    ada.post(&format!("{place}/turns"), json!({ "input": "written" })).await;
    call(&ada, &place, "call-000001", "kb_search", json!({ "query": "Atlas" })).await;
    call(&ada, &place, "call-000002", "kb_search", json!({ "wrong": 1 })).await;
    call(&ada, &place, "call-000003", "made\"up\n_name", json!({})).await;
    call(&ada, &place, "call-000004", "end_voice_session", json!({})).await;
    let draft = json!({ "event_draft_id": "draft-kick-off" });
    let asked = call(&ada, &place, "call-000005", "calendar_create_event", draft).await;
    let request = &asked["answers"][0]["response"]["error"]["confirmation_request"];
    let question = format!("{place}/confirmations/{}", request["token"].as_str().unwrap());
    assert_eq!(ada.post(&question, json!({ "approve": true })).await.json()["is"], "approved");
    stage
}

#[tokio::test]
async fn the_accept_header_chooses_the_format() {
    let stage = Stage::usual().await;
    for (accept, expected) in [
        (SCRAPER, OPEN_METRICS),
        ("application/openmetrics-text", OPEN_METRICS),
        ("text/plain;version=0.0.4", PROMETHEUS),
        ("application/json", "application/json"),
        ("*/*", "application/json"),
        ("text/html", "application/json"),
    ] {
        let answer = scrape(&stage, accept).await;
        assert_eq!((answer.status, answer.header("content-type")), (200, Some(expected)));
        assert_eq!(text(&answer).ends_with("# EOF\n"), expected == OPEN_METRICS);
    }
}

#[tokio::test]
async fn open_metrics_has_calls_by_tool_and_refusals_by_policy() {
    let stage = played().await;
    let all = read(&text(&scrape(&stage, SCRAPER).await));
    assert_eq!(all["aileron_calls"].kind, "counter");
    let calls = |tool: &str, outcome: &str| {
        value(&all, "aileron_calls_total", &[("tool", tool), ("outcome", outcome)])
    };
    assert_eq!((calls("kb_search", "completed"), calls("kb_search", "refused")), (1.0, 1.0));
    assert_eq!((calls("other", "refused"), calls("end_voice_session", "refused")), (1.0, 1.0));
    assert_eq!(calls("calendar_create_event", "completed"), 1.0);
    for (policy, count) in [
        ("known_tool", 1.0),
        ("mode", 1.0),
        ("arguments", 1.0),
        ("confirmation", 1.0),
        ("loops", 0.0),
    ] {
        assert_eq!(value(&all, "aileron_refusals_total", &[("policy", policy)]), count, "{policy}");
    }
    for (how, count) in [("asked", 1.0), ("approved", 1.0), ("superseded", 0.0)] {
        assert_eq!(value(&all, "aileron_confirmations_total", &[("how", how)]), count, "{how}");
    }
    let ran = &[("tool", "kb_search")];
    assert_eq!(value(&all, "aileron_call_duration_seconds_count", ran), 1.0);
    assert!(value(&all, "aileron_response_characters_sum", ran) > 100.0);
    assert_eq!(value(&all, "aileron_conversations", &[("mode", "text")]), 1.0);
    assert_eq!(value(&all, "aileron_sessions_total", &[("mode", "text")]), 1.0);
    assert_eq!(value(&all, "aileron_context_instruction_tokens_count", &[("mode", "text")]), 1.0);
}

#[tokio::test]
async fn prometheus_text_names_counters_as_their_samples() {
    let stage = played().await;
    let found = text(&scrape(&stage, "text/plain").await);
    for line in [
        "# TYPE aileron_calls_total counter",
        "# HELP aileron_calls_total Calls by tool and outcome.",
        "aileron_calls_total{tool=\"kb_search\",outcome=\"completed\"} 1",
        "# TYPE aileron_build_info gauge",
        "# TYPE aileron_call_duration_seconds histogram",
        "aileron_call_duration_seconds_bucket{le=\"+Inf\",tool=\"kb_search\"} 1",
    ] {
        assert!(found.lines().any(|found| found == line), "{line} in {found}");
    }
    assert!(!found.contains("EOF") && !found.contains("made"), "{found}");
}

#[tokio::test]
async fn json_has_the_figures_of_each_tool() {
    let stage = played().await;
    let found = scrape(&stage, "*/*").await.json();
    let search = &found["tools"]["kb_search"];
    assert_eq!((&search["calls"], &search["succeeded"]), (&json!(2), &json!(1)));
    assert_eq!(search["refused"], 1);
    let chars = found["responseSizes"]["kb_search"]["p95"].as_u64().unwrap();
    assert!(chars > 100, "{found}");
    let tokens = &found["responseTokens"];
    assert_eq!(tokens["kb_search"], json!({ "avg": chars.div_ceil(4), "p95": chars.div_ceil(4) }));
    assert_eq!(tokens["count"], 2);
    let context = &found["context"];
    let part = |name: &str| context[name].as_u64().unwrap();
    assert!(part("systemPromptTokens") > 0);
    assert_eq!(
        part("sessionInitTokens"),
        part("systemPromptTokens") + part("toolDeclTokens") + part("historyTokens")
    );
    assert_eq!(found["loopDetection"]["activeSessions"], 1);
    assert!(found["loopDetection"]["totalTurnsTracked"].as_u64().unwrap() >= 1);
    assert_eq!(found["sessions"]["started"], json!({ "text": 1, "voice": 0 }));
    assert_eq!(found["refusals"]["known_tool"], 1);
    assert_eq!(found["tools"]["other"]["refused"], 1, "names that no tool has are not kept");
}
