//! At a terminal: asked, answered y or n, stopped with Ctrl-C, left with Ctrl-C or Ctrl-D.

#![cfg(unix)]

use std::io::{Read, Write};
use std::net::TcpListener;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use super::demo;
use crate::workspace::Workspace;

const CTRL_C: &str = "\x03";
const CTRL_D: &str = "\x04";

const ASK: &str = "Schedule half an hour with Mira Holt tomorrow at 10 about the lighting review\n";

/// Somebody waits for words, or types.
enum Step {
    Expect(&'static str),
    Type(&'static str),
}
use Step::{Expect, Type};

/// The output of a conversation in a terminal, and its exit status.
fn at_a_terminal(workspace: &Workspace, args: &[&str], steps: &[Step]) -> (i64, String) {
    run(workspace, &[&["chat"], args].concat(), steps)
}

/// The output in a terminal, and the exit status of the command.
fn run(workspace: &Workspace, args: &[&str], steps: &[Step]) -> (i64, String) {
    let steps = steps.iter().map(|step| match step {
        Expect(words) => json!(["expect", words]),
        Type(words) => json!(["type", words]),
    });
    let command = [&[env!("CARGO_BIN_EXE_aileron")], args].concat();
    let plan = json!({
        "command": command, "folder": workspace.path("."), "steps": steps.collect::<Vec<_>>(),
    });
    let sitter = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/chat/terminal.py");
    let output =
        Command::new("python3").arg(sitter).arg(plan.to_string()).env("TERM", "xterm").output();
    let output = output.expect("python3 is needed for this test");
    let (said, wrong) = (output.stdout, String::from_utf8_lossy(&output.stderr).into_owned());
    assert!(output.status.success(), "{wrong}");
    let end: Value = serde_json::from_slice(&said).unwrap();
    (end["code"].as_i64().unwrap(), end["shown"].as_str().unwrap().to_owned())
}

fn offline(steps: &[Step]) -> (i64, String) {
    at_a_terminal(&demo(), &["--memory", "--provider", "offline"], steps)
}

#[test]
fn lines_are_asked_for_until_the_end() {
    let (code, shown) = offline(&[
        Expect("> "),
        Type("Who runs the lighting review?\n"),
        Expect("Mira Holt"),
        Expect("> "),
        Type("\n"),
        Expect("> "),
        Type(CTRL_D),
    ]);
    assert_eq!(code, 0, "{shown}");
}

#[test]
fn what_is_approved_is_done() {
    let (code, shown) = offline(&[
        Expect("> "),
        Type(ASK),
        Expect("Which one shall I book?"),
        Expect("> "),
        Type("Book the first one\n"),
        Expect("calendar_create_event asks: Create this event"),
        Expect("Approve? [y/N] "),
        Type("y\n"),
        Expect("Booked: "),
        Expect("> "),
        Type(CTRL_D),
    ]);
    assert_eq!(code, 0, "{shown}");
}

#[test]
fn what_is_not_approved_is_not_done() {
    for answer in ["n\n", "\n", "maybe\n", CTRL_D, CTRL_C] {
        let workspace = demo();
        let (_, shown) = at_a_terminal(
            &workspace,
            &["--memory", "--provider", "offline"],
            &[
                Expect("> "),
                Type(ASK),
                Expect("Which one shall I book?"),
                Expect("> "),
                Type("Book the first one\n"),
                Expect("Approve? [y/N] "),
                Type(answer),
                Expect("calendar_create_event: DENIED"),
                Expect("> "),
                Type(CTRL_D),
            ],
        );
        assert!(!shown.contains("Booked: "), "{answer:?}: {shown}");
    }
}

/// A model that begins to answer and never goes on.
fn hesitant() -> std::net::SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        let mut open = Vec::new();
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let _ = stream.read(&mut [0; 4096]);
            let delta =
                json!({ "choices": [{ "index": 0, "delta": { "content": "Let me think" } }] });
            let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n";
            stream.write_all(format!("{head}data: {delta}\n\n").as_bytes()).unwrap();
            open.push(stream);
        }
    });
    address
}

