//! Messages that accept an offer, change it, or leave it unchanged.

use serde_json::{Value, json};

use super::stage::{Mode, Stage, done, failed};
use aileron_contract::model_input::ModelAction;

fn pictures(stage: &mut Stage) {
    stage.hear("Draw a boat");
    let variant = |label: &str| json!({ "label": label, "prompt": format!("a boat, {label}") });
    stage.answer(&[done(json!({ "variants": [variant("close"), variant("wide")] }))]);
}

fn times(stage: &mut Stage) {
    stage.hear("Schedule 30 minutes with mira@example.com");
    let slot = |rank: u8, day: u8| json!({ "rank": rank, "event_draft_id": format!("draft-{rank}"), "start": format!("2026-02-0{day}T10:00:00+01:00"), "end": format!("2026-02-0{day}T10:30:00+01:00") });
    stage.answer(&[done(json!({ "title": "Meeting", "slots": [slot(1, 4), slot(2, 5)] }))]);
}

/// The tool that the words lead to and its arguments, or the reply.
fn leads_to(stage: &mut Stage, words: &str) -> (String, Value) {
    match stage.hear(words).last() {
        Some(ModelAction::Call(calls)) => {
            (calls[0].name.clone(), Value::Object(calls[0].args.clone()))
        }
        Some(ModelAction::Say(text)) => ("says".to_owned(), json!(text)),
        other => panic!("{words}: {other:?}"),
    }
}

/// Messages that resemble a choice and are not one.
const OTHER: &[&str] = &[
    "What is 2 plus 2?",
    "Find 2 people in lighting",
    "okay, and who leads Lantern?",
    "what weekday is 3 February 2027?",
    "How many days of vacation do I have? no idea",
    "first, who is the lighting lead?",
    "is Thursday a holiday?",
    "draw the second moon of Mars",
    "thanks!",
    "ok then tell me about Atlas",
];

#[test]
fn words_about_something_else_commit_nothing_and_close_the_offer() {
    for offer in [pictures, times] {
        for words in OTHER {
            let mut stage = Stage::new(Mode::Text);
            offer(&mut stage);
            let (tool, said) = leads_to(&mut stage, words);
            let commits = ["image_generate", "calendar_create_event"];
            assert!(!commits.contains(&tool.as_str()), "{words}: {tool}");
            assert_ne!(said, json!("All right, nothing was done."), "{words}");
            if tool.starts_with("image") {
                continue;
            }
            stage.answer(&[done(json!({ "results": [], "text": "Wednesday" }))]);
            stage.answer(&vec![done(json!({ "results": [] })); stage.open().len()]);
            let (tool, said) = leads_to(&mut stage, "the first one");
            assert_eq!(tool, "says", "{words}: {said}");
            assert!(said.as_str().unwrap().contains("nothing open"), "{words}: {said}");
        }
    }
}

#[test]
fn what_was_declined_is_not_open_any_more() {
    for offer in [pictures, times] {
        let mut stage = Stage::new(Mode::Text);
        offer(&mut stage);
        assert_eq!(leads_to(&mut stage, "no, forget it").1, "All right, nothing was done.");
        for words in ["the first one", "yes", "book it"] {
            let (tool, said) = leads_to(&mut stage, words);
            assert_eq!(tool, "says", "{words}: {said}");
        }
    }
}

#[test]
fn a_yes_to_several_is_asked_which() {
    for offer in [pictures, times] {
        let mut stage = Stage::new(Mode::Text);
        offer(&mut stage);
        assert_eq!(leads_to(&mut stage, "yes please").1, "Which one? Say its number, 1 to 2.");
        assert_ne!(leads_to(&mut stage, "the second one").0, "says");
    }
}

#[test]
fn an_offer_is_taken_by_its_number_and_by_its_name() {
    for (offer, words, expected) in [
        (pictures as fn(&mut Stage), "the second, please", "a boat, wide"),
        (pictures, "make the wide one", "a boat, wide"),
        (times, "book the first one", "draft-1"),
        (times, "Thursday at 10:00 please", "draft-2"),
        (times, "tomorrow works", "draft-1"),
        (times, "5 February", "draft-2"),
    ] {
        let mut stage = Stage::new(Mode::Text);
        offer(&mut stage);
        let (_, args) = leads_to(&mut stage, words);
        let given = args.get("prompt").or_else(|| args.get("event_draft_id"));
        assert_eq!(given, Some(&json!(expected)), "{words}: {args}");
    }
}

