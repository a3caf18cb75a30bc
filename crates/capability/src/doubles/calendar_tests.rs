//! Calendars in memory.

use futures_util::FutureExt;
use serde_json::json;

use super::*;
use crate::doubles::caller;

fn calendar() -> MemoryCalendar {
    let contents = json!({
        "busy": { "MIRA@example.com": [{ "start": "2026-02-05T09:00:00Z", "end": "2026-02-05T10:00:00Z" }] },
        "drafts": [{ "id": "given", "video_link": true }],
    });
    let contents: CalendarContents = serde_json::from_value(contents).unwrap();
    contents.into()
}

fn free_busy(calendar: &MemoryCalendar, start: &str, end: &str) -> Vec<(bool, usize)> {
    let attendees = vec!["Mira@example.com".to_owned(), "guest@example.com".to_owned()];
    let (start, end) = (start.to_owned(), end.to_owned());
    let request = FreeBusyRequest { attendees, start, end, organizer: false };
    let found = calendar.free_busy(&caller::of("c"), request).now_or_never().unwrap().unwrap();
    found.into_iter().map(|it| (it.readable, it.busy.len())).collect()
}

fn draft(calendar: &MemoryCalendar, conversation: &str, id: &str) -> Option<Value> {
    let request = DraftRequest { id: id.to_owned() };
    calendar.draft(&caller::of(conversation), request).now_or_never().unwrap().unwrap()
}

fn save(calendar: &MemoryCalendar, draft: Value) -> Result<(), CapabilityFault> {
    let request = SaveDrafts { drafts: vec![draft] };
    calendar.save_drafts(&caller::of("c"), request).now_or_never().unwrap()
}

fn create(calendar: &MemoryCalendar, id: &str, key: &str) -> Result<CreatedEvent, CapabilityFault> {
    let request = CreateEvent { draft: json!({ "id": id }), idempotency_key: key.to_owned() };
    calendar.create_event(&caller::of("c"), request).now_or_never().unwrap()
}

#[test]
fn busy_times_are_those_of_the_period_and_unlisted_calendars_unreadable() {
    let calendar = calendar();
    let at = |start, end| free_busy(&calendar, start, end);
    assert_eq!(at("2026-02-05T10:30:00+01:00", "2026-02-05T12:00:00Z"), [(true, 1), (false, 0)]);
    assert_eq!(at("2026-02-05T10:00:00Z", "2026-02-05T12:00:00Z"), [(true, 0), (false, 0)]);
}

#[test]
fn drafts_belong_to_their_conversation_and_given_ones_to_all() {
    let calendar = calendar();
    save(&calendar, json!({ "id": "mine", "title": "first" })).unwrap();
    save(&calendar, json!({ "id": "mine", "title": "second" })).unwrap();
    assert_eq!(draft(&calendar, "c", "mine").unwrap()["title"], "second");
    assert_eq!(draft(&calendar, "other", "mine"), None);
    assert!(draft(&calendar, "other", "given").is_some());
    assert_eq!(save(&calendar, json!({})).unwrap_err().code, FaultCode::Refused);
}

#[test]
fn the_same_key_or_draft_gives_the_same_event() {
    let calendar = calendar();
    let event = create(&calendar, "given", "k1").unwrap();
    let again = Ok(CreatedEvent { existed: true, ..event.clone() });
    assert_eq!(create(&calendar, "given", "k1"), again);
    assert_eq!(create(&calendar, "given", "k2"), again);
    assert_eq!(draft(&calendar, "c", "given").unwrap()["event_id"], event.id.as_str());
    assert!(event.join_url.is_some());
    assert_eq!(create(&calendar, "none", "k3").unwrap_err().code, FaultCode::Refused);
}

#[test]
fn an_event_takes_the_time_of_those_who_attend() {
    let calendar = calendar();
    let (start, end) = ("2026-02-06T09:00:00Z", "2026-02-06T10:00:00Z");
    let attendees = ["mira@example.com", "guest@example.com"];
    let content = json!({ "id": "d", "start": start, "end": end, "attendees": attendees });
    save(&calendar, content).unwrap();
    assert_eq!(free_busy(&calendar, start, end), [(true, 0), (false, 0)]);
    create(&calendar, "d", "key").unwrap();
    assert_eq!(free_busy(&calendar, start, end), [(true, 1), (false, 0)]);
}

#[test]
fn a_time_that_was_taken_meanwhile_is_a_conflict() {
    let calendar = calendar();
    let draft = |busy: &[&str]| {
        json!({ "id": "d", "start": "2026-02-05T09:30:00Z", "end": "2026-02-05T10:30:00Z",
            "attendees": ["Mira@example.com"], "busy": busy })
    };
    save(&calendar, draft(&[])).unwrap();
    assert_eq!(create(&calendar, "d", "k1").unwrap_err().code, FaultCode::Conflict);
    save(&calendar, draft(&["mira@example.com"])).unwrap();
    assert!(create(&calendar, "d", "k1").is_ok());
}

#[test]
fn a_fault_that_was_asked_for_meets_every_call() {
    let fault = CapabilityFault::new(FaultCode::Timeout, "no answer");
    let contents = CalendarContents { error: Some(fault.clone()), ..CalendarContents::default() };
    let calendar = MemoryCalendar::from(contents);
    assert_eq!(create(&calendar, "given", "k1"), Err(fault.clone()));
    assert_eq!(save(&calendar, json!({ "id": "x" })), Err(fault));
}
