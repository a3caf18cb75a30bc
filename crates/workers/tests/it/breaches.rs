//! Workers that do not keep to the protocol. Each is a real process that the engine starts instead of
//! Node.js.

use std::time::Duration;

use aileron_contract::{ErrorType, Outcome};
use aileron_workers::WorkerOptions;
use serde_json::json;
use tempfile::TempDir;

use crate::sharing::write_program;
use crate::stage::{Language, Stage, data, failure, load, options, until};

/// A worker in Python that speaks for Node.js. `ON_CALL` stands for what it does with a call.
const WORKER: &str = r#"#!/usr/bin/env python3
import json, os, socket, sys, time
link = socket.socket(socket.AF_UNIX)
link.connect(sys.argv[3])
def send(**message):
    link.sendall(json.dumps(message).encode() + b"\n")
def done(id, data):
    send(type="done", id=id, result={"ok": True, "data": data})
HELLO
count = 0
for line in link.makefile():
    message = json.loads(line)
    if message["type"] == "load":
        send(type="loaded", tool=message["tool"], concurrent=True)
    if message["type"] == "ping":
        send(type="pong")
    if message["type"] == "call":
        id, count = message["id"], count + 1
        send(type="began", id=id)
        ON_CALL
"#;

const HELLO: &str = r#"send(type="hello", protocol=1, runtime="node", version="22.0.0")"#;

struct Fake {
    stage: Result<Stage, String>,
    _folder: TempDir,
}

fn fake(hello: &str, on_call: &str) -> Fake {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("worker");
    let on_call = on_call.replace('\n', "\n        ");
    write_program(&program, &WORKER.replace("HELLO", hello).replace("ON_CALL", &on_call));
    let options = WorkerOptions { node: program, load: Duration::from_secs(2), ..options() };
    Fake { stage: load(Language::Node, "", &["kb"], options), _folder: folder }
}

fn on_call(what: &str) -> (Stage, TempDir) {
    let Fake { stage, _folder } = fake(HELLO, what);
    (stage.unwrap(), _folder)
}

fn refused(hello: &str) -> String {
    fake(hello, "").stage.err().unwrap()
}

#[test]
fn another_version_of_the_protocol_is_refused() {
    let why = refused(r#"send(type="hello", protocol=2, runtime="node", version="22.0.0")"#);
    assert_eq!(why, "expected version 1 of the worker protocol, found 2");
}

#[test]
fn a_runtime_that_is_too_old_is_refused() {
    let why = refused(r#"send(type="hello", protocol=1, runtime="node", version="18.20.1")"#);
    assert!(why.starts_with("expected Node.js 20.19 or newer, found 18.20.1; "), "{why}");
    assert!(why.contains("handlers.node = "), "{why}");
}

#[test]
fn a_process_that_does_not_begin_as_it_must_is_refused() {
    for (hello, expected) in [
        (r#"link.sendall(b"HTTP/1.1 200 OK\n")"#, "sent a line that is no message"),
        (r#"send(type="pong")"#, "did not begin with its first message"),
        ("time.sleep(60)", "did not send its first message"),
        ("link.shutdown(2); time.sleep(60)", "closed its socket"),
        ("sys.exit('no luck')", "ended with exit status: 1"),
    ] {
        let why = refused(hello);
        assert!(why.contains(expected), "{hello}: {why}");
    }
}

#[test]
fn the_first_answer_to_a_call_counts_and_the_process_is_replaced() {
    let (stage, _folder) = on_call("done(id, [1, os.getpid()])\ndone(id, [2, os.getpid()])");
    let first = stage.data(json!({}));
    assert_eq!(first[0], 1);
    until("the process is replaced", || {
        let next = stage.data(json!({}));
        assert_eq!(next[0], 1);
        next[1] != first[1]
    });
}

/// The call itself is answered rightly, and no other one receives the answer.
#[test]
fn an_answer_to_another_call_id_answers_nothing() {
    let (stage, _folder) = on_call("done('0' * 16, 'false')\ndone(id, [1, os.getpid()])");
    let first = stage.data(json!({}));
    assert_eq!(first[0], 1);
    until("the process is replaced", || stage.data(json!({}))[1] != first[1]);
}

#[test]
fn a_process_that_breaks_the_protocol_is_stopped_and_named() {
    for (breach, named) in [
        (r#"link.sendall(b"{{{\n")"#, "sent a line that is no message"),
        (r#"link.sendall(b"\xff\xfe\n")"#, "sent a line that is no UTF-8"),
        (r#"send(type="wish", id=id)"#, "sent a message of the unknown type `wish`"),
        (r#"send(type="done", result={})"#, "sent a message of a call without its id"),
        (r#"send(type="loaded", tool="x")"#, "sent the end of a load that it was not asked for"),
        (r#"send(type="hello", protocol=1, version="1")"#, "sent its first message again"),
        (r#"link.sendall(b"x" * 8000000)"#, "sent a message that is too long"),
        ("link.shutdown(2); time.sleep(60)", "closed its socket"),
    ] {
        let (stage, _folder) = on_call(&format!("if count > 1: {breach}\ndone(id, 1)"));
        assert_eq!(stage.data(json!({})), json!(1));
        let end = stage.call(json!({}));
        assert_eq!(end.outcome, Outcome::ProcessDied, "{breach}");
        let (failure, defect) = failure(end);
        assert_eq!(failure.kind, ErrorType::OutcomeUnknown, "{breach}");
        assert!(defect.contains(named), "{breach}: {defect}");
        assert_eq!(stage.data(json!({})), json!(1), "{breach}");
    }
}

/// Its messages wait in memory up to a limit, then it is stopped; a call that it never read is
/// answered at its deadline.
#[test]
fn a_process_that_never_reads_is_replaced() {
    let (stage, _folder) = on_call(
        "if args_are_large(message): time.sleep(1000)\ndone(id, 1)"
            .replace("args_are_large(message)", "message['args'].get('text')")
            .as_str(),
    );
    let large = json!({ "text": "x".repeat(1 << 20) });
    let calls: Vec<_> =
        (0..6).map(|_| stage.begin_at(large.clone(), Duration::from_millis(300), 0)).collect();
    for call in calls {
        assert_eq!(stage.end(call).outcome, Outcome::TimedOut);
    }
    assert_eq!(stage.data(json!({})), json!(1));
}

/// Data that no parser reads fails its call; the process and its other calls go on.
#[test]
fn data_that_cannot_be_read_fails_its_call_alone() {
    let deep = r#"link.sendall(b'{"type":"done","id":"' + id.encode() + b'","result":' + b"[" * 500 + b"]" * 500 + b"}\n")"#;
    let (stage, _folder) =
        on_call(&format!("if count == 2:\n    {deep}\nelse:\n    done(id, os.getpid())"));
    let before = stage.data(json!({}));
    let (failure, _) = failure(stage.call(json!({})));
    assert_eq!(failure.kind, ErrorType::Internal);
    assert_eq!(stage.data(json!({})), before);
}

/// An answer that was sent before the process ended counts, and a call that the process never read
/// runs in the next one.
#[test]
fn the_last_answer_of_a_process_is_not_lost() {
    let (stage, _folder) = on_call("done(id, count)\nos._exit(1)");
    for _ in 0..20 {
        assert_eq!(data(stage.call(json!({}))), json!(1));
    }
}