#[test]
fn an_approval_is_the_person_s_own_and_another_offer_can_still_be_taken() {
    let mut stage = Stage::new(Mode::Text);
    times(&mut stage);
    stage.hear("book the first");
    stage.answer(&[failed("CONFIRMATION_REQUIRED", "the person must approve this")]);
    let said = |stage: &mut Stage, words: &str| leads_to(stage, words).1.to_string();
    assert!(said(&mut stage, "yes").contains("cannot approve that for you"));
    let (_, args) = leads_to(&mut stage, "then rather the second one");
    assert_eq!(args["event_draft_id"], "draft-2");
    stage.answer(&[failed("CONFIRMATION_REQUIRED", "the person must approve this")]);
    assert!(said(&mut stage, "actually cancel that").contains("I withdraw it"));
}

#[test]
fn what_is_booked_is_not_said_to_be_cancelled() {
    let mut stage = Stage::new(Mode::Text);
    times(&mut stage);
    stage.hear("book the first");
    stage.answer(&[done(json!({ "title": "Meeting" }))]);
    let (_, said) = leads_to(&mut stage, "actually cancel that");
    assert!(said.as_str().unwrap().contains("I cannot cancel it"), "{said}");
}

#[test]
fn a_change_while_an_approval_is_open_proposes_again() {
    for mode in [Mode::Text, Mode::Voice] {
        let mut stage = Stage::new(mode);
        // A toolset may offer meetings while people talk as well.
        stage.input.tools = super::stage::shipped(Mode::Text);
        times(&mut stage);
        stage.hear("the first");
        stage.answer(&[failed("CONFIRMATION_REQUIRED", "the person must approve this")]);
        let args = proposed_again(&mut stage, "no wait, make it Friday");
        assert_eq!(args["not_before"], "2026-02-06T00:00:00+01:00");
    }
}

/// The proposal after words that change it.
fn proposed_again(stage: &mut Stage, words: &str) -> Value {
    let (tool, args) = leads_to(stage, words);
    assert_eq!(tool, "calendar_propose_event", "{words}: {args}");
    args
}

#[test]
fn a_change_of_mind_proposes_again_with_the_words_before() {
    for (words, start, from) in [
        ("actually make it Friday at 11", Some("2026-02-06T11:00:00+01:00"), "2026-02-06"),
        ("what about Friday at half past two?", Some("2026-02-06T14:30:00+01:00"), "2026-02-06"),
        ("rather Friday", None, "2026-02-06"),
        ("no, next week please", None, "2026-02-09"),
    ] {
        let mut stage = Stage::new(Mode::Text);
        times(&mut stage);
        let args = proposed_again(&mut stage, words);
        assert_eq!(args["attendees"], json!(["mira@example.com"]), "{words}");
        assert_eq!(args["duration_minutes"], 30, "{words}");
        assert_eq!(args["not_before"], format!("{from}T00:00:00+01:00"), "{words}");
        assert_eq!(
            args.get("preferred_times").and_then(|times| times[0].as_str()),
            start,
            "{words}"
        );
    }
}

#[test]
fn changes_add_up() {
    let mut stage = Stage::new(Mode::Text);
    times(&mut stage);
    let offered = || {
        done(
            json!({ "title": "Meeting", "slots": [{ "event_draft_id": "draft-9", "start": "2026-02-06T13:00:00+01:00", "end": "2026-02-06T13:30:00+01:00" }] }),
        )
    };
    proposed_again(&mut stage, "make it Friday");
    stage.answer(&[offered()]);
    let args = proposed_again(&mut stage, "rather the afternoon");
    assert_eq!(args["not_before"], "2026-02-06T00:00:00+01:00");
    assert_eq!(args["working_hours"], json!({ "start": "13:00", "end": "18:00" }));
    stage.answer(&[offered()]);
    let args = proposed_again(&mut stage, "make it an hour");
    assert_eq!((&args["duration_minutes"], &args["within_days"]), (&json!(60), &json!(1)));
    stage.answer(&[offered()]);
    assert_eq!(leads_to(&mut stage, "yes").1["event_draft_id"], "draft-9");
}

