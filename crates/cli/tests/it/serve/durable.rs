//! The server keeps each change that it acknowledged: the process is killed right after the answer, or another one asks
//! right away.

use serde_json::{Value, json};

use super::running::Running;
use crate::workspace::Workspace;

const ROUNDS: usize = 20;

fn begin(server: &Running) -> String {
    let (status, begun) = server.post("/v1/conversations", &json!({ "mode": "text" }));
    assert_eq!(status, 201, "{begun}");
    format!("/v1/conversations/{}", begun["id"].as_str().unwrap())
}

fn turn(server: &Running, place: &str) -> (u16, Value) {
    server.post(&format!("{place}/turns"), &json!({ "input": "written" }))
}

fn show(server: &Running, place: &str) -> (u16, Value) {
    let (status, text) = server.get(place);
    (status, serde_json::from_str(&text).unwrap())
}

/// A change of a conversation, how it is asked for and how it shows.
#[derive(Debug, Clone, Copy)]
enum Change {
    Begin,
    Turn,
    Move,
    End,
}

impl Change {
    /// Asks for it; the conversation it is about.
    fn make(self, server: &Running, prepared: &str) -> String {
        match self {
            Self::Begin => begin(server),
            Self::Turn => {
                assert_eq!(turn(server, prepared).0, 201);
                prepared.to_owned()
            }
            Self::Move => {
                let mode = json!({ "mode": "voice" });
                assert_eq!(server.put(&format!("{prepared}/mode"), &mode), 200);
                prepared.to_owned()
            }
            Self::End => {
                assert_eq!(server.delete(prepared).0, 204);
                prepared.to_owned()
            }
        }
    }

    fn holds(self, server: &Running, place: &str) -> bool {
        let (status, shown) = show(server, place);
        match self {
            Self::Begin => status == 200,
            Self::Turn => shown["turn"] == 1,
            Self::Move => shown["mode"] == "voice",
            Self::End => shown["state"]["is"] == "ended",
        }
    }
}

/// Each round kills the server right after the answer to another kind of change; the changes before
/// it were acknowledged moments earlier.
#[test]
fn what_was_acknowledged_is_there_after_a_kill() {
    let workspace = Workspace::with_tool();
    let kinds = [Change::Begin, Change::Turn, Change::Move, Change::End];
    let mut acknowledged: Vec<(Change, String)> = Vec::new();
    for round in 0..=ROUNDS {
        let server = Running::start(&workspace, &[], &[]);
        for (kind, place) in acknowledged.drain(..) {
            assert!(kind.holds(&server, &place), "round {round}: {kind:?} was undone");
        }
        if round == ROUNDS {
            break;
        }
        let prepared = kinds.map(|_| begin(&server));
        let order = kinds.iter().cycle().skip(round).take(kinds.len());
        let made = order.zip(prepared).map(|(kind, place)| (*kind, kind.make(&server, &place)));
        acknowledged.extend(made);
        server.kill("-KILL");
    }
}

#[test]
fn a_conversation_that_was_ended_is_over_at_once_and_stays_so() {
    let workspace = Workspace::with_tool();
    let server = Running::start(&workspace, &[], &[]);
    for _ in 0..ROUNDS {
        let place = begin(&server);
        assert_eq!(turn(&server, &place).0, 201);
        assert_eq!(turn(&server, &place).0, 201);
        assert_eq!(server.delete(&place).0, 204);
        assert_eq!(show(&server, &place).1["state"]["is"], "ended");
        let call =
            json!({ "callId": "call-000001", "toolId": "greet_person", "args": { "name": "A" } });
        let (status, refused) = server.post(&format!("{place}/calls"), &call);
        assert_eq!((status, &refused["error"]["code"]), (410, &json!("ENDED")));
        assert_eq!(turn(&server, &place).0, 410);
        let chat = json!({ "id": place.rsplit('/').next(), "message": "Hello!", "stream": false });
        assert_eq!(server.post("/api/chat", &chat).0, 410);
        assert_eq!(server.delete(&place).0, 204, "an end that comes twice is one");
        assert_eq!(show(&server, &place).1["state"]["is"], "ended");
    }
}

