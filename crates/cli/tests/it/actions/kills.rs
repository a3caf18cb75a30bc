//! A process that is killed at any moment of a booking: nothing doubled, nothing lost.

use std::fs;
use std::hash::{BuildHasher, RandomState};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::workspace::{Workspace, repository};

const KILLS: usize = 12;

const FIXED: [&str; 4] = ["--registry", "tool_registry.json", "--conversation", "c"];

#[test]
fn a_booking_that_is_killed_is_made_once_by_the_next_attempt() {
    let workspace = Workspace::new();
    let tools = repository().join("tools");
    workspace.ok(&["build", "--tools", tools.to_str().unwrap(), "--out", "tool_registry.json"]);
    let mut took = Duration::from_secs(1);
    for number in 0..KILLS {
        let plan = json!({
            "attendees": ["mira@example.com"], "duration_minutes": 30, "within_days": 30,
            "title": format!("Review {number}"), "max_slots": 1,
        });
        let proposed = made(&workspace, &["calendar_propose_event", &plan.to_string()]);
        let commit = json!({ "event_draft_id": proposed["event_draft_id"] }).to_string();
        let commit = ["calendar_create_event", &commit, "--confirm"];
        let mut child = workspace.command();
        child.args(["call"]).args(commit).args(FIXED).stdout(Stdio::null()).stderr(Stdio::null());
        kill_within(&mut child.spawn().unwrap(), took, number);
        let began = Instant::now();
        let booked = made(&workspace, &commit);
        took = began.elapsed();
        assert_eq!(booked["title"], format!("Review {number}"));
        let events = fs::read_dir(workspace.path(".aileron/calendar/events")).unwrap().flatten();
        let whole = events.filter(|it| it.file_name().to_string_lossy().ends_with(".ics")).count();
        assert_eq!(whole, number + 1, "one event for each draft");
    }
    workspace.ok(&["audit", "verify"]);
}

fn made(workspace: &Workspace, args: &[&str]) -> Value {
    workspace.ok(&[&["call"], args, &FIXED[..]].concat()).json()["data"].clone()
}

/// Kills it at some moment of the time it would take. Waits by looking, so that the kill comes at
/// any moment and not at the tick of a timer.
fn kill_within(child: &mut Child, time: Duration, number: usize) {
    let share = u32::try_from(RandomState::new().hash_one(number) % 1000).unwrap();
    let until = Instant::now() + time * share / 1000;
    while Instant::now() < until && child.try_wait().unwrap().is_none() {
        std::thread::yield_now();
    }
    let _ = child.kill();
    child.wait().unwrap();
}
