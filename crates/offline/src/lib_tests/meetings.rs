//! Meetings: the requested people, time and length.

use serde_json::{Value, json};

use super::stage::{Mode, Stage, done};
use super::turns::{calls, says, says_in};
use aileron_contract::model_input::ModelAction;

#[test]
fn meetings_are_proposed_from_the_words() {
    calls(
        "Schedule 30 minutes with mira@example.com tomorrow at 10 about lighting",
        "calendar_propose_event",
        json!({ "attendees": ["mira@example.com"], "duration_minutes": 30, "title": "Lighting", "preferred_times": ["2026-02-04T10:00:00+01:00"], "not_before": "2026-02-04T00:00:00+01:00", "utc_offset": "+01:00" }),
    );
    calls(
        "Please arrange a meeting called \"Atlas kick-off\" with mira@example.com and jon@example.com on Friday for an hour",
        "calendar_propose_event",
        json!({ "attendees": ["mira@example.com", "jon@example.com"], "duration_minutes": 60, "title": "Atlas kick-off", "not_before": "2026-02-06T00:00:00+01:00", "within_days": 1, "utc_offset": "+01:00" }),
    );
    calls(
        "Set up a call with Mira Holt for half an hour",
        "kb_search",
        json!({ "query": "Mira Holt", "filters": { "type": "person" }, "top_k": 4, "min_score": 0 }),
    );
    calls(
        "Schedule a meeting with mira@example.com",
        "calendar_propose_event",
        json!({ "attendees": ["mira@example.com"], "duration_minutes": 30, "utc_offset": "+01:00" }),
    );
    says(
        "Schedule a meeting tomorrow",
        "I still need the attendees (Email addresses of everybody invited)",
    );
    says_in(Mode::Voice, "Schedule 30 minutes with mira@example.com", "works in writing");
}

/// The start, the days and the hours that words lead to.
fn asks_for(words: &str) -> Value {
    let words = format!("Schedule half an hour with mira@example.com {words}");
    let steps = Stage::new(Mode::Text).hear(&words);
    let Some(ModelAction::Call(calls)) = steps.last() else { panic!("{words}: {steps:?}") };
    let args = &calls[0].args;
    let names = ["preferred_times", "not_before", "within_days", "working_hours"];
    json!(names.map(|name| args.get(name).cloned().unwrap_or_default()))
}

#[test]
fn days_and_times_are_asked_for_as_they_were_named() {
    let hours = |start: &str, end: &str| json!({ "start": start, "end": end });
    for (words, start, from, days, hours) in [
        ("on 12/24/2026 at 3pm", "2026-12-24T15:00", "2026-12-24", Value::Null, Value::Null),
        ("on 24.12.2026 um 15 Uhr", "2026-12-24T15:00", "2026-12-24", Value::Null, Value::Null),
        ("on Fri at 9.30am", "2026-02-06T09:30", "2026-02-06", Value::Null, Value::Null),
        (
            "next Tuesday at half past two",
            "2026-02-10T14:30",
            "2026-02-10",
            Value::Null,
            Value::Null,
        ),
        ("tomorrow afternoon", "", "2026-02-04", json!(1), hours("13:00", "18:00")),
        ("next week", "", "2026-02-09", json!(7), Value::Null),
        ("next week in the morning", "", "2026-02-09", json!(7), hours("09:00", "12:00")),
        ("at 3pm", "2026-02-03T15:00", "2026-02-03", Value::Null, Value::Null),
    ] {
        let start =
            if start.is_empty() { Value::Null } else { json!([format!("{start}:00+01:00")]) };
        let expected = json!([start, format!("{from}T00:00:00+01:00"), days, hours]);
        assert_eq!(asks_for(words), expected, "{words}");
    }
}

#[test]
fn several_starts_are_asked_for_in_their_order() {
    for (words, starts) in [
        ("on Thursday at 10 or Friday at 11", ["2026-02-05T10:00", "2026-02-06T11:00"]),
        ("on Thursday at 10 or at 11", ["2026-02-05T10:00", "2026-02-05T11:00"]),
    ] {
        let starts = starts.map(|start| format!("{start}:00+01:00"));
        assert_eq!(asks_for(words)[0], json!(starts), "{words}");
    }
}

#[test]
fn a_day_or_a_time_that_is_none_is_asked_about_and_never_left_out() {
    for (words, part) in [
        ("February 31st at 10", "I know no day “February 31st”. I still need the day"),
        ("on 3/4/2027", "“3/4/2027” may be two days. I still need the day"),
        ("tomorrow at 25:00", "I know no time “25:00”. I still need the time"),
        ("yesterday at 10", "Monday 2 February 2026, 10:00 has passed. I still need a day"),
        ("today at 8", "Tuesday 3 February 2026, 08:00 has passed."),
    ] {
        let mut stage = Stage::new(Mode::Text);
        let steps = stage.hear(&format!("Schedule half an hour with mira@example.com {words}"));
        let [ModelAction::Say(text)] = steps.as_slice() else { panic!("{words}: {steps:?}") };
        assert!(text.contains(part), "{words}: {text}");
        let steps = stage.hear("Friday at 11");
        let Some(ModelAction::Call(calls)) = steps.last() else { panic!("{words}: {steps:?}") };
        assert_eq!(calls[0].args["preferred_times"], json!(["2026-02-06T11:00:00+01:00"]));
        assert_eq!(calls[0].args["attendees"], json!(["mira@example.com"]));
    }
}

#[test]
fn people_are_looked_up_in_any_case() {
    for (words, expected) in [
        (
            "schedule half an hour with mira holt tomorrow at 10 about the lighting review",
            json!(["mira holt"]),
        ),
        (
            "set up a call with jon bell and mira holt on fri at 9.30",
            json!(["jon bell", "mira holt"]),
        ),
        ("invite jon, mira holt and zoe to a meeting", json!(["jon", "mira holt", "zoe"])),
        ("Schedule an hour with our producer Jon Bell next week", json!(["Jon Bell"])),
        ("schedule an hour with me and jon", json!(["jon"])),
        ("Book Mira Holt for an hour Fri at 10", json!(["Mira Holt"])),
    ] {
        let steps = Stage::new(Mode::Text).hear(words);
        let Some(ModelAction::Call(calls)) = steps.last() else { panic!("{words}: {steps:?}") };
        let names: Vec<&Value> = calls.iter().map(|call| &call.args["query"]).collect();
        assert_eq!(json!(names), expected, "{words}");
    }
    let mut stage = Stage::new(Mode::Text);
    stage.hear("Schedule a meeting tomorrow at 10");
    let steps = stage.hear("mira holt");
    let Some(ModelAction::Call(calls)) = steps.last() else { panic!("{steps:?}") };
    assert_eq!(calls[0].args["query"], "mira holt");
}

/// A name without a search result does not invite another person.
#[test]
fn nobody_is_invited_for_another() {
    let mut stage = Stage::new(Mode::Text);
    stage.hear("Schedule half an hour with Will tomorrow");
    let jose = json!({ "id": "person:jose", "type": "person", "title": "José", "metadata": { "email": "jose@example.com" } });
    let steps = stage.answer(&[done(json!({ "results": [jose] }))]);
    let [ModelAction::Say(text)] = steps.as_slice() else { panic!("{steps:?}") };
    assert!(text.contains("I found no address of “Will”."), "{text}");
}
