//! Ctrl-C while a call runs: what must not stop half way comes to its end, unless it comes again.

use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::process::{Child, Stdio};

use serde_json::json;

use super::model::{Model, Reply};
use crate::call::interrupt::{connected, press_ctrl_c, waiting};
use crate::workspace::Workspace;

const WAITS: &str = "what cannot stop half way is waited for (Ctrl-C again leaves it)";

/// A model that calls a tool which waits for an answer, and must not be stopped meanwhile.
fn calling() -> (Workspace, TcpListener, Model) {
    let (workspace, listener) = waiting(r#""onInterrupt": "continue","#);
    let model = Model::start([Reply::Calls("greet_person", json!({ "name": "Ada" }))]);
    let settings = workspace.read("aileron.toml") + &model.settings();
    workspace.write("aileron.toml", settings);
    (workspace, listener, model)
}

fn chat(workspace: &Workspace) -> Child {
    let mut command = workspace.command();
    command.args(["chat", "Greet Ada", "--conversation", "c"]);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

#[test]
fn one_message_does_not_leave_before_its_call_has_ended() {
    let (workspace, listener, _model) = calling();
    let mut child = chat(&workspace);
    let mut held = connected(listener);
    press_ctrl_c(&child);
    let mut talk = BufReader::new(child.stderr.take().unwrap()).lines().map_while(Result::ok);
    assert!(talk.any(|line| line == "stopped"));
    assert_eq!(talk.next().as_deref(), Some(WAITS));
    held.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n").unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(1));
    let log = workspace.ok(&["audit", "export"]).stdout;
    assert!(log.contains("\"outcome\":\"completed\""), "{log}");
}

#[test]
fn the_second_one_leaves_the_call() {
    let (workspace, listener, _model) = calling();
    let mut child = chat(&workspace);
    let _held = connected(listener);
    press_ctrl_c(&child);
    let mut talk = BufReader::new(child.stderr.take().unwrap()).lines().map_while(Result::ok);
    assert!(talk.any(|line| line == WAITS));
    press_ctrl_c(&child);
    let left = "error: stopped while calls were running; their outcomes are unknown";
    assert_eq!(talk.next().as_deref(), Some(left));
    assert_eq!(child.wait().unwrap().code(), Some(1));
}
