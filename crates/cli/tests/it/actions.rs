//! Two-stage tools from the command line, with the shipped toolset and the built-in engines.

mod calendar;
mod images;
mod kills;

use serde_json::Value;

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
