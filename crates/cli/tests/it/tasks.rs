//! Tasks with the real command and the real server: waited for, listed, cancelled, and resumed after a kill.

use std::thread;

use serde_json::{Value, json};

use crate::serve::running::Running;
use crate::workspace::Workspace;

/// How often a server is asked for the state of a task. It refuses some requests, because they are many.
const TRIES: usize = 200_000;

/// Waits until a file is there, as long work would.
const HANDLER: &str = "import { existsSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
export async function execute({ args, context }) {
  context.progress({ waits: args.path });
  while (!existsSync(args.path)) await setTimeout(10);
  return { ok: true, data: { found: args.path } };
}
";

/// `dig_deep` reads and `dig_hole` writes, both in the background.
fn project() -> Workspace {
    let workspace = Workspace::new();
    workspace.write("package.json", "{ \"type\": \"module\" }");
    for (folder, id, side_effects) in
        [("dig-deep", "dig_deep", "read_only"), ("dig-hole", "dig_hole", "writes")]
    {
        let mut spec = json!({
            "toolId": id, "version": "1.0.0", "description": "Dig until a file is there.",
            "category": "action", "sideEffects": side_effects, "idempotent": true,
            "requiresConfirmation": false, "allowedModes": ["text", "voice"],
            "latencyBudgetMs": 60_000, "timeoutMs": 3_600_000, "runtime": "node",
            "execution": "background",
            "parameters": { "type": "object", "additionalProperties": false, "required": ["path"],
                "properties": { "path": { "type": "string", "description": "The file to wait for",
                    "maxLength": 500 } } },
        });
        if side_effects == "writes" {
            spec["confirmation"] = json!({ "when": "false" });
        }
        let place = format!("tools/{folder}");
        workspace
            .write(&format!("{place}/schema.json"), serde_json::to_string_pretty(&spec).unwrap());
        workspace.write(&format!("{place}/handler.js"), HANDLER);
        let guide = format!(
            "# {id}\n\nDig until a file is there.\n\n## Parameters\n\n- `path`: the file\n"
        );
        workspace.write(&format!("{place}/guide.md"), guide);
        let missing = workspace.path("tools").display().to_string();
        let cases = json!([{ "name": "finds a folder", "args": { "path": missing },
            "expect": { "ok": true, "data": { "found": missing } } }]);
        workspace.write(&format!("{place}/cases.json"), cases.to_string());
    }
    workspace
}

fn start(server: &Running, tool: &str, path: &str) -> (String, String) {
    let (_, begun) = server.post("/v1/conversations", &json!({ "mode": "text" }));
    let place = format!("/v1/conversations/{}", begun["id"].as_str().unwrap());
    turn(server, &place);
    let call = json!({ "callId": "call-000001", "toolId": tool, "args": { "path": path } });
    let (_, answered) = server.post(&format!("{place}/calls"), &call);
    let data = &answered["answers"][0]["response"]["data"];
    assert_eq!(data["status"], "running", "{answered}");
    (place, data["taskId"].as_str().unwrap().to_owned())
}

/// Begins a turn; the results of tasks that come with it.
fn turn(server: &Running, place: &str) -> Vec<Value> {
    let (status, begun) = server.post(&format!("{place}/turns"), &json!({ "input": "written" }));
    assert_eq!(status, 201, "{begun}");
    begun["tasks"].as_array().unwrap().clone()
}

/// The task, once this holds for it.
fn task(server: &Running, id: &str, wanted: impl Fn(&Value) -> bool) -> Value {
    for _ in 0..TRIES {
        let task: Value = serde_json::from_str(&server.get(&format!("/v1/tasks/{id}")).1).unwrap();
        if task["id"] == id && wanted(&task) {
            return task;
        }
        thread::yield_now();
    }
    panic!("the task {id} never came to that: {}", server.get(&format!("/v1/tasks/{id}")).1)
}

