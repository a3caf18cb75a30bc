//! Each fault has its documented effect, for every protocol.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::AsyncReadExt;

use super::client::{ANTHROPIC, Answer, GEMINI, OPENAI, open, post, provider};

/// A protocol: its path, its headers, a streamed request with these words, and the end of its
/// streams.
struct Protocol {
    path: &'static str,
    headers: &'static str,
    request: fn(&str) -> Value,
    last: &'static str,
}

const PROTOCOLS: &[Protocol] = &[
    Protocol {
        path: "/v1beta/models/g:streamGenerateContent?alt=sse",
        headers: GEMINI,
        request: gemini,
        last: "\"finishReason\"",
    },
    Protocol {
        path: "/v1/responses",
        headers: OPENAI,
        request: responses,
        last: "response.completed",
    },
    Protocol { path: "/v1/chat/completions", headers: OPENAI, request: chat, last: "[DONE]" },
    Protocol { path: "/v1/messages", headers: ANTHROPIC, request: anthropic, last: "message_stop" },
];

fn gemini(words: &str) -> Value {
    let tools = json!([{ "functionDeclarations": [{ "name": "get_weather" }] }]);
    json!({ "contents": [{ "role": "user", "parts": [{ "text": words }] }], "tools": tools })
}

fn responses(words: &str) -> Value {
    let tools = json!([{ "type": "function", "name": "get_weather" }]);
    json!({ "model": "m", "input": words, "stream": true, "tools": tools })
}

fn chat(words: &str) -> Value {
    let tools = json!([{ "type": "function", "function": { "name": "get_weather" } }]);
    json!({ "model": "m", "messages": [{ "role": "user", "content": words }], "stream": true, "tools": tools })
}

fn anthropic(words: &str) -> Value {
    let tools = json!([{ "name": "get_weather", "input_schema": { "type": "object" } }]);
    json!({ "model": "m", "max_tokens": 9, "messages": [{ "role": "user", "content": words }], "stream": true, "tools": tools })
}

impl Protocol {
    async fn ask(&self, address: &str, words: &str) -> Answer {
        post(address, self.path, self.headers, &(self.request)(words)).await
    }
}

#[tokio::test]
async fn without_faults_every_stream_comes_to_its_end() {
    let address = provider(&[]).await;
    for protocol in PROTOCOLS {
        let answer = protocol.ask(&address, "plain").await;
        assert_eq!((answer.status, answer.complete), (200, true));
        assert!(answer.head.contains("content-type: text/event-stream"));
        assert!(answer.text().contains(protocol.last), "{}", answer.text());
        let named = answer.text().contains("event: ");
        let names = matches!(protocol.path, "/v1/responses" | "/v1/messages");
        assert_eq!(named, names, "{}", protocol.path);
    }
}

#[tokio::test]
async fn a_status_meets_the_first_requests_only() {
    for protocol in PROTOCOLS {
        let address = provider(&["status=500x2"]).await;
        let mut statuses = Vec::new();
        for _ in 0..3 {
            statuses.push(protocol.ask(&address, "plain").await.status);
        }
        assert_eq!(statuses, [500, 500, 200], "{}", protocol.path);
    }
}

#[tokio::test]
async fn too_many_requests_come_with_the_time_to_wait() {
    let address = provider(&["status=429:7"]).await;
    for protocol in PROTOCOLS {
        let answer = protocol.ask(&address, "plain").await;
        assert_eq!(answer.status, 429);
        assert!(answer.head.contains("retry-after: 7"), "{}", answer.head);
        assert!(answer.json()["error"].is_object());
    }
}

#[tokio::test]
async fn a_cut_drops_the_connection_after_that_many_events() {
    let address = provider(&["cut@2"]).await;
    for protocol in PROTOCOLS {
        let answer = protocol.ask(&address, "plain").await;
        assert!(!answer.complete, "{} {}", answer.head, answer.text());
        assert_eq!(answer.text().matches("data: ").count(), 2, "{}", answer.text());
    }
}

