//! Two servers on one store, asked in turns: one conversation, one count of turns and budgets, one end.

use serde_json::{Value, json};

use super::running::Running;
use crate::workspace::Workspace;

fn turn(server: &Running, place: &str) -> Value {
    let (status, begun) = server.post(&format!("{place}/turns"), &json!({ "input": "written" }));
    assert_eq!(status, 201, "{begun}");
    begun["turn"].clone()
}

fn greet(server: &Running, place: &str, id: usize) -> Value {
    let args = json!({ "name": format!("Ada {id}") });
    let call = json!({ "callId": format!("c{id}"), "toolId": "greet_person", "args": args });
    let (status, made) = server.post(&format!("{place}/calls"), &call);
    assert_eq!(status, 200, "{made}");
    made["answers"][0]["response"].clone()
}

fn begin(server: &Running) -> String {
    let (_, begun) = server.post("/v1/conversations", &json!({ "mode": "text" }));
    format!("/v1/conversations/{}", begun["id"].as_str().unwrap())
}

#[test]
fn turns_and_budgets_are_counted_once() {
    let workspace = Workspace::with_tool();
    let servers = [Running::start(&workspace, &[], &[]), Running::start(&workspace, &[], &[])];
    let place = begin(&servers[0]);
    for number in 1..=6 {
        assert_eq!(turn(&servers[number % 2], &place), number);
    }
    for id in 0..10 {
        let answer = greet(&servers[id % 2], &place, id);
        assert_eq!(answer["data"]["greeting"], format!("Hello, Ada {id}!"), "{answer}");
    }
    for server in &servers {
        let refused = greet(server, &place, 99);
        assert_eq!(refused["error"]["type"], "BUDGET_EXCEEDED", "{refused}");
    }
    // A short id of another turn is another call.
    assert_eq!(turn(&servers[0], &place), 7);
    let args = json!({ "name": "Grace" });
    let call = json!({ "callId": "c0", "toolId": "greet_person", "args": args });
    let (_, made) = servers[1].post(&format!("{place}/calls"), &call);
    assert_eq!(made["answers"][0]["response"]["data"]["greeting"], "Hello, Grace!");
}

#[test]
fn an_end_at_one_is_an_end_at_the_other() {
    let workspace = Workspace::with_tool();
    let servers = [Running::start(&workspace, &[], &[]), Running::start(&workspace, &[], &[])];
    for round in 0..5 {
        let (first, second) = (&servers[round % 2], &servers[(round + 1) % 2]);
        let place = begin(first);
        assert_eq!(turn(first, &place), 1);
        assert_eq!(turn(second, &place), 2);
        assert_eq!(turn(first, &place), 3);
        assert_eq!(second.delete(&place).0, 204);
        let (status, _) = first.post(&format!("{place}/turns"), &json!({ "input": "written" }));
        assert_eq!(status, 410);
        for server in &servers {
            let shown: Value = serde_json::from_str(&server.get(&place).1).unwrap();
            assert_eq!((&shown["state"]["is"], &shown["turn"]), (&json!("ended"), &json!(3)));
        }
    }
}
