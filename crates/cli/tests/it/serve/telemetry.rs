//! OpenTelemetry: the binary sends spans and metrics to a collector, as the `OTEL_*` variables say.

mod receiver;

use std::collections::BTreeMap;

use opentelemetry_proto::tonic::trace::v1::Span;
use serde_json::json;
use tokio_tungstenite::tungstenite::{Message, connect};

use self::receiver::{Collector, attributes};
use super::running::Running;
use crate::chat::model::{Model, Reply};
use crate::workspace::{Workspace, repository};

const CONTENT: &str = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT";

/// The variables that send everything to this address at once.
fn variables(url: &str) -> Vec<(&str, &str)> {
    vec![
        ("OTEL_EXPORTER_OTLP_ENDPOINT", url),
        ("OTEL_BSP_SCHEDULE_DELAY", "50"),
        ("OTEL_METRIC_EXPORT_INTERVAL", "100"),
        ("AILERON_LOG_FORMAT", "json"),
    ]
}

/// The span with this name.
fn named<'a>(spans: &'a [Span], name: &str) -> &'a Span {
    let found = spans.iter().find(|span| span.name == name);
    found.unwrap_or_else(|| panic!("{name} in {spans:?}"))
}

/// The policies of a call's span: each with its result.
fn policies(span: &Span) -> Vec<(String, String)> {
    let gates = span.events.iter().filter(|event| event.name == "aileron.policy");
    let gates = gates.map(|event| attributes(&event.attributes));
    gates
        .map(|mut all| {
            let mut take = |name: &str| all.remove(name).unwrap();
            (take("aileron.policy.name"), take("aileron.policy.result"))
        })
        .collect()
}

fn some(found: &BTreeMap<String, String>, names: &[(&str, &str)]) {
    for (name, value) in names {
        assert_eq!(found.get(*name).map(String::as_str), Some(*value), "{name} in {found:?}");
    }
}

/// A turn in which the model calls a tool that exists and one that does not.
fn chatted(extra: &[(&str, &str)]) -> (Collector, Running, Workspace) {
    let collector = Collector::start();
    let workspace = Workspace::with_tool();
    let model = Model::start([
        Reply::Calls("greet_person", json!({ "name": "Ada" })),
        Reply::Calls("made_up", json!({})),
        Reply::Says("Hello, Ada!"),
    ]);
    workspace.write("aileron.toml", model.settings());
    let url = collector.url();
    let mut variables = variables(&url);
    variables.extend(extra);
    let server = Running::start(&workspace, &[], &variables);
    assert!(
        server.screen().contains("telemetry  traces and metrics by OTLP"),
        "{}",
        server.screen()
    );
    let ask = json!({ "id": "c", "message": "Greet Ada", "stream": false });
    assert_eq!(server.post("/api/chat", &ask).0, 200);
    (collector, server, workspace)
}

