//! Propose, choose, approve: over calendars in files.

use serde_json::json;

use super::{call, data, error, events};
use crate::workspace::Workspace;

/// A calendar with one event every working day from 09:00 to 10:00.
const BUSY_MORNINGS: &str = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:test\r\nBEGIN:VEVENT\r\nUID:morning\r\nDTSTART:20200101T090000Z\r\nDTEND:20200101T100000Z\r\nRRULE:FREQ=DAILY\r\nSUMMARY:Standup\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n";

#[test]
fn a_meeting_is_proposed_approved_and_made_once() {
    let workspace = Workspace::new();
    workspace.write(
        "aileron.toml",
        "[calendar.link]\nkind = 'pattern'\npattern = 'https://meet.example.com/{id}'\n",
    );
    workspace.write(".aileron/calendar/mira@example.com.ics", BUSY_MORNINGS);
    let plan = json!({ "attendees": ["mira@example.com"], "duration_minutes": 60, "title": "Review", "max_slots": 2 });
    let proposed = data(&workspace, "calendar_propose_event", &plan, &[]);
    assert_eq!(proposed["attendees"][0]["calendar_read"], true);
    for slot in proposed["slots"].as_array().unwrap() {
        assert!(!slot["start"].as_str().unwrap().contains("T09:"), "{slot}");
        assert_eq!(slot["busy"], 0);
    }
    let commit = json!({ "event_draft_id": proposed["event_draft_id"] });
    let asked = error(&workspace, "calendar_create_event", &commit, &[]);
    assert_eq!(asked["type"], "CONFIRMATION_REQUIRED");
    assert_eq!(events(&workspace).len(), 0);
    let made = data(&workspace, "calendar_create_event", &commit, &["--confirm"]);
    assert_eq!(made["already_existed"], false);
    assert!(made["join_url"].as_str().unwrap().starts_with("https://meet.example.com/"));
    let again = data(&workspace, "calendar_create_event", &commit, &["--confirm"]);
    assert_eq!((&again["event_id"], &again["already_existed"]), (&made["event_id"], &json!(true)));
    assert_eq!(events(&workspace).len(), 1);
    let file = format!(".aileron/calendar/events/{}.ics", made["event_id"].as_str().unwrap());
    assert!(workspace.read(&file).contains("SUMMARY:Review"));
}

/// The note of an event is no proof that it is there.
#[test]
fn an_event_that_was_deleted_is_booked_again() {
    let workspace = Workspace::new();
    let plan = json!({ "attendees": ["mira@example.com"], "duration_minutes": 60, "max_slots": 1 });
    let commit = |id: &serde_json::Value| {
        let commit = json!({ "event_draft_id": id });
        data(&workspace, "calendar_create_event", &commit, &["--confirm"])
    };
    let proposed = data(&workspace, "calendar_propose_event", &plan, &[]);
    let made = commit(&proposed["event_draft_id"]);
    assert_eq!(commit(&proposed["event_draft_id"])["already_existed"], true);
    let file = format!(".aileron/calendar/events/{}.ics", made["event_id"].as_str().unwrap());
    std::fs::remove_file(workspace.path(&file)).unwrap();
    let proposed = data(&workspace, "calendar_propose_event", &plan, &[]);
    let again = commit(&proposed["event_draft_id"]);
    assert_eq!((&again["start"], &again["already_existed"]), (&made["start"], &json!(false)));
    assert_eq!(events(&workspace).len(), 1);
}

/// A calendar with its own zone is read by that zone's rules; unreadable parts are reported.
#[test]
fn what_cannot_be_understood_of_a_calendar_is_told_with_the_times() {
    let workspace = Workspace::new();
    let odd = BUSY_MORNINGS.replace("RRULE:FREQ=DAILY", "RRULE:FREQ=SOMETIMES");
    workspace.write(".aileron/calendar/mira@example.com.ics", odd);
    let plan = json!({ "attendees": ["mira@example.com"], "duration_minutes": 60, "preferred_times": ["2020-01-02T10:00:00Z"] });
    let proposed = data(&workspace, "calendar_propose_event", &plan, &[]);
    let mira = &proposed["attendees"][0];
    assert_eq!(mira["calendar_read"], false);
    let remark = "mira@example.com.ics: event \"morning\": expected a recurrence rule in RRULE, found \"FREQ=SOMETIMES\"";
    assert_eq!(mira["remark"], remark);
    assert_eq!(proposed["ignored_times"][0]["reason"], "it has passed");
    let warnings = proposed["warnings"].to_string();
    assert!(warnings.contains("a time may be taken that looks free"), "{warnings}");
}

