//! `aileron chat`, as people and pipes use it. Offline, so that nothing is asked over a network.

#[cfg(unix)]
mod interrupt;
mod judged;
pub(crate) mod model;
mod offline;
mod provider;
mod sentences;
mod terminal;

use crate::workspace::{Run, Workspace, repository};

/// A folder with the shipped tools and the demo's knowledge.
pub(crate) fn demo() -> Workspace {
    let workspace = Workspace::new();
    let source = repository().to_str().unwrap();
    for folder in ["tools", "demo/knowledge"] {
        workspace.system("cp", &["-r", &format!("{source}/{folder}"), "."]);
    }
    workspace.ok(&["kb", "ingest", "knowledge"]);
    workspace
}

/// Runs `chat` without the keys that this machine may have.
pub(crate) fn chat(workspace: &Workspace, args: &[&str], input: &str) -> Run {
    let mut command = workspace.command();
    for key in ["GEMINI_API_KEY", "OPENAI_API_KEY", "ANTHROPIC_API_KEY"] {
        command.env_remove(key);
    }
    command.arg("chat").args(args);
    command.stdin(std::process::Stdio::piped());
    command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
    let mut child = command.spawn().unwrap();
    // A command that has read enough may close its end.
    let _ = std::io::Write::write_all(&mut child.stdin.take().unwrap(), input.as_bytes());
    Run::of(child.wait_with_output().unwrap())
}