#[test]
fn a_call_waits_for_its_task_and_a_case_judges_the_result() {
    let workspace = project();
    let there = workspace.path("tools").display().to_string();
    let args = json!({ "path": there }).to_string();
    let run = workspace.run(&["call", "dig_deep", &args, "--conversation", "c-1"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert_eq!(run.json()["data"]["found"], json!(there));
    assert!(run.stderr.contains("runs in the background; waiting"), "{}", run.stderr);
    assert!(run.stderr.contains("progress: "), "{}", run.stderr);
    let listed = workspace.ok(&["tasks", "list", "--format", "json"]).json()["tasks"][0].clone();
    assert_eq!((&listed["status"], &listed["told"]), (&json!("completed"), &json!(true)));
    let id = listed["id"].as_str().unwrap();
    assert!(workspace.ok(&["tasks", "list"]).stdout.contains(id));
    let shown = workspace.ok(&["tasks", "show", id]).json();
    assert_eq!(shown["result"]["data"]["found"], json!(there));
    let run = workspace.run(&["tasks", "cancel", id]);
    assert_eq!(run.code, 1);
    assert!(run.stderr.contains("has ended: completed"), "{}", run.stderr);
    let run = workspace.run(&["tasks", "show", "task_none"]);
    assert_eq!(run.code, 1);
    assert!(run.stderr.contains("`aileron tasks list` shows them"), "{}", run.stderr);
    let run = workspace.run(&["tasks", "list", "--state", "running"]);
    assert!(run.stderr.contains("There are no such tasks."), "{}", run.stderr);
    workspace.ok(&["test", "dig_deep"]);
}

#[test]
fn a_killed_server_starts_a_read_again_and_its_result_is_told_once() {
    let workspace = project();
    let path = workspace.path("go");
    let server = Running::start(&workspace, &[], &[]);
    let (place, id) = start(&server, "dig_deep", path.to_str().unwrap());
    task(&server, &id, |task| !task["progress"].is_null());
    server.kill("-KILL");
    drop(server);
    let server = Running::start(&workspace, &[], &[]);
    task(&server, &id, |task| task["runs"] == 2);
    workspace.write("go", "");
    let ended = task(&server, &id, |task| task["status"] != "running");
    assert_eq!((&ended["status"], &ended["told"]), (&json!("completed"), &json!(false)));
    // Not told yet: also the next server tells it.
    server.kill("-KILL");
    drop(server);
    let server = Running::start(&workspace, &[], &[]);
    let told = turn(&server, &place);
    assert_eq!(told[0]["callId"], "call-000001", "{told:?}");
    assert_eq!(told[0]["response"]["data"]["found"], json!(path));
    assert_eq!(turn(&server, &place), Vec::<Value>::new());
}

#[test]
fn a_killed_server_does_not_repeat_a_write_and_says_that_its_outcome_is_unknown() {
    let workspace = project();
    let path = workspace.path("go");
    let server = Running::start(&workspace, &[], &[]);
    let (place, id) = start(&server, "dig_hole", path.to_str().unwrap());
    task(&server, &id, |task| !task["progress"].is_null());
    server.kill("-KILL");
    drop(server);
    let server = Running::start(&workspace, &[], &[]);
    let ended = task(&server, &id, |task| task["status"] != "running");
    assert_eq!((&ended["status"], &ended["runs"]), (&json!("outcome_unknown"), &json!(1)));
    let told = turn(&server, &place);
    assert_eq!(told[0]["response"]["error"]["type"], "OUTCOME_UNKNOWN", "{told:?}");
    let run = workspace.ok(&["audit", "tail", "--tool", "dig_hole", "--format", "json"]);
    assert_eq!(run.stdout.matches("process_died").count(), 1, "{}", run.stdout);
}

#[test]
fn the_command_cancels_a_task_of_a_running_server() {
    let workspace = project();
    let server = Running::start(&workspace, &[], &[]);
    let (_, id) = start(&server, "dig_deep", workspace.path("never").to_str().unwrap());
    let run = workspace.ok(&["tasks", "cancel", &id]);
    assert!(run.stderr.contains("is being cancelled"), "{}", run.stderr);
    let ended = task(&server, &id, |task| task["status"] != "running");
    assert_eq!(ended["status"], "cancelled");
}
