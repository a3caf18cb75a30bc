//! `aileron blocks`: the operator unblocks a person while the server runs.

use serde_json::{Value, json};

use crate::serve::running::Running;
use crate::workspace::{Workspace, repository};

/// How often a server is asked whether it has heard of another process's lift: many ticks of its store.
const TRIES: usize = 2000;

fn blocked(server: &Running) {
    let (_, begun) = server.post("/v1/conversations", &json!({ "mode": "text" }));
    let place = format!("/v1/conversations/{}/calls", begun["id"].as_str().unwrap());
    let call = json!({ "callId": "call-000001", "toolId": "ignore_user",
        "args": { "duration_seconds": 3600, "farewell_message": "Let us talk later." } });
    let (_, answered) = server.post(&place, &call);
    assert_eq!(answered["answers"][0]["response"]["ok"], true, "{answered}");
    assert_eq!(server.post("/v1/conversations", &json!({ "mode": "text" })).0, 403);
}

fn list(workspace: &Workspace) -> Value {
    let run = workspace.run(&["blocks", "list", "--format", "json"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    run.json()["blocks"].clone()
}

#[test]
fn a_block_is_listed_and_lifted_while_the_server_runs() {
    let workspace = Workspace::new();
    let tools = repository().join("tools");
    let server = Running::start(&workspace, &["--tools", tools.to_str().unwrap()], &[]);
    blocked(&server);
    assert_eq!(list(&workspace)[0]["user"], "local");
    let run = workspace.run(&["blocks", "lift", "local"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stderr.contains("The block of `local`"), "{}", run.stderr);
    let begin = || server.post("/v1/conversations", &json!({ "mode": "text" })).0;
    assert!((0..TRIES).any(|_| begin() == 201), "the server has not heard of it");
    assert_eq!(list(&workspace), json!([]));
    let run = workspace.run(&["blocks", "lift", "local", "--format", "json"]);
    assert_eq!((run.code, run.json()["lifted"].clone()), (1, json!(false)));
    let run = workspace.run(&["audit", "tail", "--tool", "blocks_lift"]);
    assert!(run.stdout.contains("blocks_lift"), "{}{}", run.stdout, run.stderr);
}

#[test]
fn without_a_store_nothing_is_made() {
    let workspace = Workspace::new();
    let run = workspace.run(&["blocks", "list"]);
    assert_eq!(run.code, 2, "{}", run.stderr);
    assert!(run.stderr.contains("there is no store at"), "{}", run.stderr);
    assert!(!workspace.path(".aileron").exists());
}
