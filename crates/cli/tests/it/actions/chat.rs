//! Both flows in `aileron chat`: through a pipe, as text and as JSON, and at a terminal.

use serde_json::Value;

use super::events;
use crate::chat::chat;
use crate::workspace::{Workspace, repository};

const MEET: &str = "Schedule half an hour with mira@example.com tomorrow about the lighting review";

fn held(workspace: &Workspace, more: &[&str], lines: &[&str]) -> crate::workspace::Run {
    let tools = repository().join("tools");
    let fixed = ["--tools", tools.to_str().unwrap(), "--provider", "offline"];
    let run = chat(workspace, &[&fixed[..], more].concat(), &(lines.join("\n") + "\n"));
    assert_eq!(run.code, 0, "{}{}", run.stdout, run.stderr);
    run
}

#[test]
fn a_meeting_is_booked_by_a_yes_and_not_by_a_no() {
    let workspace = Workspace::new();
    let run = held(&workspace, &[], &[MEET, "Book the second one", "n"]);
    let question = "calendar_create_event asks: Create this event: ";
    assert!(run.stderr.contains(question), "{}", run.stderr);
    assert!(run.stdout.contains("You did not approve it, so nothing was done."), "{}", run.stdout);
    assert_eq!(events(&workspace).len(), 0);
    let run = held(&workspace, &[], &[MEET, "Book the second one", "y"]);
    assert!(run.stderr.contains("(no invitations are sent)"), "{}", run.stderr);
    assert!(run.stdout.contains("Booked: “Lighting review”"), "{}", run.stdout);
    assert_eq!(events(&workspace).len(), 1);
}

/// A calendar that is busy every day from 09:00 to 10:00, and one that is busy on Tuesdays.
const MORNINGS: &str = "DTSTART:20200101T090000Z\r\nDTEND:20200101T100000Z\r\nRRULE:FREQ=DAILY\r\n";
const TUESDAYS: &str =
    "DTSTART:20200107T000000Z\r\nDTEND:20200108T000000Z\r\nRRULE:FREQ=WEEKLY\r\n";

fn calendar(workspace: &Workspace, email: &str, event: &str) {
    let calendar = format!(
        "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:test\r\nBEGIN:VEVENT\r\nUID:one\r\n{event}SUMMARY:Busy\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
    );
    workspace.write(&format!(".aileron/calendar/{email}.ics"), calendar);
}

/// The requested start is reported as taken, and the booked one is on the same day.
#[test]
fn a_taken_time_is_named_and_others_of_that_day_are_offered() {
    let workspace = Workspace::new();
    calendar(&workspace, "mira@example.com", MORNINGS);
    let meet =
        "Schedule half an hour with mira@example.com next Tuesday at 9.30 about the lighting";
    let run = held(&workspace, &[], &[meet, "the first one", "y"]);
    let taken = ", 09:30 is not possible: 1 of 1 attendees is busy then. For “Lighting” I found";
    let (before, _) = run.stdout.split_once(taken).unwrap();
    let day = before.rsplit(". ").next().unwrap();
    assert!(day.starts_with("Tuesday "), "{}", run.stdout);
    assert!(run.stdout.contains(&format!("1. {day}, 10:00 to 10:30\n")), "{}", run.stdout);
    assert!(run.stdout.contains(&format!("Booked: “Lighting”, {day}, 10:00")), "{}", run.stdout);
    assert_eq!(events(&workspace).len(), 1);
}

#[test]
fn a_full_day_is_named_and_the_next_ones_are_offered() {
    let workspace = Workspace::new();
    calendar(&workspace, "jon@example.com", TUESDAYS);
    for (when, taken) in [
        ("next Tuesday at 10", ", 10:00 is not possible: 1 of 1 attendees is busy then. For"),
        ("next Tuesday", " has no free time. For"),
    ] {
        let meet = format!("Schedule half an hour with jon@example.com {when}");
        let run = held(&workspace, &["--memory"], &[&meet]);
        assert!(run.stdout.contains(taken), "{}", run.stdout);
        assert!(run.stdout.contains("\n1. Wednesday "), "{}", run.stdout);
    }
}

