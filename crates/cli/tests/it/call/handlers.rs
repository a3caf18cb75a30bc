//! `[handlers]`, `[http]` and `[policies]` of the settings, as a call meets them.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::thread;

use super::{ADA, with_handler};
use crate::workspace::Workspace;

#[test]
fn a_handler_may_run_in_a_process_of_its_own() {
    let code = "export const execute = async ({ args }) => ({ ok: true, data: { greeting: `From afar, ${args.name}` } });";
    let workspace = with_handler(code, "");
    workspace.write("aileron.toml", "[handlers]\nisolation = \"process\"\n");
    let run = workspace.ok(&["call", "greet_person", ADA, "--memory"]);
    assert_eq!(run.json()["data"]["greeting"], "From afar, Ada");
}

#[test]
fn limits_hold_in_both_isolations() {
    for isolation in ["thread", "process"] {
        for (code, limit) in [
            ("export async function execute() { while (true) {} }", "cpu_ms = 50"),
            (
                "export async function execute() { const a = []; while (true) a.push('x'.repeat(100_000)); }",
                "memory_mb = 8",
            ),
        ] {
            let workspace = with_handler(code, "");
            let settings =
                format!("[handlers]\nisolation = \"{isolation}\"\n{limit}\nthreads = 1\n");
            workspace.write("aileron.toml", settings);
            let run = workspace.run(&["call", "greet_person", ADA, "--memory"]);
            assert_eq!(run.code, 1, "{isolation} {limit}: {}", run.stderr);
            assert_ne!(run.json()["error"]["type"], "VALIDATION", "{}", run.stdout);
            assert!(run.stderr.starts_with("defect of greet_person: "), "{limit}: {}", run.stderr);
        }
    }
}

/// Answers one request without TLS.
fn server() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut lines = BufReader::new(stream.try_clone().unwrap()).lines();
        while lines.next().is_some_and(|line| !line.unwrap().is_empty()) {}
        stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello").unwrap();
    });
    port
}

#[test]
fn hosts_that_are_not_public_need_the_settings_leave() {
    let port = server();
    let code = format!(
        "export async function execute({{ context }}) {{
            const answer = await context.http.fetch({{ url: 'http://127.0.0.1:{port}/' }});
            return {{ ok: true, data: {{ greeting: answer.body }} }};
        }}"
    );
    let members = format!(r#""capabilities": ["http:127.0.0.1:{port}"],"#);
    let workspace = with_handler(&code, &members);
    let refused = workspace.run(&["call", "greet_person", ADA, "--memory"]);
    assert_eq!(refused.code, 1, "{}", refused.stdout);
    workspace.write(
        "aileron.toml",
        "[http]\nallow_private = [\"127.0.0.1\"]\nallow_plain = [\"127.0.0.1\"]\n",
    );
    let run = workspace.run(&["call", "greet_person", ADA, "--memory"]);
    assert_eq!(run.json()["data"]["greeting"], "hello", "{}", run.stderr);
}

#[test]
fn fetch_takes_an_address_and_options_as_browsers_do() {
    let port = server();
    let code = format!(
        "export async function execute({{ context }}) {{
            const answer = await context.http.fetch('http://127.0.0.1:{port}/', {{ method: 'POST', body: 'x' }});
            return {{ ok: true, data: {{ greeting: `${{answer.status}} ${{answer.body}}` }} }};
        }}"
    );
    let workspace = with_handler(&code, &format!(r#""capabilities": ["http:127.0.0.1:{port}"],"#));
    workspace.write(
        "aileron.toml",
        "[http]\nallow_private = [\"127.0.0.1\"]\nallow_plain = [\"127.0.0.1\"]\n",
    );
    let run = workspace.run(&["call", "greet_person", ADA, "--memory"]);
    assert_eq!(run.json()["data"]["greeting"], "200 hello", "{}", run.stderr);
}

/// Reads a secret by the name the tool declares, and one it does not.
#[test]
fn a_handler_reads_the_secret_it_declares_and_no_other() {
    let code = "export async function execute({ context }) {
        let other = 'none';
        try { context.secret.get(['HO', 'ME'].join('')); } catch (fault) { other = fault.code; }
        return { ok: true, data: { greeting: `${context.secret.get('PATH').length > 0} ${other}` } };
    }";
    let workspace = with_handler(code, r#""capabilities": ["secret:PATH"],"#);
    let run = workspace.run(&["call", "greet_person", ADA, "--memory"]);
    assert_eq!(run.json()["data"]["greeting"], "true REFUSED", "{}", run.stderr);
}

#[test]
fn what_voice_and_audio_give_are_intents() {
    let code = "export async function execute({ context }) {
        const intents = [context.voice.endSession(), context.audio.suppress(true)];
        return { ok: true, data: { greeting: String(context.voice.isActive()) }, intents };
    }";
    let workspace = with_handler(code, r#""capabilities": ["voice", "audio"],"#);
    let run = workspace.run(&["call", "greet_person", ADA, "--memory", "--mode", "voice"]);
    let answer = run.json();
    assert_eq!(answer["data"]["greeting"], "true", "{}", run.stderr);
    assert_eq!(answer["intents"][0]["type"], "END_VOICE_SESSION");
    assert_eq!(answer["intents"][1]["type"], "SUPPRESS_AUDIO");
}

#[test]
fn roots_that_cannot_be_used_matter_only_to_tools_with_http() {
    let plain = Workspace::with_tool();
    let code = "export const execute = async () => ({ ok: true, data: { greeting: '' } });";
    let reaching = with_handler(code, r#""capabilities": ["http:example.org"],"#);
    for (workspace, code) in [(plain, 0), (reaching, 2)] {
        workspace.write("etc/aileron.toml", "[http]\nextra_roots = [\"none.pem\"]\n");
        let run = workspace.run(&[
            "--config",
            "etc/aileron.toml",
            "call",
            "greet_person",
            ADA,
            "--memory",
            "--tools",
            "tools",
        ]);
        assert_eq!(run.code, code, "{}", run.stderr);
        assert!(
            code == 0 || run.stderr.contains("`etc/none.pem` of [http] extra_roots cannot be read")
        );
    }
}

#[test]
fn policies_take_their_numbers_from_the_settings() {
    let workspace = Workspace::with_tool();
    workspace.write("aileron.toml", "[policies.budgets.text]\nretrieval = 0\ntotal = 0\n");
    let run = workspace.run(&["call", "greet_person", ADA, "--memory"]);
    assert_eq!((run.code, run.json()["error"]["type"].as_str()), (1, Some("BUDGET_EXCEEDED")));
}
