//! The tools change while conversations run: those go on with the tools they began with.

use serde_json::{Value, json};

use super::running::Running;
use crate::workspace::Workspace;

fn greet(server: &Running, place: &str, id: &str) -> (u16, Value) {
    let call = json!({ "callId": id, "toolId": "greet_person", "args": { "name": "Ada" } });
    server.post(&format!("{place}/calls"), &call)
}

fn begin(server: &Running) -> String {
    let (_, begun) = server.post("/v1/conversations", &json!({ "mode": "text" }));
    format!("/v1/conversations/{}", begun["id"].as_str().unwrap())
}

fn greeting(answered: &(u16, Value)) -> &Value {
    assert_eq!(answered.0, 200, "{}", answered.1);
    &answered.1["answers"][0]["response"]["data"]["greeting"]
}

/// Changes the tools, and what greeting says.
fn change(workspace: &Workspace) {
    workspace.replace("tools/greet-person/handler.js", "Hello, ", "Good evening, ");
}

fn kept(workspace: &Workspace) -> usize {
    std::fs::read_dir(workspace.path(".aileron/registries")).unwrap().count()
}

#[test]
fn a_conversation_goes_on_with_the_tools_it_began_with() {
    let workspace = Workspace::with_tool();
    let server = Running::start(&workspace, &[], &[]);
    let places = [begin(&server), begin(&server)];
    assert_eq!(greeting(&greet(&server, &places[0], "call-000001")), "Hello, Ada!");
    assert_eq!(server.signal("-TERM"), Some(0));
    change(&workspace);
    let server = Running::start(&workspace, &[], &[]);
    assert_eq!(kept(&workspace), 2);
    let replayed = greet(&server, &places[0], "call-000001");
    assert_eq!(replayed.1["answers"][0]["response"]["meta"]["replayed"], true);
    assert_eq!(greeting(&greet(&server, &places[0], "call-000002")), "Hello, Ada!");
    assert_eq!(greeting(&greet(&server, &begin(&server), "call-000001")), "Good evening, Ada!");
    for place in &places {
        assert_eq!(server.delete(place).0, 204);
    }
    assert_eq!(server.signal("-TERM"), Some(0));
    // Nobody needs the old one any more.
    let server = Running::start(&workspace, &[], &[]);
    let patience = std::time::Instant::now() + std::time::Duration::from_secs(30);
    while kept(&workspace) > 1 {
        assert!(std::time::Instant::now() < patience, "it is still kept");
    }
    drop(server);
}

/// A conversation that one command began continues with its registry in the next one, too.
#[test]
fn a_command_continues_a_conversation_with_the_tools_it_began_with() {
    let workspace = Workspace::with_tool();
    let said = |conversation: &str| {
        let args = ["call", "greet_person", r#"{"name":"Ada"}"#, "--conversation", conversation];
        let run = workspace.run(&args);
        assert_eq!(run.code, 0, "{}", run.stderr);
        run.stdout
    };
    assert!(said("one").contains("Hello, Ada!"));
    change(&workspace);
    assert!(said("one").contains("Hello, Ada!"));
    assert!(said("two").contains("Good evening, Ada!"));
    assert_eq!(kept(&workspace), 2);
}

#[test]
fn a_conversation_whose_tools_are_gone_can_be_read_and_ended() {
    let workspace = Workspace::with_tool();
    let server = Running::start(&workspace, &[], &[]);
    let place = begin(&server);
    assert_eq!(server.signal("-TERM"), Some(0));
    std::fs::remove_dir_all(workspace.path(".aileron/registries")).unwrap();
    change(&workspace);
    let server = Running::start(&workspace, &[], &[]);
    let (status, refused) = greet(&server, &place, "call-000001");
    assert_eq!((status, &refused["error"]["code"]), (409, &json!("REGISTRY_GONE")));
    assert_eq!(server.get(&place).0, 200);
    assert_eq!(server.delete(&place).0, 204);
    assert!(server.get(&place).1.contains("\"ended\""));
}

#[test]
fn an_artifact_that_was_changed_is_not_run() {
    let workspace = Workspace::with_tool();
    let server = Running::start(&workspace, &[], &[]);
    let place = begin(&server);
    assert_eq!(server.signal("-TERM"), Some(0));
    let mut files = std::fs::read_dir(workspace.path(".aileron/registries")).unwrap();
    let file = files.next().unwrap().unwrap().path();
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, text.replace("Hello, ", "Goodbye, ")).unwrap();
    change(&workspace);
    let server = Running::start(&workspace, &[], &[]);
    let (status, refused) = greet(&server, &place, "call-000001");
    assert_eq!((status, &refused["error"]["code"]), (409, &json!("REGISTRY_GONE")));
    let why = refused["error"]["message"].as_str().unwrap();
    assert!(why.contains("cannot be loaded any more"), "{why}");
    assert_eq!(server.delete(&place).0, 204);
}
