//! The figures of voice in `/metrics`.

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

use super::provider::ready;
use super::stage::Stage;

async fn metrics(stage: &Stage, accept: &str) -> (String, String) {
    let mut stream = tokio::net::TcpStream::connect(&stage.address).await.unwrap();
    let request = format!(
        "GET /metrics HTTP/1.1\r\nHost: localhost\r\nAccept: {accept}\r\nConnection: close\r\n\r\n"
    );
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    (head.to_owned(), body.to_owned())
}

#[tokio::test]
async fn scrapers_get_text_and_everybody_else_a_summary() {
    let stage = Stage::new().await;
    let (_client, mut peer, _) = ready(&stage).await;
    peer.heard("look").await;
    peer.call("call-look-1", "look", json!({})).await;
    peer.answer().await;
    peer.call("call-note-1", "note_down", json!({})).await;
    peer.answer().await;

    let (head, text) = metrics(&stage, "text/plain").await;
    assert!(head.contains("text/plain; version=0.0.4"), "{head}");
    for line in [
        "# TYPE aileron_calls_total counter",
        "aileron_calls_total{tool=\"look\",outcome=\"completed\"} 1",
        "aileron_calls_total{tool=\"note_down\",outcome=\"refused\"} 1",
        "aileron_voice_connections 1",
        "aileron_voice_events_total{event=\"calls\"} 2",
        "aileron_voice_events_total{event=\"answers\"} 2",
        "aileron_context_start_tokens_count{mode=\"voice\"} 1",
        "aileron_context_result_tokens_bucket{le=\"+Inf\",mode=\"voice\"} 2",
    ] {
        assert!(text.lines().any(|found| found == line), "{line} in {text}");
    }
    let (head, text) = metrics(&stage, "application/openmetrics-text").await;
    assert!(head.contains("openmetrics-text") && text.ends_with("# EOF\n"), "{head}");

    let (_, body) = metrics(&stage, "*/*").await;
    let summary: Value = serde_json::from_str(&body).unwrap();
    assert_eq!((&summary["executions"], &summary["successRate"]), (&json!(1), &json!(1.0)));
    assert_eq!(summary["voice"]["answers"], 2);
    assert!(summary["context"]["voice"]["instructionTokens"]["p50"].as_u64().unwrap() > 0);
    assert!(summary["contextStartTokens"]["p50"].as_u64().unwrap() > 0);
}