#[test]
fn ctrl_c_stops_an_answer_and_twice_leaves() {
    let workspace = demo();
    let address = hesitant();
    workspace.write(
        "aileron.toml",
        format!(
            "[text]\nprovider = 'openai_chat'\nmodel = 'm'\nbase_url = 'http://{address}/v1'\n"
        ),
    );
    let (code, shown) = at_a_terminal(
        &workspace,
        &["--memory"],
        &[
            Expect("> "),
            Type("Are you there?\n"),
            Expect("Let me think"),
            Type(CTRL_C),
            Expect("stopped"),
            Expect("> "),
            Type("And now?\n"),
            Expect("Let me think"),
            Type(CTRL_C),
            Expect("stopped"),
            Expect("> "),
            Type(CTRL_C),
        ],
    );
    assert_eq!(code, 1, "{shown}");
}

#[test]
fn a_word_ends_the_conversation_and_a_line_is_edited() {
    // Backspace, and the arrow to the left, are keys and no letters.
    for typed in ["exit\n", " Quit \n", "/exit\n", "exix\x7ft\n", "xit\x1b[D\x1b[D\x1b[De\n"] {
        let (code, shown) = offline(&[Expect("> "), Type(typed)]);
        assert_eq!(code, 0, "{typed:?}: {shown}");
        assert!(!shown.contains("kb_search"), "{typed:?}: {shown}");
    }
}

#[test]
fn what_was_typed_is_found_again_and_is_for_nobody_else() {
    use std::os::unix::fs::PermissionsExt;
    let workspace = demo();
    let args = ["--provider", "offline"];
    let first =
        [Expect("> "), Type("Hello!\n"), Expect("offline agent"), Expect("> "), Type("exit\n")];
    let (code, shown) = at_a_terminal(&workspace, &args, &first);
    assert_eq!(code, 0, "{shown}");
    let file = workspace.path(".aileron/chat_history");
    assert!(workspace.read(".aileron/chat_history").contains("Hello!"));
    assert_eq!(std::fs::metadata(file).unwrap().permissions().mode() & 0o777, 0o600);
    let up = "\x1b[A\n";
    let again = [Expect("> "), Type(up), Expect("offline agent"), Expect("> "), Type(CTRL_D)];
    let (code, shown) = at_a_terminal(&workspace, &args, &again);
    assert_eq!(code, 0, "{shown}");
}

#[test]
fn nothing_that_was_typed_is_kept_where_nothing_is_kept() {
    let workspace = demo();
    let steps =
        [Expect("> "), Type("Hello!\n"), Expect("offline agent"), Expect("> "), Type("exit\n")];
    at_a_terminal(&workspace, &["--memory", "--provider", "offline"], &steps);
    assert!(!workspace.path(".aileron/chat_history").exists());
}

#[test]
fn an_empty_folder_is_offered_a_project_before_it_is_served() {
    let serve = ["serve", "--memory", "--address", "0"];
    let workspace = Workspace::new();
    let declined = [Expect("Make a project with the shipped tools? [Y/n] "), Type("n\n")];
    let (code, shown) = run(&workspace, &serve, &declined);
    assert_eq!(code, 2, "{shown}");
    assert!(shown.contains("`aileron init` makes a project here"), "{shown}");
    assert!(!workspace.path("aileron.toml").exists());
    let accepted = [
        Expect("[Y/n] "),
        Type("\n"),
        Expect("a project was made here"),
        Expect("openapi.json describes the API"),
        Type(CTRL_C),
        Expect("stopped"),
    ];
    let (code, shown) = run(&workspace, &serve, &accepted);
    assert_eq!(code, 0, "{shown}");
    assert!(workspace.path("aileron.toml").is_file());
}