#[test]
fn a_store_that_lost_its_log_or_was_emptied_is_refused_at_the_start() {
    let workspace = Workspace::with_tool();
    let server = Running::start(&workspace, &[], &[]);
    assert_eq!(turn(&server, &begin(&server)).0, 201);
    server.signal("-KILL");
    std::fs::remove_file(workspace.path(".aileron/aileron.db-wal")).unwrap();
    let serve = ["serve", "--address", "127.0.0.1:0"];
    let run = workspace.run(&serve);
    assert_eq!(run.code, 2, "{}", run.stderr);
    assert!(run.stderr.contains("its -wal file was removed"), "{}", run.stderr);
    for counted in [true, false] {
        workspace.write(".aileron/aileron.db", "");
        if !counted {
            std::fs::remove_file(workspace.path(".aileron/aileron.db.commits")).unwrap();
        }
        let run = workspace.run(&serve);
        assert_eq!(run.code, 2, "{}", run.stderr);
        assert!(run.stderr.contains("restore"), "{}", run.stderr);
    }
}

/// A handler that works for so many milliseconds.
fn slow_tool(workspace: &Workspace, ms: u32) {
    let handler = format!(
        "export async function execute() {{
           const end = Date.now() + {ms};
           while (Date.now() < end) {{}}
           return {{ ok: true, data: {{ greeting: 'late' }} }};
         }}"
    );
    workspace.write("tools/greet-person/handler.js", handler);
    let schema = "tools/greet-person/schema.json";
    workspace.replace(schema, "\"latencyBudgetMs\": 500", "\"latencyBudgetMs\": 25000");
    let text = workspace.read(schema);
    let mut schema: Value = serde_json::from_str(&text).unwrap();
    schema["sideEffects"] = json!("writes");
    schema["category"] = json!("action");
    schema["requiresConfirmation"] = json!(false);
    workspace.write("tools/greet-person/schema.json", schema.to_string());
}

#[test]
fn a_write_that_is_cut_by_the_end_of_the_server_is_named_and_its_outcome_unknown_later() {
    let workspace = Workspace::with_tool();
    slow_tool(&workspace, 20_000);
    workspace
        .write("aileron.toml", "[server.limits]\ngrace_seconds = 1\n[handlers]\ncpu_ms = 60000\n");
    let server = Running::start(&workspace, &[], &[]);
    let place = begin(&server);
    assert_eq!(turn(&server, &place).0, 201);
    let call =
        json!({ "callId": "call-000001", "toolId": "greet_person", "args": { "name": "A" } });
    let (path, address) = (format!("{place}/calls"), server.address().to_owned());
    let body = call.to_string();
    let calling = std::thread::spawn(move || send(&address, &path, &body));
    // It has begun when the store has it.
    let started = || {
        let sql = rusqlite::Connection::open(workspace.path(".aileron/aileron.db")).unwrap();
        sql.query_row("SELECT count(*) FROM ledger", [], |row| row.get::<_, i64>(0)).unwrap()
    };
    while started() == 0 {
        std::thread::yield_now();
    }
    assert_eq!(server.signal("-TERM"), Some(1));
    let said = server.rest_of_lines();
    assert!(said.contains("1 call was cut short"), "{said}");
    assert!(!said.contains("\nstopped"), "{said}");
    calling.join().unwrap();
    let server = Running::start(&workspace, &[], &[]);
    let (_, made) = server.post(&format!("{place}/calls"), &call);
    assert_eq!(made["answers"][0]["response"]["error"]["type"], "OUTCOME_UNKNOWN", "{made}");
}

/// Sends a request whose answer does not matter.
fn send(address: &str, path: &str, body: &str) {
    use std::io::{Read, Write};
    let mut stream = std::net::TcpStream::connect(address).unwrap();
    let length = body.len();
    let head = format!(
        "POST {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\
         content-type: application/json\r\ncontent-length: {length}\r\n\r\n{body}"
    );
    stream.write_all(head.as_bytes()).unwrap();
    let _ = stream.read_to_end(&mut Vec::new());
}