#[tokio::test]
async fn half_a_call_ends_in_the_middle_without_an_error() {
    let address = provider(&["half-call"]).await;
    for protocol in PROTOCOLS {
        let answer = protocol.ask(&address, "tool").await;
        let text = answer.text();
        assert!(answer.complete, "{text}");
        assert!(!text.contains(protocol.last), "{text}");
        assert!(!text.contains("Cluj\\\"}"), "{text}");
        let cut = text
            .lines()
            .last()
            .and_then(|line| line.strip_prefix("data: "))
            .is_some_and(|json| serde_json::from_str::<Value>(json).is_err());
        assert_eq!(cut, protocol.headers == GEMINI, "{text}");
        let whole = protocol.ask(&address, "plain").await;
        assert!(whole.text().contains(protocol.last));
    }
}

#[tokio::test]
async fn an_error_event_is_the_provider_s_own() {
    let address = provider(&["error-event@2"]).await;
    let errors = [
        "\"status\":\"UNAVAILABLE\"",
        "event: error",
        "\"type\":\"server_error\"",
        "overloaded_error",
    ];
    for (protocol, error) in PROTOCOLS.iter().zip(errors) {
        let text = protocol.ask(&address, "plain").await.text();
        assert!(text.contains(error), "{text}");
        assert!(!text.contains(protocol.last), "{text}");
    }
}

#[tokio::test]
async fn a_stream_that_never_ends_stays_open_before_its_end() {
    let address = provider(&["never-ends"]).await;
    for protocol in PROTOCOLS {
        let body = (protocol.request)("plain").to_string();
        let mut socket =
            open(&address, "POST", protocol.path, protocol.headers, body.as_bytes()).await;
        let mut seen = String::new();
        let mut buffer = [0_u8; 4096];
        while !seen.contains("friend.") {
            let read = socket.read(&mut buffer).await.unwrap();
            assert!(read > 0, "the connection ended: {seen}");
            seen.push_str(&String::from_utf8_lossy(&buffer[..read]));
        }
        let silence = tokio::time::timeout(Duration::from_millis(50), async {
            loop {
                let read = socket.read(&mut buffer).await.unwrap();
                assert!(read > 0, "the connection ended");
                let more = String::from_utf8_lossy(&buffer[..read]).into_owned();
                assert!(!more.contains(protocol.last), "{more}");
            }
        });
        assert!(silence.await.is_err());
    }
}

#[tokio::test]
async fn garbled_bytes_and_web_pages_are_sent_where_an_answer_was_expected() {
    let garbled = provider(&["invalid-utf8"]).await;
    let page = provider(&["html"]).await;
    for protocol in PROTOCOLS {
        let answer = protocol.ask(&garbled, "plain").await;
        assert!(std::str::from_utf8(&answer.body).is_err());
        let answer = protocol.ask(&page, "plain").await;
        assert!(answer.head.contains("text/html") && answer.text().contains("<h1>"));
    }
}

#[tokio::test]
async fn a_refusal_is_told_in_the_provider_s_own_word() {
    let address = provider(&["refuse"]).await;
    let words = ["\"SAFETY\"", "response.incomplete", "content_filter", "\"refusal\""];
    for (protocol, word) in PROTOCOLS.iter().zip(words) {
        let text = protocol.ask(&address, "plain").await.text();
        assert!(text.contains(word), "{text}");
        assert!(!text.contains("friend"), "{text}");
    }
}

#[tokio::test]
async fn a_repeated_call_is_made_again_however_often_it_is_answered() {
    let address = provider(&["repeat-call"]).await;
    let call = json!({ "id": "call_1", "type": "function", "function": { "name": "get_weather", "arguments": "{\"city\":\"Cluj\"}" } });
    let mut body = chat("tool");
    body["stream"] = false.into();
    let messages = body["messages"].as_array_mut().unwrap();
    messages.push(json!({ "role": "assistant", "content": null, "tool_calls": [call] }));
    messages.push(json!({ "role": "tool", "tool_call_id": "call_1", "content": "21" }));
    let answer = post(&address, "/v1/chat/completions", OPENAI, &body).await.json();
    let again = &answer["choices"][0]["message"]["tool_calls"][0];
    assert_eq!(again["function"], call["function"]);
    assert_ne!(again["id"], call["id"]);
    body["tool_choice"] = "none".into();
    let answer = post(&address, "/v1/chat/completions", OPENAI, &body).await.json();
    assert!(answer["choices"][0]["message"]["content"].is_string(), "{answer}");
}
