//! A booking at a real calendar server, whose process is killed around the one request that makes
//! the event: whatever the moment, the next attempt finds it or makes it, once.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::process::{Child, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::radicale::Radicale;
use super::server::{Asked, Reply, Server};
use crate::workspace::{Run, Workspace, repository};

/// When the process is killed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Moment {
    /// When it asks this, before the server hears of it.
    Asks(&'static str),
    /// When the server has done it, before the answer is passed on.
    Done(&'static str),
    /// So long after the answer to the PUT was passed on, in microseconds.
    AfterPut(u64),
}

const MOMENTS: [Moment; 9] = [
    Moment::Asks("REPORT"),
    Moment::Done("REPORT"),
    Moment::Asks("PUT"),
    Moment::Done("PUT"),
    Moment::AfterPut(0),
    Moment::AfterPut(1_000),
    Moment::AfterPut(4_000),
    Moment::AfterPut(10_000),
    Moment::AfterPut(25_000),
];

/// The process to kill, and when.
type Target = Arc<Mutex<Option<(Moment, Child)>>>;

fn kill(target: &Target) {
    let mut held = target.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, child)) = held.as_mut() {
        let _ = child.kill();
    }
}

fn is_due(target: &Target, wanted: Moment) -> bool {
    target.lock().unwrap().as_ref().is_some_and(|(moment, _)| *moment == wanted)
}

/// Waits by looking, so that the kill comes at the moment and not at the tick of a timer.
fn kill_after(target: Target, micros: u64) {
    let until = Instant::now() + Duration::from_micros(micros);
    thread::spawn(move || {
        while Instant::now() < until {
            thread::yield_now();
        }
        kill(&target);
    });
}

/// Passes requests on to the real server, and kills the client at the configured moment.
fn between(base: String, target: Target) -> Server {
    Server::start(move |asked, _| {
        let method = MOMENTS.iter().find_map(|moment| match moment {
            Moment::Asks(method) | Moment::Done(method) if asked.method() == *method => {
                Some(*method)
            }
            _ => None,
        });
        if method.is_some_and(|method| is_due(&target, Moment::Asks(method))) {
            kill(&target);
            return Reply::Hangup;
        }
        let reply = forward(&base, asked);
        if method.is_some_and(|method| is_due(&target, Moment::Done(method))) {
            kill(&target);
        }
        let set = target.lock().unwrap().as_ref().map(|(moment, _)| *moment);
        if let (Some(Moment::AfterPut(micros)), "PUT") = (set, asked.method()) {
            kill_after(target.clone(), micros);
        }
        reply
    })
}

/// In HTTP/1.0, so that the body extends to the end of the connection.
fn forward(base: &str, asked: &Asked) -> Reply {
    let address = base.trim_start_matches("http://").trim_end_matches('/');
    let mut stream = TcpStream::connect(address).unwrap();
    let mut request = format!("{} HTTP/1.0\r\n", asked.line);
    for (name, value) in &asked.headers {
        if !name.eq_ignore_ascii_case("connection") {
            request.push_str(&format!("{name}: {value}\r\n"));
        }
    }
    stream.write_all(format!("{request}\r\n{}", asked.body).as_bytes()).unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    let at = answer.windows(4).position(|it| it == b"\r\n\r\n").unwrap();
    let head = String::from_utf8(answer[..at].to_vec()).unwrap();
    let (line, headers) = head.split_once("\r\n").unwrap_or((&head, ""));
    let kept = headers.lines().filter(|line| {
        let name = line.split(':').next().unwrap_or_default().to_lowercase();
        !["connection", "content-length", "transfer-encoding"].contains(&name.as_str())
    });
    let headers: String = kept.map(|line| format!("{line}\r\n")).collect();
    let status = line.split(' ').nth(1).unwrap().parse().unwrap();
    Reply::Full(status, headers, answer[at + 4..].to_vec())
}

const FIXED: [&str; 4] = ["--registry", "tool_registry.json", "--conversation", "c"];

fn command(workspace: &Workspace, args: &[&str]) -> std::process::Command {
    let mut command = workspace.command();
    command.arg("call").args(args).args(FIXED).env("RADICALE_PASSWORD", "secret");
    command
}

fn made(workspace: &Workspace, args: &[&str]) -> Value {
    let run = Run::of(command(workspace, args).output().unwrap());
    assert_eq!(run.code, 0, "{}{}", run.stdout, run.stderr);
    run.json()["data"].clone()
}

#[test]
fn a_booking_that_is_killed_around_its_put_is_made_once() {
    let radicale = Radicale::start();
    let target = Target::default();
    let server = between(radicale.base.clone(), target.clone());
    let workspace = Workspace::new();
    let tools = repository().join("tools");
    workspace.ok(&["build", "--tools", tools.to_str().unwrap(), "--out", "tool_registry.json"]);
    workspace.write(
        "aileron.toml",
        format!(
            "[calendar]\nengine = 'caldav'\norganizer = 'ada@example.com'\n[calendar.caldav]\n\
             url = '{}/'\nuser = 'ada'\npassword = 'RADICALE_PASSWORD'\ntimeout_seconds = 20\n",
            server.base
        ),
    );
    for (number, moment) in MOMENTS.into_iter().enumerate() {
        let plan = json!({
            "attendees": ["ada@example.com"], "duration_minutes": 30, "within_days": 30,
            "title": format!("Review {number}"), "max_slots": 1,
        });
        let proposed = made(&workspace, &["calendar_propose_event", &plan.to_string()]);
        let commit = json!({ "event_draft_id": proposed["event_draft_id"] }).to_string();
        let commit = ["calendar_create_event", &commit, "--confirm"];
        let mut first = command(&workspace, &commit);
        first.stdout(Stdio::null()).stderr(Stdio::null());
        // Held while it starts, so that it is known before it asks anything.
        *target.lock().unwrap() = Some((moment, first.spawn().unwrap()));
        let ended = wait(&target);
        if !matches!(moment, Moment::AfterPut(_)) {
            assert_eq!(ended.code(), None, "killed at {moment:?}");
        }
        let booked = made(&workspace, &commit);
        assert_eq!(booked["title"], format!("Review {number}"), "{moment:?}");
        let events = radicale.events("ada");
        assert_eq!(events.len(), number + 1, "one event for each draft, killed at {moment:?}");
        let alike = events.iter().filter(|it| it.contains(&format!("SUMMARY:Review {number}\r")));
        assert_eq!(alike.count(), 1, "{moment:?}");
    }
    workspace.ok(&["audit", "verify"]);
}

/// Until the process has ended, killed or not. It is looked at without being held, so that it can
/// be killed meanwhile.
fn wait(target: &Target) -> ExitStatus {
    loop {
        let mut held = target.lock().unwrap();
        let (_, child) = held.as_mut().unwrap();
        if let Some(ended) = child.try_wait().unwrap() {
            *held = None;
            return ended;
        }
        drop(held);
        thread::yield_now();
    }
}
