//! Two-stage tools from the command line, with the shipped toolset and the built-in engines.

mod calendar;
mod chat;
mod conversation;
mod http;
mod images;
mod killed_put;
mod kills;
mod mind;
#[allow(dead_code, reason = "the tests of calendars use more of it")]
#[path = "../../../calendar/tests/it/radicale.rs"]
mod radicale;
#[allow(dead_code, reason = "the tests of calendars use more of it")]
#[path = "../../../calendar/tests/it/server.rs"]
mod server;
mod slow;
mod talking;

use serde_json::Value;

use crate::serve::running::Running;
use crate::workspace::{Run, Workspace, repository};

/// Calls a shipped tool in the conversation `c`.
fn call(workspace: &Workspace, tool: &str, args: &Value, more: &[&str]) -> Run {
    let tools = repository().join("tools");
    let args = args.to_string();
    let fixed = ["call", tool, &args, "--conversation", "c", "--tools", tools.to_str().unwrap()];
    workspace.run(&[&fixed[..], more].concat())
}

/// The data of a call that succeeds.
fn data(workspace: &Workspace, tool: &str, args: &Value, more: &[&str]) -> Value {
    let run = call(workspace, tool, args, more);
    assert_eq!(run.code, 0, "{}\n{}", run.stdout, run.stderr);
    run.json()["data"].clone()
}

/// The error of a call that fails.
fn error(workspace: &Workspace, tool: &str, args: &Value, more: &[&str]) -> Value {
    let run = call(workspace, tool, args, more);
    assert_eq!(run.code, 1, "{}\n{}", run.stdout, run.stderr);
    run.json()["error"].clone()
}

/// A server with the shipped tools, whose agent are the offline rules.
fn served(workspace: &Workspace, variables: &[(&str, &str)]) -> Running {
    let tools = repository().join("tools");
    let offline = [("AILERON_TEXT_PROVIDER", "offline"), ("AILERON_VOICE_PROVIDER", "offline")];
    let variables = [&offline[..], variables].concat();
    Running::start(workspace, &["--tools", tools.to_str().unwrap()], &variables)
}

/// The files of events that were made.
fn events(workspace: &Workspace) -> Vec<String> {
    let folder = workspace.path(".aileron/calendar/events");
    let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
    files.map(|file| std::fs::read_to_string(file.path()).unwrap()).collect()
}