#[test]
fn a_change_that_cannot_be_read_leaves_the_offer_open() {
    let mut stage = Stage::new(Mode::Text);
    times(&mut stage);
    let (tool, said) = leads_to(&mut stage, "make it bigger");
    assert_eq!(tool, "says");
    assert_eq!(
        said,
        "I cannot read that change. Please say the whole request again, or choose one: 1 to 2."
    );
    assert_eq!(leads_to(&mut stage, "hold on").1, "Take your time.");
    assert_eq!(leads_to(&mut stage, "cool, go ahead").1, "Which one? Say its number, 1 to 2.");
    assert_eq!(
        leads_to(&mut stage, "the second one, no wait, the first").1["event_draft_id"],
        "draft-1"
    );
}

#[test]
fn a_picture_is_drafted_again_with_what_is_changed() {
    for (words, expected) in [
        ("make it bigger", json!({ "subject": "a boat, bigger" })),
        ("rather in watercolor", json!({ "subject": "a boat", "style": "watercolor" })),
        ("make it without people", json!({ "subject": "a boat", "avoid": ["people"] })),
        ("without people please", json!({ "subject": "a boat", "avoid": ["people"] })),
        ("with a red sail", json!({ "subject": "a boat, with a red sail" })),
    ] {
        let mut stage = Stage::new(Mode::Text);
        pictures(&mut stage);
        assert_eq!(leads_to(&mut stage, words), ("image_draft_prompt".to_owned(), expected));
    }
    let mut stage = Stage::new(Mode::Text);
    pictures(&mut stage);
    stage.hear("the first one");
    stage.answer(&[done(json!({ "images": [{ "id": "img_1" }] }))]);
    stage.answer(&[done(json!({ "caption": "a boat" }))]);
    assert_eq!(leads_to(&mut stage, "make it red").1, json!({ "subject": "a boat, red" }));
}

#[test]
fn what_is_booked_is_not_changed() {
    let mut stage = Stage::new(Mode::Text);
    times(&mut stage);
    stage.hear("the first one");
    stage.answer(&[done(json!({ "title": "Meeting" }))]);
    let (_, said) = leads_to(&mut stage, "make it Friday instead");
    assert!(said.as_str().unwrap().contains("cannot change it any more"), "{said}");
}

#[test]
fn a_bare_yes_or_go_is_never_searched_for() {
    for words in ["y", "go", "n", "yup"] {
        let mut stage = Stage::new(Mode::Text);
        assert_eq!(leads_to(&mut stage, words).0, "says", "{words}");
    }
    for words in ["y", "go"] {
        let mut stage = Stage::new(Mode::Text);
        times(&mut stage);
        assert_eq!(leads_to(&mut stage, words).1, "Which one? Say its number, 1 to 2.");
    }
}

