//! A disk that takes nothing: requests that have to be kept are refused with the reason, nothing has
//! changed, and the server says that it is not ready. The files of the process may not grow, which is
//! what a full disk does, and needs no rights.

use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::running::Running;
use crate::workspace::Workspace;

/// A server that gets an error for a file that may not grow, instead of being ended by the signal.
fn start(workspace: &Workspace) -> Running {
    let inner = workspace.command();
    let mut command = Command::new("sh");
    command.args(["-c", "trap '' XFSZ; exec \"$0\" \"$@\""]).arg(inner.get_program());
    command.current_dir(workspace.path(""));
    Running::start_as(command, &[], &[])
}

fn limit(server: &Running, bytes: &str) {
    let limit = format!("--fsize={bytes}:unlimited");
    let set =
        Command::new("prlimit").args(["--pid", &server.id().to_string(), &limit]).status().unwrap();
    assert!(set.success(), "prlimit of util-linux is needed");
}

#[test]
fn a_full_disk_is_told_to_everybody_and_changes_nothing() {
    let workspace = Workspace::with_tool();
    let server = start(&workspace);
    let (_, begun) = server.post("/v1/conversations", &json!({ "mode": "text" }));
    let place = format!("/v1/conversations/{}", begun["id"].as_str().unwrap());
    let written = json!({ "input": "written" });
    assert_eq!(server.post(&format!("{place}/turns"), &written).0, 201);
    let shown = || -> Value { serde_json::from_str(&server.get(&place).1).unwrap() };
    let before = shown();

    limit(&server, "1");
    assert_eq!(server.delete(&place).0, 503);
    assert_eq!(server.put(&format!("{place}/mode"), &json!({ "mode": "voice" })), 503);
    let (status, refused) = server.post(&format!("{place}/turns"), &written);
    assert_eq!((status, &refused["error"]["code"]), (503, &json!("UNAVAILABLE")));
    let why = refused["error"]["message"].as_str().unwrap();
    assert!(why.starts_with("the store cannot be written: "), "{why}");
    assert_eq!(server.post("/v1/conversations", &json!({ "mode": "text" })).0, 503);
    assert_eq!(shown(), before, "nothing has changed");
    let (status, health) = server.get("/health");
    assert_eq!(status, 503);
    assert!(health.starts_with("ok\nnot ready: the store cannot be written: "), "{health}");
    assert_eq!(server.get("/health/ready").0, 503);
    assert_eq!(server.get("/health/live"), (200, "ok\n".to_owned()));
    server.until("The store cannot be written.");

    limit(&server, "unlimited");
    let patience = Instant::now() + Duration::from_secs(30);
    while server.get("/health/ready").0 != 200 {
        assert!(Instant::now() < patience, "it is still not ready");
    }
    let said = server.until("The store can be written again.");
    assert!(!said.contains("The store cannot be written."), "it was said more than once: {said}");
    assert_eq!(server.delete(&place).0, 204);
    assert_eq!(shown()["state"]["is"], "ended");
}