#[test]
fn a_turn_has_a_span_with_its_model_requests_calls_and_gates() {
    let (mut collector, _server, _workspace) = chatted(&[]);
    let spans = collector.spans("invoke_agent", 1);
    some(&collector.resource, &[("service.name", "aileron"), ("service.version", "0.1.0")]);
    let turn = named(&spans, "invoke_agent aileron");
    some(
        &attributes(&turn.attributes),
        &[
            ("gen_ai.operation.name", "invoke_agent"),
            ("gen_ai.conversation.id", "c"),
            ("aileron.turn", "1"),
            ("aileron.mode", "text"),
        ],
    );
    assert!(turn.parent_span_id.is_empty());
    for span in spans.iter().filter(|span| span.name != turn.name) {
        assert_eq!((&span.parent_span_id, &span.trace_id), (&turn.span_id, &turn.trace_id));
        assert!(span.start_time_unix_nano >= turn.start_time_unix_nano, "{span:?}");
        assert!(span.end_time_unix_nano <= turn.end_time_unix_nano, "{span:?}");
    }
    let chats: Vec<_> = spans.iter().filter(|span| span.name == "chat m").collect();
    assert_eq!(chats.len(), 3);
    let request = [("gen_ai.provider.name", "openai"), ("gen_ai.request.model", "m")];
    some(&attributes(&chats[0].attributes), &request);
    let call = named(&spans, "execute_tool greet_person");
    let found = attributes(&call.attributes);
    some(
        &found,
        &[
            ("gen_ai.operation.name", "execute_tool"),
            ("gen_ai.tool.name", "greet_person"),
            ("gen_ai.tool.type", "function"),
            ("aileron.call.outcome", "completed"),
            ("aileron.call.attempts", "1"),
        ],
    );
    assert!(found.contains_key("gen_ai.tool.call.id"));
    assert!(!found.contains_key("gen_ai.tool.call.arguments"), "content is not sent by default");
    let gates = policies(call);
    assert_eq!(gates[0], ("known_tool".to_owned(), "passed".to_owned()));
    assert!(gates.len() > 8 && gates.iter().all(|(_, result)| result == "passed"), "{gates:?}");
    assert!(call.events.iter().any(|event| event.name == "aileron.call.started"), "{call:?}");
    let unknown = named(&spans, "execute_tool");
    assert_eq!(policies(unknown), [("known_tool".to_owned(), "refused".to_owned())]);
    let failed = [("error.type", "NOT_FOUND"), ("aileron.call.outcome", "refused:known_tool")];
    some(&attributes(&unknown.attributes), &failed);
}

#[test]
fn durations_and_tokens_are_metrics() {
    let (mut collector, _server, _workspace) = chatted(&[]);
    let tools = collector.histogram("gen_ai.execute_tool.duration");
    assert_eq!(tools.len(), 1, "a tool that does not exist has no series: {tools:?}");
    some(&tools[0].0, &[("gen_ai.tool.name", "greet_person")]);
    assert_eq!(tools[0].1, 1);
    let turns = collector.histogram("gen_ai.invoke_agent.duration");
    some(&turns[0].0, &[("gen_ai.operation.name", "invoke_agent"), ("aileron.mode", "text")]);
    let requests = collector.histogram("gen_ai.client.operation.duration");
    some(&requests[0].0, &[("gen_ai.request.model", "m"), ("gen_ai.operation.name", "chat")]);
}

