//! `kb model`, and the engine that needs what it fetches.

use std::path::Path;

use serde_json::json;

use super::found;
use crate::workspace::Workspace;

const NOTES: &str = "# Refunds\n\nCustomers are paid back to their account within five days.\n";

/// A workspace with one record that is to be embedded by MiniLM, its models in this folder.
fn with_models(folder: &Path) -> Workspace {
    let workspace = Workspace::new();
    let folder = json!(folder);
    let settings = format!("[models]\npath = {folder}\n[kb.embeddings]\nengine = \"minilm\"\n");
    workspace.write("aileron.toml", settings);
    workspace.write("notes/refunds.md", NOTES);
    workspace
}

#[test]
fn weights_that_are_not_there_are_listed_as_missing() {
    let workspace = Workspace::new();
    let run = workspace.ok(&["kb", "model", "list"]);
    let page = "\
NAME    STATE        SIZE  LICENCE     FILE
minilm  missing  22.93 MB  Apache-2.0  .aileron/models/minilm-l6-v2-int8.onnx
";
    assert_eq!((run.stdout.as_str(), run.stderr.as_str()), (page, ""));
    workspace.write(".aileron/models/minilm-l6-v2-int8.onnx", "half");
    let list = workspace.ok(&["kb", "model", "list", "--format", "json"]).json();
    assert_eq!((&list[0]["name"], &list[0]["state"]), (&json!("minilm"), &json!("damaged")));
}

#[test]
fn without_weights_an_ingest_says_how_to_fetch_them() {
    let workspace = with_models(Path::new("models"));
    let run = workspace.run(&["kb", "ingest", "notes"]);
    assert_eq!(run.code, 1);
    assert!(run.stderr.contains("models/minilm-l6-v2-int8.onnx, found: "), "{}", run.stderr);
    assert!(run.stderr.contains("run `aileron kb model fetch minilm`"), "{}", run.stderr);
}

#[test]
fn without_python_a_fetch_says_what_to_install() {
    let workspace = Workspace::new();
    let mut command = workspace.command();
    let output = command.args(["kb", "model", "fetch", "minilm"]).env("PATH", "").output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("error: expected `python3`"), "{said}");
    assert!(said.contains("install Python 3 with pip"), "{said}");
}

#[test]
fn an_unknown_model_is_wrong_usage() {
    let run = Workspace::new().run(&["kb", "model", "fetch", "maxilm"]);
    assert_eq!((run.code, run.stdout.as_str()), (2, ""));
    assert!(run.stderr.contains("[possible values: minilm]"), "{}", run.stderr);
}

#[test]
fn records_are_embedded_by_what_was_fetched_and_found_without_it() {
    let models = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap().join("models");
    let workspace = with_models(&models);
    workspace.ok(&["kb", "model", "fetch", "minilm"]);
    let again = workspace.ok(&["kb", "model", "fetch", "minilm"]);
    assert!(again.stderr.contains("already"), "{}", again.stderr);
    let list = workspace.ok(&["kb", "model", "list", "--format", "json"]).json();
    assert_eq!(list[0]["state"], "ready");
    workspace.ok(&["kb", "ingest", "notes"]);
    let stats = workspace.ok(&["kb", "stats", "--format", "json"]).json();
    assert_eq!(stats["model"], "minilm-256");
    workspace.write("aileron.toml", "[kb.embeddings]\nengine = \"minilm\"\n");
    assert_eq!(found(&workspace, &["how do I get my money back"]), ["doc:refunds"]);
}
