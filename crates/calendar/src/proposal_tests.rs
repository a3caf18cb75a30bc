//! Proposals over calendars in memory.

use aileron_capability::calendar::DraftRequest;
use aileron_capability::doubles::{CalendarContents, MemoryCalendar};
use aileron_contract::{CallId, ConversationId, Mode, ToolId};
use futures_util::FutureExt;
use serde_json::{Value, json};

use super::*;

/// 2026-02-03T10:00:00Z.
const NOW: u64 = 1_770_112_800_000;

fn caller_of(conversation: &str) -> Caller {
    Caller {
        conversation: ConversationId::new(conversation).unwrap(),
        user: None,
        scopes: [].into(),
        mode: Mode::Text,
        tool: ToolId::new("tool").unwrap(),
        call_id: CallId::new("call").unwrap(),
        idempotency_key: "key".into(),
    }
}

fn request(more: Value) -> ProposalRequest {
    let mut request = json!({
        "attendees": ["Mira@example.com", "mira@example.com"],
        "duration_minutes": 60,
        "title": "Review",
        "within_days": 7,
        "max_slots": 1,
        "video_link": true,
    });
    let (Some(members), Value::Object(more)) = (request.as_object_mut(), more) else {
        panic!("objects")
    };
    members.extend(more);
    serde_json::from_value(request).unwrap()
}

fn calendar() -> MemoryCalendar {
    let contents = json!({ "busy": { "mira@example.com":
        [{ "start": "2026-02-03T10:00:00Z", "end": "2026-02-03T11:15:00Z" }] } });
    serde_json::from_value::<CalendarContents>(contents).unwrap().into()
}

fn proposed(more: Value) -> Result<Proposal, ProposalError> {
    propose(&calendar(), &caller_of("c"), &request(more), NOW).now_or_never().unwrap()
}

fn start(more: Value) -> String {
    proposed(more).unwrap().slots.remove(0).start
}

fn refusal(more: Value) -> String {
    let failure = ToolError::from(proposed(more).unwrap_err()).into_failure();
    assert!(!failure.retryable && failure.suggestion.is_some(), "{failure:?}");
    failure.message
}

#[test]
fn an_address_counts_once_and_a_draft_is_kept() {
    let calendar = calendar();
    let request = request(json!({}));
    let found = propose(&calendar, &caller_of("c"), &request, NOW).now_or_never().unwrap().unwrap();
    assert_eq!((found.attendees.len(), found.slots[0].free), (1, 1));
    assert_eq!(found.slots[0].start, "2026-02-03T11:30:00Z");
    let kept = DraftRequest { id: found.event_draft_id };
    let kept = calendar.draft(&caller_of("c"), kept).now_or_never().unwrap().unwrap().unwrap();
    let draft: EventDraft = serde_json::from_value(kept).unwrap();
    assert_eq!(draft.search, Some(request));
    assert_eq!(draft.expires, "2026-02-04T10:00:00Z");
}

#[test]
fn times_are_searched_and_told_in_the_zone() {
    assert_eq!(start(json!({ "time_zone": "America/New_York" })), "2026-02-03T09:00:00-05:00");
    assert_eq!(start(json!({ "utc_offset": "+05:30" })), "2026-02-04T09:00:00+05:30");
    let wish = json!({ "time_zone": "Europe/Berlin", "preferred_times": ["2026-02-06T20:00"] });
    assert_eq!(start(wish), "2026-02-06T20:00:00+01:00");
    let both = json!({ "time_zone": "Europe/Berlin", "utc_offset": "-05:00" });
    assert_eq!(start(both), "2026-02-03T12:30:00+01:00");
}

#[test]
fn a_zone_that_is_written_with_a_time_is_the_one_that_is_meant() {
    let wish =
        |time: &str| start(json!({ "time_zone": "Europe/Berlin", "preferred_times": [time] }));
    assert_eq!(wish("2026-02-06T15:00[America/New_York]"), "2026-02-06T21:00:00+01:00");
    assert_eq!(wish("2026-02-06T15:00-05:00[America/New_York]"), "2026-02-06T21:00:00+01:00");
    assert_eq!(wish("2026-02-06T15:00:00Z[America/New_York]"), "2026-02-06T16:00:00+01:00");
    let refused = |time: &str| refusal(json!({ "preferred_times": [time] }));
    for time in ["2026-02-06T15:00+09:00[America/New_York]", "2026-02-06T15:00[America/New_York"] {
        assert_eq!(refused(time), format!("expected a date-time, found {time:?}"));
    }
    assert_eq!(
        refused("2026-02-06T15:00[u-ca=hebrew]"),
        "expected a time zone such as Europe/Berlin or +01:00, found \"u-ca=hebrew\""
    );
    assert_eq!(
        refused("2026-03-08T02:30[America/New_York]"),
        "2026-03-08T02:30 does not exist in America/New_York: the clocks go forward over it, to 03:30"
    );
}

/// The reason of each wish that is not among the slots.
fn reasons(more: Value) -> Vec<String> {
    let found = proposed(more).unwrap();
    found.ignored_times.into_iter().map(|it| format!("{}: {}", it.time, it.reason)).collect()
}