/// Two slots on the day that was asked for, as a calendar in another zone tells them.
fn instead_of(stage: &mut Stage, words: &str, busy: u8) -> String {
    stage.hear(words);
    let slot = |hour: u8| json!({ "event_draft_id": format!("draft-{hour}"), "start": format!("2026-02-04T{hour}:00:00+02:00"), "end": format!("2026-02-04T{hour}:30:00+02:00"), "busy": busy });
    let steps = stage.answer(&[done(json!({ "title": "Meeting", "slots": [slot(12), slot(15)] }))]);
    match steps.last() {
        Some(ModelAction::Say(text)) => text.clone(),
        Some(ModelAction::Call(calls)) => json!(calls[0].args).to_string(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_time_that_is_taken_is_said_to_be() {
    let told = |words: &str| instead_of(&mut Stage::new(Mode::Text), words, 0);
    let meet = "Schedule half an hour with mira@example.com tomorrow";
    let taken = told(&format!("{meet} at 10"));
    assert!(taken.contains("Wednesday 4 February 2026, 11:00 is not free. For"), "{taken}");
    // Eleven o'clock there is twelve here.
    let free = told(&format!("{meet} at 11"));
    assert!(!free.contains("not free"), "{free}");
    let any = told(meet);
    assert!(!any.contains("not free"), "{any}");
}

#[test]
fn a_day_without_a_free_time_is_looked_past_once() {
    let mut stage = Stage::new(Mode::Text);
    let meet = "Schedule half an hour with mira@example.com tomorrow";
    let args = instead_of(&mut stage, meet, 1);
    assert!(args.contains("\"within_days\":7"), "{args}");
    let slot = json!({ "event_draft_id": "draft-1", "start": "2026-02-04T11:00:00+01:00", "end": "2026-02-04T11:30:00+01:00", "busy": 1 });
    let steps = stage.answer(&[done(json!({ "title": "Meeting", "slots": [slot] }))]);
    let [ModelAction::Say(text)] = steps.as_slice() else { panic!("{steps:?}") };
    assert!(text.contains("11:00 to 11:30 (one person is busy)"), "{text}");
    assert!(!text.contains("has no free time"), "{text}");
    let mut stage = Stage::new(Mode::Text);
    instead_of(&mut stage, meet, 1);
    let slot = json!({ "event_draft_id": "draft-1", "start": "2026-02-05T11:00:00+01:00", "end": "2026-02-05T11:30:00+01:00", "busy": 0 });
    let steps = stage.answer(&[done(json!({ "title": "Meeting", "slots": [slot] }))]);
    let [ModelAction::Say(text)] = steps.as_slice() else { panic!("{steps:?}") };
    assert!(text.contains("Wednesday 4 February 2026 has no free time. For"), "{text}");
    let told = instead_of(&mut Stage::new(Mode::Text), &format!("{meet} at 11"), 1);
    assert!(told.contains("12:00 is not free for everybody. For"), "{told}");
}

#[test]
fn a_time_that_was_left_out_is_told_with_its_reason_once() {
    let mut stage = Stage::new(Mode::Text);
    stage.hear("Schedule half an hour with mira@example.com on 24.12.2040 at 10");
    let slot = json!({ "event_draft_id": "draft-1", "start": "2026-02-04T11:00:00+01:00", "end": "2026-02-04T11:30:00+01:00" });
    let ignored =
        json!([{ "time": "2040-12-24T10:00:00+01:00", "reason": "it lies too far ahead" }]);
    let steps = stage.answer(&[done(json!({ "title": "Meeting", "slots": [slot], "ignored_times": ignored, "warnings": ["it lies too far ahead"] }))]);
    let [ModelAction::Say(text)] = steps.as_slice() else { panic!("{steps:?}") };
    let told = "24 December 2040, 10:00 is not possible: it lies too far ahead. For";
    assert!(text.contains(told) && !text.contains("It lies"), "{text}");
}

#[test]
fn a_day_without_working_hours_is_asked_about() {
    let mut stage = Stage::new(Mode::Text);
    stage.hear("Schedule half an hour with mira@example.com on Saturday");
    let steps = stage.answer(&[failed("CONFLICT", "no start within the days and hours given")]);
    let [ModelAction::Say(text)] = steps.as_slice() else { panic!("{steps:?}") };
    assert!(text.contains("no time in the working hours of those days. I still need"), "{text}");
    let args = proposed_again(&mut stage, "at 11");
    assert_eq!(args["preferred_times"], json!(["2026-02-07T11:00:00+01:00"]));
}

#[test]
fn what_the_calendar_warns_of_is_told() {
    let mut stage = Stage::new(Mode::Text);
    stage.hear("Schedule half an hour with mira@example.com every Friday");
    let slot = json!({ "event_draft_id": "draft-1", "start": "2026-02-06T11:00:00+01:00", "end": "2026-02-06T11:30:00+01:00" });
    let steps = stage.answer(&[done(json!({ "title": "Meeting", "slots": [slot], "warnings": ["a calendar could not be read"] }))]);
    let [ModelAction::Say(text)] = steps.as_slice() else { panic!("{steps:?}") };
    assert!(
        text.contains("A calendar could not be read.\nI book one meeting, not a series.\n"),
        "{text}"
    );
}