#[test]
fn a_change_of_mind_is_looked_up_in_the_calendar_again() {
    let workspace = Workspace::new();
    calendar(&workspace, "mira@example.com", MORNINGS);
    let lines = [
        MEET,
        "actually make it next Thursday at 9",
        "rather the afternoon",
        "the second one",
        "y",
    ];
    let run = held(&workspace, &[], &lines);
    assert!(run.stdout.contains(", 09:00 is not possible: 1 of 1 "), "{}", run.stdout);
    assert!(run.stdout.contains("Booked: “Lighting review”, Thursday "), "{}", run.stdout);
    assert!(run.stdout.contains(", 13:30 to 14:00."), "{}", run.stdout);
    assert_eq!(events(&workspace).len(), 1);
}

#[test]
fn json_tells_the_question_and_what_came_of_it() {
    let workspace = Workspace::new();
    let run = held(&workspace, &["--json"], &[MEET, "Book the first one", "y"]);
    let lines = run.stdout.lines().map(|line| serde_json::from_str(line).unwrap());
    let lines: Vec<Value> = lines.collect();
    let asked = lines.iter().find(|line| line["type"] == "asked").unwrap();
    assert_eq!(asked["request"]["tool"], "calendar_create_event");
    let answered = lines.iter().rfind(|line| line["type"] == "answered").unwrap();
    assert_eq!(answered["tool"], "calendar_create_event");
    assert_eq!(answered["answer"]["data"]["invitations"], "not_sent");
    assert_eq!(events(&workspace).len(), 1);
}

#[test]
fn a_picture_is_drafted_made_and_shown_as_a_file() {
    let workspace = Workspace::new();
    let run =
        held(&workspace, &["--json"], &["Draw me a lighthouse at dusk", "Make the first one"]);
    let lines = run.stdout.lines().map(|line| serde_json::from_str(line).unwrap());
    let lines: Vec<Value> = lines.collect();
    let tools: Vec<&str> = lines
        .iter()
        .filter(|line| line["type"] == "answered")
        .map(|line| line["tool"].as_str().unwrap())
        .collect();
    assert_eq!(tools, ["image_draft_prompt", "image_generate", "send_image"]);
    assert!(lines.iter().any(|line| line["type"] == "progress"), "{}", run.stdout);
    let shown = &lines.iter().find(|line| line["type"] == "message").unwrap()["message"];
    let path = shown["url"].as_str().unwrap().strip_prefix("file://").unwrap();
    assert!(std::fs::read(path).unwrap().starts_with(b"\x89PNG"));
}

#[test]
fn the_path_of_a_picture_is_told_whole() {
    let workspace = Workspace::new();
    // Deeper than any line of results is long.
    let folder = workspace.path(&format!("{0}/{0}/images", "folder".repeat(20)));
    let settings = format!("[images]\npath = '{}'\n", folder.display());
    workspace.write("aileron.toml", settings);
    let run = held(&workspace, &[], &["Draw \"a lighthouse at dusk\""]);
    let mut lines = run.stderr.lines();
    let line = lines.find_map(|line| line.trim().strip_prefix("for you: ")).unwrap();
    let path = line.strip_prefix("a lighthouse at dusk file://").unwrap();
    assert!(std::fs::read(path).unwrap().starts_with(b"\x89PNG"), "{line}");
}

/// Without a person to ask, the call does not run and the message names the alternatives.
#[test]
fn one_message_alone_books_nothing() {
    let workspace = Workspace::new();
    let more = ["--conversation", "c"];
    held(&workspace, &more, &[MEET]);
    let tools = repository().join("tools");
    let fixed = ["Book the first one", "--tools", tools.to_str().unwrap(), "--provider", "offline"];
    let run = chat(&workspace, &[&fixed[..], &more].concat(), "y\n");
    assert!(run.stderr.contains("no person at the terminal can approve it"), "{}", run.stderr);
    assert_eq!(events(&workspace).len(), 0);
}