#[test]
fn every_wish_that_is_not_proposed_is_told_with_its_reason() {
    let wishes = json!({ "preferred_times": [
        "2026-02-03T10:30", "2026-02-04T10:00", "2026-02-04T10:30", "2026-02-05T10:00", "2030-01-01T10:00"
    ] });
    assert_eq!(
        reasons(wishes),
        [
            "2026-02-03T10:30: 1 of 1 attendees is busy then",
            "2026-02-04T10:30: it overlaps another of the proposed times",
            "2026-02-05T10:00: earlier wishes came first",
            "2030-01-01T10:00: it lies more than two years ahead",
        ]
    );
    let busy = proposed(json!({ "preferred_times": ["2026-02-03T10:30"] })).unwrap();
    assert!(!busy.slots[0].preferred);
    assert_eq!(
        busy.warnings,
        ["none of the preferred times could be used: 1 of 1 attendees is busy then"]
    );
}

/// A calendar with another organizer.
fn organized(by: &str, more: Value) -> Proposal {
    let contents = json!({ "organizer": by, "busy": { "mira@example.com": [], "ada@example.com":
        [{ "start": "2026-02-03T10:00:00Z", "end": "2026-02-03T12:15:00Z" }] } });
    let calendar: MemoryCalendar =
        serde_json::from_value::<CalendarContents>(contents).unwrap().into();
    let (caller, request) = (caller_of("c"), request(more));
    propose(&calendar, &caller, &request, NOW).now_or_never().unwrap().unwrap()
}

#[test]
fn the_time_of_the_one_who_invites_counts() {
    let found = organized("Ada@example.com", json!({ "preferred_times": ["2026-02-03T10:00"] }));
    assert_eq!(found.slots[0].start, "2026-02-03T12:30:00Z");
    assert_eq!(found.ignored_times[0].reason, "the organizer is busy then");
    let organizer = found.organizer.unwrap();
    assert_eq!(organizer.email.as_deref(), Some("ada@example.com"));
    assert_eq!((organizer.calendar_read, organizer.busy_in), (true, vec![]));
    let hours = json!({ "working_hours": { "start": "10:00", "end": "12:00" }, "within_days": 1 });
    let busy = organized("ada@example.com", hours);
    assert_eq!((busy.slots[0].free, busy.slots[0].busy), (1, 0), "attendees are counted");
    assert_eq!(busy.organizer.unwrap().busy_in, [1]);
    let attending = organized("ada@example.com", json!({ "attendees": ["Ada@example.com"] }));
    assert_eq!((attending.organizer, attending.attendees.len()), (None, 1));
}

#[test]
fn what_cannot_be_meant_is_refused_with_a_way_out() {
    let gap = json!({ "time_zone": "Europe/Berlin", "preferred_times": ["2026-03-29T02:30:00"] });
    assert_eq!(
        refusal(gap),
        "2026-03-29T02:30 does not exist in Europe/Berlin: the clocks go forward over it, to 03:30"
    );
    assert_eq!(
        refusal(json!({ "working_hours": { "start": "17:00", "end": "09:00" } })),
        "expected working hours that end after 17:00, found 09:00"
    );
    assert_eq!(
        refusal(json!({ "time_zone": "Mars/Olympus" })),
        "expected a time zone such as Europe/Berlin or +01:00, found \"Mars/Olympus\""
    );
    assert_eq!(
        refusal(json!({ "preferred_times": ["tomorrow"] })),
        "expected a date-time, found \"tomorrow\""
    );
    assert_eq!(
        refusal(json!({ "not_before": "2026-02-30T10:00" })),
        "expected a date-time, found \"2026-02-30T10:00\""
    );
}

#[test]
fn an_address_that_no_calendar_takes_is_named() {
    assert_eq!(
        refusal(json!({ "attendees": ["\"a b\"@example.com"] })),
        "expected a plain email address, found \"\\\"a b\\\"@example.com\""
    );
}

#[test]
fn nothing_in_the_past_is_proposed() {
    let past = json!({ "not_before": "2020-01-01T00:00:00Z", "preferred_times": ["2020-01-02T10:00:00Z"] });
    let found = proposed(past).unwrap();
    assert_eq!(found.slots[0].start, "2026-02-03T11:30:00Z");
    let time = "2020-01-02T10:00:00Z".to_owned();
    let ignored = IgnoredTime { time, reason: "it has passed".to_owned() };
    let warning = "none of the preferred times could be used: all of them have passed".to_owned();
    assert_eq!((found.ignored_times, found.warnings), (vec![ignored], vec![warning]));
    let some = proposed(json!({ "preferred_times": ["2020-01-02T10:00:00Z", "2026-02-04T10:00"] }));
    let some = some.unwrap();
    assert_eq!((some.ignored_times.len(), some.warnings.len()), (1, 0));
    let error = proposed(
        json!({ "duration_minutes": 480, "working_hours": { "start": "09:00", "end": "12:00" } }),
    );
    assert_eq!(error, Err(ProposalError::NothingFits { minutes: 480 }));
}
