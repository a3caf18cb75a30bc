//! Ctrl-C while a call runs.

use std::io::{BufRead, BufReader};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::channel;
use std::time::Duration;

use super::{ADA, with_handler};
use crate::workspace::{Run, Workspace};

const SETTINGS: &str = "[http]\nallow_private = [\"127.0.0.1\"]\nallow_plain = [\"127.0.0.1\"]\n";

/// A tool that waits for an answer which does not come; the listener tells when it waits.
pub(crate) fn waiting(more: &str) -> (Workspace, TcpListener) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let code = format!(
        "export async function execute({{ context }}) {{
            await context.http.fetch({{ url: 'http://127.0.0.1:{port}/' }});
            return {{ ok: true, data: {{ greeting: '' }} }};
        }}"
    );
    let members =
        format!(r#""capabilities": ["http:127.0.0.1:{port}"], "timeoutMs": 60000, {more}"#);
    let workspace = with_handler(&code, &members);
    workspace.write("aileron.toml", SETTINGS);
    (workspace, listener)
}

fn start(workspace: &Workspace) -> Child {
    let mut command = workspace.command();
    command.args(["call", "greet_person", ADA, "--conversation", "c"]);
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// The connection of the handler, once it is there.
pub(crate) fn connected(listener: TcpListener) -> TcpStream {
    let (sender, connection) = channel();
    std::thread::spawn(move || sender.send(listener.accept().unwrap().0));
    connection.recv_timeout(Duration::from_secs(60)).expect("the handler asks")
}

pub(crate) fn press_ctrl_c(child: &Child) {
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
}

#[test]
fn ctrl_c_cancels_the_call_which_is_answered_and_recorded() {
    let (workspace, listener) = waiting("");
    let child = start(&workspace);
    let held = connected(listener);
    press_ctrl_c(&child);
    let run = Run::of(child.wait_with_output().unwrap());
    drop(held);
    assert_eq!((run.code, run.json()["error"]["type"].as_str()), (1, Some("CANCELLED")));
    assert!(run.stderr.contains("interrupted; "), "{}", run.stderr);
    let log = workspace.ok(&["audit", "export"]).stdout;
    assert!(log.contains("\"outcome\":\"cancelled\""), "{log}");
}

#[test]
fn what_must_not_stop_half_way_is_left_by_the_second_one() {
    let (workspace, listener) = waiting(r#""onInterrupt": "continue","#);
    let mut child = start(&workspace);
    let held = connected(listener);
    press_ctrl_c(&child);
    let mut talk = BufReader::new(child.stderr.take().unwrap()).lines();
    assert!(talk.next().unwrap().unwrap().starts_with("interrupted; "));
    press_ctrl_c(&child);
    let left = talk.next().unwrap().unwrap();
    assert_eq!(left, "error: stopped while the call was running; its outcome is unknown");
    let run = child.wait_with_output().unwrap();
    drop(held);
    assert_eq!((run.status.code(), run.stdout.as_slice()), (Some(1), &b""[..]));
}
