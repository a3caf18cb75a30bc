//! One draft makes one event, over files.

use std::fs;
use std::path::Path;

use aileron_calendar::LinkSource;
use aileron_capability::calendar::{CreatedEvent, DraftRequest};
use aileron_capability::{Calendar, FaultCode};
use serde_json::json;

use super::fixture::{caller, create, draft, files, save};
use super::zoom;

fn events(folder: &Path) -> usize {
    fs::read_dir(folder.join("events")).map_or(0, Iterator::count)
}

#[tokio::test]
async fn a_draft_makes_one_event_whatever_key_it_is_asked_with() {
    let folder = tempfile::tempdir().unwrap();
    let calendar =
        files(folder.path(), LinkSource::pattern("https://meet.example.com/{id}").unwrap());
    save(&calendar, draft("d", 9)).await.unwrap();
    let made = create(&calendar, "d", "k1").await.unwrap();
    assert!(!made.existed);
    assert!(made.join_url.as_ref().unwrap().starts_with("https://meet.example.com/"));
    let again = CreatedEvent { existed: true, ..made.clone() };
    assert_eq!(create(&calendar, "d", "k1").await.unwrap(), again);
    assert_eq!(create(&calendar, "d", "k2").await.unwrap(), again);
    let reopened = files(folder.path(), LinkSource::None);
    assert_eq!(create(&reopened, "d", "k3").await.unwrap(), again);
    assert_eq!(events(folder.path()), 1);
}

#[tokio::test]
async fn many_at_once_make_one_event() {
    let folder = tempfile::tempdir().unwrap();
    let calendar = files(folder.path(), LinkSource::None);
    save(&calendar, draft("d", 9)).await.unwrap();
    let keys: Vec<String> = (0..8).map(|number| format!("k{number}")).collect();
    let all = keys.iter().map(|key| create(&calendar, "d", key));
    let all = futures_util::future::join_all(all).await;
    let ids: std::collections::BTreeSet<String> =
        all.into_iter().map(|it| it.unwrap().id).collect();
    assert_eq!((ids.len(), events(folder.path())), (1, 1));
}

/// Nothing at Zoom keeps a second meeting for the same event from being made.
#[tokio::test]
async fn many_at_once_make_one_meeting() {
    let meetings = zoom::stub(zoom::Mood::Well);
    let folder = tempfile::tempdir().unwrap();
    let calendar = files(folder.path(), zoom::link(&meetings));
    save(&calendar, draft("d", 9)).await.unwrap();
    let keys: Vec<String> = (0..8).map(|number| format!("k{number}")).collect();
    let all = keys.iter().map(|key| create(&calendar, "d", key));
    for made in futures_util::future::join_all(all).await {
        let link = made.unwrap().join_url;
        assert_eq!(link.as_deref(), Some("https://zoom.example.com/j/85000000000"));
    }
    assert_eq!((zoom::made(&meetings), events(folder.path())), (1, 1));
}

/// As processes do that are started together in a folder that has neither drafts nor an index.
#[tokio::test]
async fn all_who_begin_at_once_make_their_events() {
    for _ in 0..20 {
        let folder = tempfile::tempdir().unwrap();
        let all = (8..16).map(async |hour| {
            let (calendar, id) = (files(folder.path(), LinkSource::None), format!("d{hour}"));
            save(&calendar, draft(&id, hour)).await?;
            create(&calendar, &id, &id).await
        });
        let all = futures_util::future::join_all(all).await;
        all.into_iter().for_each(|made| assert!(!made.unwrap().existed));
        assert_eq!(events(folder.path()), 8);
    }
}

#[tokio::test]
async fn an_attempt_that_died_before_it_was_remembered_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let calendar = files(folder.path(), LinkSource::None);
    save(&calendar, draft("d", 9)).await.unwrap();
    let made = create(&calendar, "d", "k1").await.unwrap();
    // As a process leaves it that is killed after the file is written.
    let drafts = rusqlite::Connection::open(folder.path().join("drafts.db")).unwrap();
    drafts.execute("UPDATE draft SET event = NULL", []).unwrap();
    let found = create(&files(folder.path(), LinkSource::None), "d", "k2").await.unwrap();
    assert_eq!(found, CreatedEvent { existed: true, ..made });
    assert_eq!(events(folder.path()), 1);
}

/// A note that an event was made is no proof that it is there.
#[tokio::test]
async fn an_event_that_was_deleted_is_made_again_once() {
    let folder = tempfile::tempdir().unwrap();
    let calendar = files(folder.path(), LinkSource::None);
    save(&calendar, draft("d", 9)).await.unwrap();
    let made = create(&calendar, "d", "k1").await.unwrap();
    let file = folder.path().join(format!("events/{}.ics", made.id));
    fs::remove_file(&file).unwrap();
    save(&calendar, draft("d", 9)).await.unwrap();
    assert_eq!(create(&calendar, "d", "k2").await.unwrap(), made);
    assert!(file.exists());
    // As a process leaves it that is killed before it can tell.
    let again = create(&files(folder.path(), LinkSource::None), "d", "k3").await.unwrap();
    assert_eq!(again, CreatedEvent { existed: true, ..made.clone() });
    assert_eq!(events(folder.path()), 1);
    fs::remove_file(&file).unwrap();
    let all = ["k4", "k5", "k6"].map(|key| create(&calendar, "d", key));
    for event in futures_util::future::join_all(all).await {
        assert_eq!(event.unwrap().id, made.id);
    }
    assert_eq!(events(folder.path()), 1);
}

