//! The value of a secret shows nowhere, whatever a service or a handler does with it.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::thread;

use serde_json::Value;

use super::{ADA, with_handler};
use crate::workspace::{Run, Workspace};

const SECRET: &str = "tok-9f\"31/c2";
const BASE64: &str = "Ym9iOnRvay05ZiIzMS9jMg==";

fn call(workspace: &Workspace) -> Run {
    let mut command = workspace.command();
    command.args(["call", "greet_person", ADA, "--conversation", "c"]).env("API_KEY", SECRET);
    Run::of(command.output().unwrap())
}

/// Everything that a person, a model or an auditor gets to see.
fn shown(workspace: &Workspace, run: &Run) -> String {
    let log = workspace.ok(&["audit", "export"]).stdout;
    format!("{}\n{}\n{log}", run.stdout, run.stderr)
}

fn check_hidden(shown: &str) {
    for spelling in [
        SECRET,
        r#"tok-9f\"31/c2"#,
        r#"tok-9f\\\"31/c2"#,
        "tok-9f%2231%2Fc2",
        "Rvay05ZiIzMS9j",
        "9f\"31",
    ] {
        assert!(!shown.contains(spelling), "{spelling} in {shown}");
    }
}

/// An echo service.
fn echo() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let lines = BufReader::new(stream.try_clone().unwrap()).lines();
        let head: Vec<_> = lines.map(Result::unwrap).take_while(|line| !line.is_empty()).collect();
        let body = head.join("\n");
        let length = body.len();
        write!(stream, "HTTP/1.1 401 Unauthorized\r\ncontent-length: {length}\r\n\r\n{body}")
            .unwrap();
    });
    port
}

#[test]
fn a_secret_that_a_service_echoes_is_in_no_answer_and_no_record() {
    let port = echo();
    let code = format!(
        "export async function execute({{ context }}) {{
            const key = context.secret.get('API_KEY');
            const url = `http://127.0.0.1:{port}/rates?key=${{encodeURIComponent(key)}}`;
            const answer = await context.http.fetch(url, {{ headers: {{ authorization: `Bearer ${{key}}` }} }});
            return {{ ok: true, data: {{ greeting: answer.body }} }};
        }}"
    );
    let members = format!(r#""capabilities": ["http:127.0.0.1:{port}", "secret:API_KEY"],"#);
    let workspace = with_handler(&code, &members);
    let settings = "[http]\nallow_private = [\"127.0.0.1\"]\nallow_plain = [\"127.0.0.1\"]\n";
    workspace.write("aileron.toml", settings);
    let run = call(&workspace);
    let greeting = run.json()["data"]["greeting"].as_str().unwrap_or_default().to_owned();
    assert!(greeting.contains("Bearer [secret:API_KEY]"), "{greeting}{}", run.stderr);
    assert!(greeting.contains("key=[secret:API_KEY]"), "{greeting}");
    check_hidden(&shown(&workspace, &run));
}

#[test]
fn a_secret_is_hidden_in_results_names_logs_notes_progress_messages_and_errors() {
    let say = "const key = context.secret.get('API_KEY');
        console.log('with', key); context.progress({ key }); context.audit.log('used ' + key, { [key]: [key] });
        await context.messaging.send({ text: `${key}!` });";
    let members = r#""capabilities": ["secret:API_KEY", "audit", "messaging"],"#;
    for end in [
        format!("return {{ ok: true, data: {{ greeting: JSON.stringify({{ key, basic: '{BASE64}' }}) }} }};"),
        "throw new ToolError('PERMANENT', `no ${key}`, { suggestion: key, details: { [key]: key } });".to_owned(),
        "throw new Error(`no ${key}`);".to_owned(),
        "return { ok: true, data: { greeting: 'x', [key]: 1 } };".to_owned(),
    ] {
        let code = format!(
            "import {{ ToolError }} from 'aileron';
             export async function execute({{ context }}) {{ {say} {end} }}"
        );
        let workspace = with_handler(&code, members);
        let run = call(&workspace);
        assert!(run.stderr.contains("with [secret:API_KEY]"), "{}", run.stderr);
        check_hidden(&shown(&workspace, &run));
    }
}

/// A fault of the installation is reported, also for a tool with `redact`.
#[test]
fn a_secret_that_is_not_set_is_named_with_the_way_to_set_it() {
    let code = "\n\nexport async function execute({ context }) {\n  return context.secret.get('NO_SUCH_KEY');\n}";
    for redact in ["", r#""redact": ["/name"],"#] {
        let members = format!(r#""capabilities": ["secret:NO_SUCH_KEY"], {redact}"#);
        let workspace = with_handler(code, &members);
        let run = workspace.run(&["call", "greet_person", ADA, "--memory"]);
        let error = &run.json()["error"];
        assert_eq!((error["type"].as_str(), &error["partialSideEffects"]), {
            (Some("TRANSIENT"), &Value::Bool(false))
        });
        for expected in ["secret `NO_SUCH_KEY` is not set", "environment variable `NO_SUCH_KEY`"] {
            assert!(run.stderr.contains(expected), "{redact}: {}", run.stderr);
            assert!(error["message"].as_str().unwrap_or_default().contains(expected), "{error}");
        }
        assert!(run.stderr.contains("greet-person/handler.js:4"), "{}", run.stderr);
    }
}
