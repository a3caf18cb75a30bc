//! The labels of drafts.

use futures_util::FutureExt;
use serde_json::json;

use super::*;
use crate::doubles::{CalendarContents, MemoryCalendar, caller};

fn draft(more: Value) -> Value {
    let mut draft = json!({
        "id": "draft-1", "title": "Atlas \"kick-off\"", "start": "2026-02-05T10:00:00+01:00",
        "end": "2026-02-05T11:00:00+01:00", "attendees": ["mira@example.com", "jon@example.com"],
        "expires": "2026-02-04T09:00:00Z",
    });
    let (Some(members), Value::Object(more)) = (draft.as_object_mut(), more) else {
        panic!("objects")
    };
    members.extend(more);
    draft
}

fn words(more: Value) -> String {
    in_words(&EventDraft::deserialize(draft(more)).unwrap(), true)
}

#[test]
fn a_draft_is_told_with_its_local_time_and_every_address() {
    assert_eq!(
        words(json!({})),
        "\"Atlas 'kick-off'\", Thu 5 Feb 2026, 10:00 to 11:00 (+01:00), with mira@example.com, jon@example.com; no video link"
    );
    assert_eq!(
        words(
            json!({ "time_zone": "Europe/Berlin", "video_link": true, "agenda": "Scope", "busy": ["jon@example.com"] })
        ),
        "\"Atlas 'kick-off'\", Thu 5 Feb 2026, 10:00 to 11:00 (Europe/Berlin, +01:00), with mira@example.com, jon@example.com; busy then: jon@example.com; with a video link; text: Scope"
    );
    let alone = words(json!({ "organizer_busy": true }));
    assert!(alone.contains("; busy then: the organizer; "), "{alone}");
    let wished = EventDraft::deserialize(draft(json!({ "video_link": true }))).unwrap();
    assert!(in_words(&wished, false).ends_with("; no video link"), "nobody makes one here");
    let night = words(json!({ "start": "2026-02-05T23:30:00Z", "end": "2026-02-06T00:30:00Z" }));
    assert!(night.contains("Thu 5 Feb 2026, 23:30 to Fri 6 Feb 2026, 00:30 (UTC)"), "{night}");
}

#[test]
fn an_argument_that_is_no_draft_stands_for_itself() {
    let contents = json!({ "drafts": [draft(json!({}))] });
    let contents: CalendarContents = serde_json::from_value(contents).unwrap();
    let calendar = MemoryCalendar::from(contents);
    let args = json!({ "event_draft_id": "draft-1", "other": "draft-2", "count": 3 });
    let found = meanings(&calendar, &caller::of("c"), &args).now_or_never().unwrap().arguments;
    assert_eq!(found.keys().collect::<Vec<_>>(), ["event_draft_id"]);
}
