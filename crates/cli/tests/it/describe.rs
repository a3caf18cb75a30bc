//! `list` and `describe`, from a folder and from an artifact.

use crate::workspace::{Workspace, repository};

fn shipped() -> Workspace {
    let workspace = Workspace::new();
    let tools = repository().join("tools");
    workspace.ok(&["build", "--tools", tools.to_str().unwrap()]);
    workspace
}

#[test]
fn list_shows_every_shipped_tool() {
    let run = shipped().ok(&["list", "--registry", "tool_registry.json"]);
    snapbox::assert_data_eq!(run.stdout, snapbox::file!["snapshots/list.txt"]);
}

#[test]
fn list_filters_by_mode_and_speaks_json() {
    let run = shipped().ok(&[
        "list",
        "--registry",
        "tool_registry.json",
        "--mode",
        "voice",
        "--format",
        "json",
    ]);
    let tools = run.json()["tools"].as_array().unwrap().clone();
    assert!(tools.iter().any(|tool| tool["toolId"] == "end_voice_session"));
    assert!(!tools.iter().any(|tool| tool["toolId"] == "start_voice_session"));
}

#[test]
fn describe_prints_each_declaration() {
    let workspace = Workspace::with_tool();
    for provider in
        ["openai", "openaiRealtime", "geminiNative", "geminiJsonSchema", "anthropic", "mcp"]
    {
        let declaration =
            workspace.ok(&["describe", "greet_person", "--provider", provider]).json();
        assert_eq!(declaration["name"], "greet_person", "{provider}");
    }
    let strict =
        workspace.ok(&["describe", "greet_person", "--provider", "openai", "--strict"]).json();
    assert_eq!(strict["strict"], true);
}

#[test]
fn an_unknown_tool_is_answered_with_those_there_are() {
    let run = Workspace::with_tool().run(&["describe", "greet"]);
    assert_eq!(
        (run.code, run.stderr.as_str()),
        (2, "error: there is no tool \"greet\"; there are greet_person\n")
    );
}

#[test]
fn a_changed_artifact_is_refused() {
    let workspace = shipped();
    workspace.replace(
        "tool_registry.json",
        "\"requiresConfirmation\":true",
        "\"requiresConfirmation\":false",
    );
    let run = workspace.run(&["list", "--registry", "tool_registry.json"]);
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("was changed after the build"), "{}", run.stderr);
}
