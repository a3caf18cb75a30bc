//! What a server writes to stderr while it runs.

use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::{Message, connect};

use super::running::Running;
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
fn a_log_that_is_off_is_silent() {
    let workspace = Workspace::with_tool();
    let server = Running::start(&workspace, &[], &[("AILERON_LOG_LEVEL", "off")]);
    let (mut socket, _) = connect(format!("ws://{}/v1/voice", server.address())).unwrap();
    socket.send(Message::text(r#"{"type":"start"}"#)).unwrap();
    assert!(socket.read().unwrap().to_text().unwrap().contains("ready"));
    let rest = server.rest();
    assert!(!rest.contains("voice conversation"), "{rest}");
}