#[tokio::test]
async fn an_event_that_was_deleted_stays_so_when_its_draft_has_expired() {
    let folder = tempfile::tempdir().unwrap();
    let calendar = files(folder.path(), LinkSource::None);
    save(&calendar, draft("d", 9)).await.unwrap();
    let made = create(&calendar, "d", "k1").await.unwrap();
    fs::remove_file(folder.path().join(format!("events/{}.ics", made.id))).unwrap();
    let mut expired = draft("d", 9);
    expired["expires"] = json!("2026-02-03T09:59:59Z");
    save(&calendar, expired).await.unwrap();
    let fault = create(&calendar, "d", "k2").await.unwrap_err();
    assert_eq!(fault.message, "its event is no longer in the calendar, and the draft has expired");
    assert_eq!(events(folder.path()), 0);
}

#[tokio::test]
async fn a_time_that_was_taken_meanwhile_is_a_conflict() {
    let folder = tempfile::tempdir().unwrap();
    let calendar = files(folder.path(), LinkSource::None);
    save(&calendar, draft("one", 9)).await.unwrap();
    save(&calendar, draft("two", 9)).await.unwrap();
    let mut known = draft("three", 9);
    known["busy"] = json!(["Mira@example.com", "jon@example.com"]);
    save(&calendar, known).await.unwrap();
    create(&calendar, "one", "k1").await.unwrap();
    let fault = create(&calendar, "two", "k2").await.unwrap_err();
    assert_eq!(fault.code, FaultCode::Conflict);
    assert_eq!(fault.message, "2 of the attendees became busy at that time");
    assert!(create(&calendar, "three", "k3").await.is_ok());
    assert_eq!(events(folder.path()), 2);
}

#[tokio::test]
async fn a_draft_is_bound_to_its_conversation_and_its_time() {
    let folder = tempfile::tempdir().unwrap();
    let calendar = files(folder.path(), LinkSource::None);
    save(&calendar, draft("d", 9)).await.unwrap();
    let read = |conversation: &str| {
        calendar.draft(&caller(conversation), DraftRequest { id: "d".to_owned() })
    };
    assert!(read("c").await.unwrap().is_some());
    assert_eq!(read("other").await.unwrap(), None);
    assert_eq!(create(&calendar, "none", "k").await.unwrap_err().code, FaultCode::Refused);
    let mut expired = draft("expired", 9);
    expired["expires"] = json!("2026-02-03T09:59:59Z");
    save(&calendar, expired).await.unwrap();
    assert_eq!(
        create(&calendar, "expired", "k").await.unwrap_err().message,
        "the draft has expired"
    );
    let mut passed = draft("passed", 9);
    (passed["start"], passed["end"]) =
        (json!("2026-02-03T09:00:00Z"), json!("2026-02-03T10:00:00Z"));
    save(&calendar, passed).await.unwrap();
    let fault = create(&calendar, "passed", "k").await.unwrap_err();
    assert_eq!(
        (fault.code, fault.message.as_str()),
        (FaultCode::Conflict, "the time of this draft has passed")
    );
    assert_eq!(events(folder.path()), 0);
}

/// The person who approves a draft has read the event that is created.
#[tokio::test]
async fn a_draft_says_under_its_id_what_it_said_at_first() {
    let folder = tempfile::tempdir().unwrap();
    let calendar = files(folder.path(), LinkSource::None);
    save(&calendar, draft("d", 9)).await.unwrap();
    for (field, value) in [
        ("attendees", json!(["mira@example.com", "eve@example.com"])),
        ("title", json!("Another")),
        ("start", json!("2026-02-05T08:00:00Z")),
    ] {
        let mut other = draft("d", 9);
        other[field] = value;
        let fault = save(&calendar, other).await.unwrap_err();
        assert_eq!(fault.code, FaultCode::Refused);
        assert_eq!(fault.message, "there is another draft of this id: \"d\"");
    }
    let mut later = draft("d", 9);
    later["expires"] = json!("2026-02-04T20:00:00Z");
    save(&calendar, later).await.unwrap();
}

#[tokio::test]
async fn drafts_that_make_no_event_are_not_kept() {
    let folder = tempfile::tempdir().unwrap();
    let calendar = files(folder.path(), LinkSource::None);
    let with = |field: &str, value: serde_json::Value| {
        let mut draft = draft("d", 9);
        draft[field] = value;
        draft
    };
    for (draft, words) in [
        (with("end", json!("2026-02-05T08:00:00Z")), "expected an end after"),
        (with("start", json!("soon")), "expected an RFC 3339 date-time"),
        (with("expires", json!("never")), "in `expires`"),
        (with("attendees", json!(["a@b.c\r\nX-EVIL:1"])), "expected a plain email address"),
        (with("attendees", json!(["nobody"])), "expected a plain email address"),
        (with("attendees", json!(vec!["a@b.c"; 101])), "at most 100 attendees"),
        (with("agenda", json!("x".repeat(70_000))), "at most 65536 bytes"),
        (json!({ "id": "d" }), "expected a draft of an event"),
    ] {
        let fault = save(&calendar, draft).await.unwrap_err();
        assert_eq!(fault.code, FaultCode::Refused);
        assert!(fault.message.contains(words), "{fault}");
    }
}