#[test]
fn a_time_that_is_taken_is_answered_with_others() {
    let workspace = Workspace::new();
    let plan = |title: &str| json!({ "attendees": ["mira@example.com"], "duration_minutes": 60, "title": title, "max_slots": 1 });
    let one = data(&workspace, "calendar_propose_event", &plan("One"), &[]);
    let two = data(&workspace, "calendar_propose_event", &plan("Two"), &[]);
    let commit =
        |proposal: &serde_json::Value| json!({ "event_draft_id": proposal["event_draft_id"] });
    data(&workspace, "calendar_create_event", &commit(&one), &["--confirm"]);
    let conflict = error(&workspace, "calendar_create_event", &commit(&two), &["--confirm"]);
    assert_eq!(
        (&conflict["type"], &conflict["partialSideEffects"]),
        (&json!("CONFLICT"), &json!(false))
    );
    let fresh = &conflict["details"]["proposals"][0];
    assert_ne!(fresh["start"], two["slots"][0]["start"]);
    let made = data(
        &workspace,
        "calendar_create_event",
        &json!({ "event_draft_id": fresh["event_draft_id"] }),
        &["--confirm"],
    );
    assert_eq!(made["start"], fresh["start"]);
    assert_eq!(events(&workspace).len(), 2);
}

#[test]
fn a_draft_is_of_no_use_to_another_conversation() {
    let workspace = Workspace::new();
    let plan = json!({ "attendees": ["mira@example.com"], "duration_minutes": 60 });
    let proposed = data(&workspace, "calendar_propose_event", &plan, &[]);
    let commit = json!({ "event_draft_id": proposed["event_draft_id"] }).to_string();
    let tools = crate::workspace::repository().join("tools");
    let args = [
        "call",
        "calendar_create_event",
        &commit,
        "--conversation",
        "other",
        "--confirm",
        "--tools",
        tools.to_str().unwrap(),
    ];
    let run = workspace.run(&args);
    assert_eq!((run.code, run.json()["error"]["type"].as_str()), (1, Some("PERMANENT")));
    assert_eq!(events(&workspace).len(), 0);
}

#[test]
fn bad_input_is_refused_with_a_way_out() {
    let workspace = Workspace::new();
    let people =
        |count: usize| (0..count).map(|it| format!("p{it}@example.com")).collect::<Vec<_>>();
    for (args, kind) in [
        (json!({ "attendees": [], "duration_minutes": 30 }), "VALIDATION"),
        (json!({ "attendees": people(500), "duration_minutes": 30 }), "VALIDATION"),
        (json!({ "attendees": ["not an address"], "duration_minutes": 30 }), "VALIDATION"),
        (json!({ "attendees": people(1), "duration_minutes": 0 }), "VALIDATION"),
        (json!({ "attendees": ["\"a b\"@example.com"], "duration_minutes": 30 }), "PERMANENT"),
        (
            json!({ "attendees": people(1), "duration_minutes": 30, "working_hours": { "start": "17:00", "end": "09:00" } }),
            "PERMANENT",
        ),
        (
            json!({ "attendees": people(1), "duration_minutes": 30, "time_zone": "Nowhere" }),
            "PERMANENT",
        ),
        (
            json!({ "attendees": people(1), "duration_minutes": 30, "time_zone": "Europe/Berlin", "preferred_times": ["2027-03-28T02:30"] }),
            "PERMANENT",
        ),
        (
            json!({ "attendees": people(1), "duration_minutes": 30, "not_before": "9999-12-30T00:00:00Z" }),
            "PERMANENT",
        ),
    ] {
        let found = error(&workspace, "calendar_propose_event", &args, &[]);
        assert_eq!(found["type"], kind, "{args}: {found}");
        assert_eq!(
            (&found["retryable"], &found["partialSideEffects"]),
            (&json!(false), &json!(false)),
            "{found}"
        );
    }
    let made_up = error(
        &workspace,
        "calendar_create_event",
        &json!({ "event_draft_id": "draft-made-up" }),
        &["--confirm"],
    );
    assert_eq!(made_up["type"], "PERMANENT");
}

#[test]
fn voice_is_told_to_go_on_in_text() {
    let plan = json!({ "attendees": ["mira@example.com"], "duration_minutes": 60 });
    let run = call(&Workspace::new(), "calendar_propose_event", &plan, &["--mode", "voice"]);
    let error = &run.json()["error"];
    assert_eq!(error["type"], "MODE_RESTRICTED");
    assert!(error["suggestion"].as_str().unwrap_or_default().contains("text"), "{error}");
}

#[test]
fn a_server_that_is_not_there_is_a_passing_fault() {
    let workspace = Workspace::new();
    let unused = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    workspace.write(
        "aileron.toml",
        format!("[calendar]\nengine = 'caldav'\n[calendar.caldav]\nurl = 'http://{unused}/'\n"),
    );
    let plan = json!({ "attendees": ["mira@example.com"], "duration_minutes": 60 });
    let found = error(&workspace, "calendar_propose_event", &plan, &[]);
    assert_eq!((&found["type"], &found["retryable"]), (&json!("TRANSIENT"), &json!(true)));
}