#[test]
fn arguments_and_results_are_sent_only_if_asked_for() {
    let (mut collector, _server, _workspace) = chatted(&[(CONTENT, "true")]);
    let spans = collector.spans("invoke_agent", 1);
    let found = attributes(&named(&spans, "execute_tool greet_person").attributes);
    some(
        &found,
        &[
            ("gen_ai.tool.call.arguments", r#"{"name":"Ada"}"#),
            ("gen_ai.tool.call.result", r#"{"greeting":"Hello, Ada!"}"#),
        ],
    );
}

#[test]
fn values_that_a_tool_hides_are_never_sent() {
    let mut collector = Collector::start();
    let workspace = Workspace::with_tool();
    let budget = r#""latencyBudgetMs": 500"#;
    let hiding = format!(r#""redact": ["/name", "/greeting"], {budget}"#);
    workspace.replace("tools/greet-person/schema.json", budget, &hiding);
    let url = collector.url();
    let mut variables = variables(&url);
    variables.push((CONTENT, "true"));
    let server = Running::start(&workspace, &[], &variables);
    let (_, begun) = server.post("/v1/conversations", &json!({ "mode": "text" }));
    let place = format!("/v1/conversations/{}/calls", begun["id"].as_str().unwrap());
    let args = json!({ "name": "Adaline" });
    let call = json!({ "callId": "call-000001", "toolId": "greet_person", "args": args });
    assert_eq!(server.post(&place, &call).0, 200);
    let spans = collector.spans("execute_tool", 1);
    let found = attributes(&spans[0].attributes);
    assert!(found.contains_key("gen_ai.tool.call.arguments"), "{found:?}");
    assert!(found.contains_key("gen_ai.tool.call.result"), "{found:?}");
    assert!(!format!("{spans:?}").contains("Adaline"), "{found:?}");
}

#[test]
fn a_live_turn_has_its_calls_and_no_span_for_audio() {
    let mut collector = Collector::start();
    let workspace = Workspace::new();
    let (tools, seed) = (repository().join("tools"), repository().join("demo/knowledge"));
    let url = collector.url();
    let mut variables = variables(&url);
    variables.push(("AILERON_KB_SEED", seed.to_str().unwrap()));
    let server = Running::start(&workspace, &["--tools", tools.to_str().unwrap()], &variables);
    let (mut socket, _) = connect(format!("ws://{}/v1/voice", server.address())).unwrap();
    socket.send(Message::text(r#"{"type":"start"}"#)).unwrap();
    let words = json!({ "type": "text", "text": "What is the Atlas project?" }).to_string();
    socket.send(Message::text(words)).unwrap();
    let spans = collector.spans("invoke_agent", 1);
    let turn = named(&spans, "invoke_agent aileron");
    some(&attributes(&turn.attributes), &[("aileron.mode", "voice"), ("aileron.turn", "1")]);
    let call = named(&spans, "execute_tool kb_search");
    assert_eq!((&call.parent_span_id, &call.trace_id), (&turn.span_id, &turn.trace_id));
    assert!(!policies(call).is_empty());
    let others = spans.iter().filter(|span| !span.name.starts_with("execute_tool"));
    assert_eq!(others.count(), 1, "{spans:?}");
}

#[test]
fn a_collector_that_cannot_be_reached_is_logged_once_and_delays_nothing() {
    let workspace = Workspace::with_tool();
    // Nothing listens on this port, once it is free again.
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let url = format!("http://127.0.0.1:{port}");
    let server = Running::start(&workspace, &[], &variables(&url));
    let (_, begun) = server.post("/v1/conversations", &json!({ "mode": "text" }));
    let place = format!("/v1/conversations/{}", begun["id"].as_str().unwrap());
    for n in 0..20 {
        server.post(&format!("{place}/turns"), &json!({ "input": "written" }));
        let (call_id, args) = (format!("call-0000{n:02}"), json!({ "name": "Ada" }));
        let call = json!({ "callId": call_id, "toolId": "greet_person", "args": args });
        assert_eq!(server.post(&format!("{place}/calls"), &call).0, 200);
    }
    let said = server.until("Telemetry cannot be sent") + &server.rest();
    for signal in ["traces", "metrics"] {
        let lines = said.lines().filter(|line| {
            line.contains("Telemetry cannot be sent") && line.contains(&format!("\"{signal}\""))
        });
        assert!(lines.count() <= 1, "{said}");
    }
    assert!(said.contains("stopped"), "{said}");
}

#[test]
fn a_collector_that_never_answers_holds_up_neither_a_call_nor_the_stop() {
    let workspace = Workspace::with_tool();
    // Connections are accepted by the operating system, and nobody reads them.
    let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", silent.local_addr().unwrap());
    let server = Running::start(&workspace, &[], &variables(&url));
    let (_, begun) = server.post("/v1/conversations", &json!({ "mode": "text" }));
    let place = format!("/v1/conversations/{}/calls", begun["id"].as_str().unwrap());
    let args = json!({ "name": "Ada" });
    let call = json!({ "callId": "call-000001", "toolId": "greet_person", "args": args });
    assert_eq!(server.post(&place, &call).0, 200);
    // A request is on its way before the server is stopped.
    let (request, _) = silent.accept().unwrap();
    assert_eq!(request.peek(&mut [0]).unwrap(), 1);
    let said = server.rest();
    assert!(said.contains("stopped"), "{said}");
}

#[test]
fn telemetry_is_off_without_the_variables_and_when_it_is_disabled() {
    let collector = Collector::start();
    let url = collector.url();
    let mut disabled = variables(&url);
    disabled.push(("OTEL_SDK_DISABLED", "true"));
    let workspace = Workspace::with_tool();
    for variables in [Vec::new(), disabled] {
        let server = Running::start(&workspace, &[], &variables);
        assert!(!server.screen().contains("telemetry"), "{}", server.screen());
        assert_eq!(server.signal("-TERM"), Some(0));
    }
}
