//! The log that a server writes to stderr while it runs.

#[cfg(target_os = "linux")]
use std::net::TcpStream;
#[cfg(target_os = "linux")]
use std::process::Command;

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
    let line = server.until("90 % full");
    let line: Value = serde_json::from_str(line.lines().last().unwrap()).unwrap();
    assert_eq!((&line["level"], &line["window"]), (&json!("WARN"), &json!(100)));
    assert!(line["tokens"].as_u64() > Some(100), "{line}");
    socket.send(Message::text(r#"{"type":"stop"}"#)).unwrap();
    let line = server.until("A voice conversation ends.");
    assert!(line.lines().last().unwrap().contains("\"peak\":"), "{line}");
}

const BUDGET: &str = r#""latencyBudgetMs": 500"#;

/// Serves a tool with this handler and these members for its budget in `schema.json`, and calls it.
fn called(code: &str, members: &str) -> (Workspace, Running, Value) {
    let workspace = Workspace::with_tool();
    workspace.write("tools/greet-person/handler.js", code);
    workspace.replace("tools/greet-person/schema.json", BUDGET, members);
    let server = Running::start(&workspace, &[], &[("AILERON_LOG_FORMAT", "json")]);
    let (_, begun) = server.post("/v1/conversations", &json!({ "mode": "text" }));
    let place = format!("/v1/conversations/{}/calls", begun["id"].as_str().unwrap());
    let call =
        json!({ "callId": "call-000001", "toolId": "greet_person", "args": { "name": "Ada" } });
    let (status, answered) = server.post(&place, &call);
    assert_eq!(status, 200);
    (workspace, server, answered)
}

/// The line of the log that has these words.
fn line(server: &Running, words: &str) -> Value {
    serde_json::from_str(server.until(words).lines().last().unwrap()).unwrap()
}

#[test]
fn the_console_of_a_handler_is_in_the_log() {
    let code = "export function execute({ args }) {\n  console.warn('greeting', args.name.length);\n  \
                return { ok: true, data: { greeting: 'Hello' } };\n}\n";
    let (_workspace, server, _) = called(code, BUDGET);
    let line = line(&server, "A tool wrote to its console.");
    assert_eq!((&line["level"], &line["text"]), (&json!("WARN"), &json!("greeting 3")));
}

#[test]
fn what_is_wrong_with_a_tool_is_in_the_log_and_counted() {
    let code = "export function execute() { throw new Error('the cause'); }";
    let (_workspace, server, answered) = called(code, BUDGET);
    assert!(!answered.to_string().contains("the cause"), "{answered}");
    let line = line(&server, "A call met a defect.");
    assert_eq!((&line["level"], &line["tool"]), (&json!("ERROR"), &json!("greet_person")));
    let what = line["what"].as_str().unwrap();
    assert!(what.contains("handler.js:1") && what.contains("Error: the cause"), "{what}");
    let metrics = server.get("/metrics").1;
    assert!(metrics.contains(r#""defects":1"#), "{metrics}");
}

#[test]
fn what_a_tool_asks_for_in_vain_and_what_it_notes_is_in_the_log() {
    let code = "export function execute({ args, context }) {\n  \
                context.audit.log('greeted', { letters: args.name.length });\n  \
                const intents = [{ type: 'SET_PENDING_MESSAGE', message: ' ' }];\n  \
                return { ok: true, data: { greeting: 'Hello' }, intents };\n}\n";
    let (_workspace, server, _) = called(code, &format!(r#""capabilities": ["audit"], {BUDGET}"#));
    let note = line(&server, "A tool left a note.");
    assert_eq!((&note["level"], &note["event"]), (&json!("INFO"), &json!("greeted")));
    assert_eq!(note["details"], r#"{"letters":3}"#);
    let refused = line(&server, "An intent of a tool was refused.");
    assert_eq!(
        (&refused["level"], &refused["intent"], &refused["why"]),
        (
            &json!("WARN"),
            &json!("SET_PENDING_MESSAGE"),
            &json!("expected a message, found an empty one")
        )
    );
    let metrics = server.get("/metrics").1;
    assert!(metrics.contains(r#""intentsRefused":1"#), "{metrics}");
}

#[test]
fn a_call_that_takes_longer_than_its_budget_is_in_the_log_and_counted() {
    let code = "export function execute({ context }) {\n  const began = context.now();\n  \
                while (context.now() < began + 20);\n  \
                return { ok: true, data: { greeting: 'Hello' } };\n}\n";
    let (_workspace, server, answered) =
        called(code, r#""latencyBudgetMs": 1, "timeoutMs": 20000"#);
    assert_eq!(answered["answers"][0]["response"]["meta"]["overBudget"], true, "{answered}");
    let line = line(&server, "A call took longer than `latencyBudgetMs`.");
    assert_eq!((&line["level"], &line["tool"]), (&json!("WARN"), &json!("greet_person")));
    assert!(line["duration_ms"].as_u64() >= Some(20), "{line}");
    let metrics = server.get("/metrics").1;
    assert!(metrics.contains(r#""overBudget":1"#), "{metrics}");
}

#[test]
fn a_tool_whose_responses_are_long_is_in_the_log_once() {
    let code = "export function execute({ args }) {\n  \
                return { ok: true, data: { greeting: args.name.repeat(400) } };\n}\n";
    let workspace = Workspace::with_tool();
    workspace.write("tools/greet-person/handler.js", code);
    let server = Running::start(&workspace, &[], &[("AILERON_LOG_FORMAT", "json")]);
    let (_, begun) = server.post("/v1/conversations", &json!({ "mode": "text" }));
    let place = format!("/v1/conversations/{}", begun["id"].as_str().unwrap());
    for n in 0..22 {
        server.post(&format!("{place}/turns"), &json!({ "input": "written" }));
        let (call_id, args) = (format!("call-0000{n:02}"), json!({ "name": "Adaline" }));
        let call = json!({ "callId": call_id, "toolId": "greet_person", "args": args });
        assert_eq!(server.post(&format!("{place}/calls"), &call).0, 200);
    }
    let log = server.until("The responses of a tool are long for a model");
    let line: Value = serde_json::from_str(log.lines().last().unwrap()).unwrap();
    assert_eq!((&line["level"], &line["tool"]), (&json!("WARN"), &json!("greet_person")));
    assert_eq!((&line["responses"], &line["limit"]), (&json!(20), &json!(1500)));
    assert!(line["p95"].as_u64() > Some(2800), "{line}");
    assert_eq!(log.matches("long for a model").count(), 1);
}

#[test]
fn what_a_tool_hides_is_in_no_line_of_the_log() {
    let code = "export function execute({ args, context }) {\n  console.warn('for', args.name);\n  \
                context.audit.log('greeted', { name: args.name });\n  \
                throw new Error('no such person: ' + args.name);\n}\n";
    let members = format!(r#""capabilities": ["audit"], "redact": ["/name"], {BUDGET}"#);
    let (_workspace, server, _) = called(code, &members);
    let seen = server.until("A call met a defect.");
    for words in ["wrote to its console", "left a note", "handler.js:4"] {
        assert!(seen.contains(words), "{words}: {seen}");
    }
    let rest = server.rest();
    assert!(!seen.contains("Ada") && !rest.contains("Ada"), "{seen}{rest}");
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
    let line = server.until("The keys of the token issuer could not be fetched.");
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

/// The server goes on with what it has, says once why it takes no more, and takes more when it can.
#[cfg(target_os = "linux")]
#[test]
fn a_want_of_file_handles_is_in_the_log_and_passes() {
    let workspace = Workspace::with_tool();
    let server = Running::start(&workspace, &["--memory"], &[("AILERON_LOG_FORMAT", "json")]);
    let id = server.id();
    let open = std::fs::read_dir(format!("/proc/{id}/fd")).unwrap().count();
    let (id, most) = (id.to_string(), format!("--nofile={}", open + 4));
    let limited = Command::new("prlimit").args(["--pid", &id, &most]).status();
    assert!(limited.expect("prlimit of util-linux is needed").success());
    let held: Vec<_> = (0..16).map(|_| TcpStream::connect(server.address()).unwrap()).collect();
    let line = line(&server, "No connection can be accepted.");
    assert_eq!(line["level"], "ERROR");
    assert!(line["error"].as_str().unwrap().contains("Too many open files"), "{line}");
    drop(held);
    let meanwhile = server.until("Connections are accepted again.");
    assert!(!meanwhile.contains("No connection"), "it is said once: {meanwhile}");
    assert_eq!(server.get("/health").0, 200);
}

#[test]
fn a_call_that_waits_for_approval_is_told_with_the_command_that_approves_it() {
    let workspace = Workspace::with_tool();
    let asks = ("\"requiresConfirmation\": false", "\"requiresConfirmation\": true");
    workspace.replace("tools/greet-person/schema.json", asks.0, asks.1);
    let server = Running::start(&workspace, &["--memory"], &[]);
    let (_, begun) = server.post("/v1/conversations", &json!({ "mode": "text" }));
    let place = format!("/v1/conversations/{}", begun["id"].as_str().unwrap());
    let call =
        json!({ "callId": "call-000001", "toolId": "greet_person", "args": { "name": "Ada" } });
    let (_, answered) = server.post(&format!("{place}/calls"), &call);
    assert!(answered.to_string().contains("CONFIRMATION_REQUIRED"), "{answered}");
    let shown = server.until("A call waits for the person's approval");
    let (_, command) = shown.trim_end().rsplit_once("approve=").unwrap();
    let start = format!("curl http://{}{place}/confirmations/", server.address());
    let rest = command.strip_prefix(&start).unwrap_or_else(|| panic!("{command}"));
    let (token, rest) = rest.split_once(' ').unwrap();
    assert_eq!(rest, "-H 'content-type: application/json' -d '{\"approve\": true}'");
    let path = format!("{place}/confirmations/{token}");
    let (status, decided) = server.post(&path, &json!({ "approve": true }));
    assert_eq!(status, 200, "{decided}");
    assert!(decided.to_string().contains("Hello, Ada!"), "{decided}");
}

#[test]
fn a_secret_that_is_not_set_is_named_at_the_start() {
    let workspace = Workspace::with_tool();
    let declared = "\"capabilities\": [\"secret:GREETING_KEY\"], \"latencyBudgetMs\": 500";
    workspace.replace("tools/greet-person/schema.json", BUDGET, declared);
    let told = "secret GREETING_KEY: not set, and greet_person will fail without it; set the \
                environment variable GREETING_KEY and start again";
    let server = Running::start(&workspace, &["--memory"], &[]);
    assert!(server.screen().contains(told), "{}", server.screen());
    let server = Running::start(&workspace, &["--memory"], &[("GREETING_KEY", "k")]);
    assert!(!server.screen().contains("GREETING_KEY"), "{}", server.screen());
}
