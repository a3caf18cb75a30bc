//! What a server writes to stderr while it runs.

use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::{Message, connect};

use super::running::Running;
use crate::chat::model::{Model, Reply};
use crate::simulate;
use crate::workspace::Workspace;

#[test]
fn a_window_that_is_nearly_full_is_in_the_log() {
    let workspace = Workspace::with_tool();
    let provider = simulate::start(&workspace, &["gemini-live"]);
    let variables = [
        ("AILERON_VOICE_PROVIDER", "gemini"),
        ("AILERON_VOICE_GEMINI_BASE_URL", provider.line("plain")),
        ("AILERON_VOICE_GEMINI_WINDOW_TOKENS", "100"),
        ("AILERON_LOG_FORMAT", "json"),
    ];
    let server = Running::start(&workspace, &[], &variables);
    let (mut socket, _) = connect(format!("ws://{}/v1/voice", server.address())).unwrap();
    socket.send(Message::text(r#"{"type":"start"}"#)).unwrap();
    let line = server.until("nine tenths full");
    let line: Value = serde_json::from_str(line.lines().last().unwrap()).unwrap();
    assert_eq!((&line["level"], &line["window"]), (&json!("WARN"), &json!(100)));
    assert!(line["tokens"].as_u64() > Some(100), "{line}");
    socket.send(Message::text(r#"{"type":"stop"}"#)).unwrap();
    let line = server.until("A voice conversation ends.");
    assert!(line.lines().last().unwrap().contains("\"peak\":"), "{line}");
}

#[test]
fn the_console_of_a_handler_is_in_the_log() {
    let workspace = Workspace::with_tool();
    let handler = "export function execute({ args }) {\n  console.warn('greeting', args.name.length);\n  \
                   return { ok: true, data: { greeting: 'Hello' } };\n}\n";
    workspace.write("tools/greet-person/handler.js", handler);
    let server = Running::start(&workspace, &[], &[]);
    let (_, begun) = server.post("/v1/conversations", &json!({ "mode": "text" }));
    let place = format!("/v1/conversations/{}/calls", begun["id"].as_str().unwrap());
    let call =
        json!({ "callId": "call-000001", "toolId": "greet_person", "args": { "name": "Ada" } });
    assert_eq!(server.post(&place, &call).0, 200);
    let line = server.until("A tool wrote to its console.");
    assert!(line.contains("WARN") && line.contains("greeting 3"), "{line}");
}

#[test]
fn why_an_answer_failed_is_in_the_log_and_no_key_is() {
    let workspace = Workspace::with_tool();
    let refusal = json!({ "error": {
        "message": "Incorrect API key provided: a-key-that-is-not-taken.",
        "type": "invalid_request_error", "code": "invalid_api_key",
    }});
    let model = Model::start([Reply::Refuses(401, refusal)]);
    workspace.write("aileron.toml", model.settings() + "key = 'MY_KEY'\n");
    let variables = [("MY_KEY", "a-key-that-is-not-taken"), ("AILERON_LOG_FORMAT", "json")];
    let server = Running::start(&workspace, &[], &variables);
    let ask = json!({ "id": "c", "message": "hi", "stream": false });
    let (status, answer) = server.post("/api/chat", &ask);
    assert_eq!((status, &answer["error"]["code"]), (502, &json!("MODEL_REFUSED")));
    assert!(!answer.to_string().contains("Incorrect"), "{answer}");
    let line = server.until("An answer failed.");
    let line: Value = serde_json::from_str(line.lines().last().unwrap()).unwrap();
    assert_eq!(
        (&line["level"], &line["code"], &line["conversation"]),
        (&json!("WARN"), &json!("MODEL_REFUSED"), &json!("c"))
    );
    let detail = line["detail"].as_str().unwrap();
    assert!(detail.starts_with("invalid_api_key: Incorrect API key provided: ***."), "{detail}");
}

/// `{"alg":"ES256","kid":"k"}.{"sub":"ada"}.x`
const SOME_TOKEN: &str = "eyJhbGciOiJFUzI1NiIsImtpZCI6ImsifQ.eyJzdWIiOiJhZGEifQ.eA";

#[test]
fn why_keys_are_not_fetched_is_in_the_log() {
    let workspace = Workspace::with_tool();
    let place = "http://127.0.0.1:1/jwks?token=hidden-word";
    let server = Running::start(&workspace, &[], &[("AILERON_AUTH_JWT_JWKS", place)]);
    assert_eq!(server.signed_in(SOME_TOKEN).get("/v1/tools").0, 503);
    let line = server.until("The keys that tokens are checked with are not fetched.");
    assert!(line.contains("WARN") && line.to_lowercase().contains("refused"), "{line}");
    assert!(!line.contains("hidden-word"), "{line}");
}

#[test]
fn a_log_that_is_off_is_silent() {
    let workspace = Workspace::with_tool();
    let server = Running::start(&workspace, &[], &[("AILERON_LOG_LEVEL", "off")]);
    let (mut socket, _) = connect(format!("ws://{}/v1/voice", server.address())).unwrap();
    socket.send(Message::text(r#"{"type":"start"}"#)).unwrap();
    assert!(socket.read().unwrap().to_text().unwrap().contains("ready"));
    let rest = server.rest();
    assert!(!rest.contains("voice conversation"), "{rest}");
}
