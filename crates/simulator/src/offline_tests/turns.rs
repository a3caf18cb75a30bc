//! One scene, the steps it leads to.

use serde_json::{Value, json};

use super::stage::{Mode, Stage, done, failed};
use crate::brain::Step;
use crate::offline::LABEL;

/// The first call that words lead to, in text.
fn calls(words: &str, name: &str, args: Value) {
    calls_in(Mode::Text, words, name, args);
}

fn calls_in(mode: Mode, words: &str, name: &str, args: Value) {
    let steps = Stage::new(mode).hear(words);
    let Some(Step::Call(calls)) = steps.last() else { panic!("{words}: {steps:?}") };
    let found = (calls[0].name.as_str(), Value::Object(calls[0].args.clone()));
    assert_eq!(found, (name, args), "{words}");
}

fn says_in(mode: Mode, words: &str, part: &str) {
    let steps = Stage::new(mode).hear(words);
    let [Step::Say(text)] = steps.as_slice() else { panic!("{words}: {steps:?}") };
    assert!(text.contains(part), "{words}: {text}");
}

fn says(words: &str, part: &str) {
    says_in(Mode::Text, words, part);
}

#[test]
fn questions_are_searched_for_in_the_words_that_matter() {
    calls("Who is the lighting lead?", "kb_search", json!({ "query": "lighting lead" }));
    calls("Mira Hotl", "kb_search", json!({ "query": "Mira Hotl" }));
    calls("山田遥", "kb_search", json!({ "query": "山田遥" }));
    calls("How many vacation days do I get?", "kb_search", json!({ "query": "vacation days" }));
    calls("When is Atlas delivered?", "kb_search", json!({ "query": "Atlas delivered" }));
    calls(
        "search the personal notes for the portfolio page",
        "kb_search",
        json!({ "query": "personal notes portfolio page", "namespace": "personal" }),
    );
    calls(
        "Which day is the lighting review?",
        "kb_search",
        json!({ "query": "day lighting review" }),
    );
    calls(
        "My laptop was stolen on the train, what do I do?",
        "kb_search",
        json!({ "query": "laptop stolen train" }),
    );
    calls_in(
        Mode::Voice,
        "Who is the lighting lead?",
        "kb_search",
        json!({ "query": "lighting lead" }),
    );
}

#[test]
fn a_record_named_by_its_id_is_read() {
    calls("read person:mira_holt", "kb_get", json!({ "ids": ["person:mira_holt"] }));
}

#[test]
fn meetings_are_proposed_from_the_words() {
    calls(
        "Schedule 30 minutes with mira@example.com tomorrow at 10 about lighting",
        "calendar_propose_event",
        json!({ "attendees": ["mira@example.com"], "duration_minutes": 30, "title": "Lighting", "preferred_times": ["2026-02-04T10:00:00+01:00"], "utc_offset": "+01:00" }),
    );
    calls(
        "Please arrange a meeting called \"Atlas kick-off\" with mira@example.com and jon@example.com on Friday for an hour",
        "calendar_propose_event",
        json!({ "attendees": ["mira@example.com", "jon@example.com"], "duration_minutes": 60, "title": "Atlas kick-off", "not_before": "2026-02-06T00:00:00+01:00", "within_days": 1, "utc_offset": "+01:00" }),
    );
    calls(
        "Set up a call with Mira Holt for half an hour",
        "kb_search",
        json!({ "query": "Mira Holt", "filters": { "type": "person" }, "top_k": 2 }),
    );
    says(
        "Schedule a meeting with mira@example.com",
        "I still need the duration in minutes (Length of the event)",
    );
    says_in(Mode::Voice, "Schedule 30 minutes with mira@example.com", "works in writing");
}

#[test]
fn pictures_are_drafted_first_unless_the_prompt_is_given() {
    calls(
        "Draw me a lighthouse at dusk",
        "image_draft_prompt",
        json!({ "subject": "a lighthouse at dusk" }),
    );
    calls(
        "make a picture of a boat in watercolor without text and logos",
        "image_draft_prompt",
        json!({ "subject": "a boat", "style": "watercolor", "avoid": ["text", "logos"] }),
    );
    calls(
        "generate an image: \"a flat vector design of a render farm\"",
        "image_generate",
        json!({ "prompt": "a flat vector design of a render farm", "user_requested": true }),
    );
    says_in(Mode::Voice, "Draw me a lighthouse", "works in writing");
    says("draw", "I still need the subject");
}

#[test]
fn the_small_tools_are_found_by_their_words() {
    calls(
        "Extract the contacts from: Mira Holt\nmira@example.com",
        "extract_contacts",
        json!({ "text": "Mira Holt\nmira@example.com" }),
    );
    says("extract the contacts", "I still need the text");
    let day = json!({ "value": "2026-02-03T00:00:00+01:00", "utc_offset": "+01:00" });
    calls("What weekday is 2026-02-03?", "format_datetime", day);
    calls_in(
        Mode::Voice,
        "Format 2026-02-03T10:00:00Z",
        "format_datetime",
        json!({ "value": "2026-02-03T10:00:00Z", "style": "spoken" }),
    );
    let item = |name: &str, price: f64| json!({ "id": name, "values": [{ "key": "price", "number": price }] });
    calls(
        "Rank these by price, lowest first: north 120, south 95 and west 110",
        "rank_results",
        json!({ "items": [item("north", 120.0), item("south", 95.0), item("west", 110.0)], "keys": [{ "key": "price", "prefer": "low" }] }),
    );
}

#[test]
fn voice_begins_and_ends_when_the_person_says_so() {
    calls_in(
        Mode::Voice,
        "That's all, bye!",
        "end_voice_session",
        json!({ "reason": "user_requested", "after": "farewell_spoken", "closing_message": "Goodbye." }),
    );
    calls_in(
        Mode::Voice,
        "let's continue in text",
        "end_voice_session",
        json!({ "reason": "continue_in_text", "after": "farewell_spoken", "closing_message": "Let us go on in writing." }),
    );
    calls(
        "Can we just talk about this?",
        "start_voice_session",
        json!({ "opening_message": "Here I am. What can I do for you?" }),
    );
    says("bye", "Goodbye");
    says_in(Mode::Voice, "Let's talk", "talking already");
}

#[test]
fn abuse_is_warned_once_and_then_blocked_for_longer_each_time() {
    let mut stage = Stage::new(Mode::Text);
    let warned = stage.hear("you are a useless idiot");
    assert!(matches!(warned.as_slice(), [Step::Say(text)] if text.contains("not in this tone")));
    let blocked = |stage: &mut Stage, seconds: u32| {
        let steps = stage.hear("shut up, you moron");
        let Some(Step::Call(calls)) = steps.last() else { panic!("{steps:?}") };
        assert_eq!(
            (calls[0].name.as_str(), &calls[0].args["duration_seconds"]),
            ("ignore_user", &json!(seconds))
        );
        stage.answer(&[done(
            json!({ "timeoutUntil": 1, "duration": seconds, "reason": "disrespect" }),
        )]);
    };
    blocked(&mut stage, 60);
    blocked(&mut stage, 900);
    let threat = Stage::new(Mode::Voice).hear("I will kill you");
    let Some(Step::Call(calls)) = threat.last() else { panic!("{threat:?}") };
    assert_eq!(calls[0].args["duration_seconds"], 86_400);
    for harmless in
        ["this stupid printer is broken", "do you think that is a dumb question?", "the trash room"]
    {
        let steps = Stage::new(Mode::Text).hear(harmless);
        assert!(!format!("{steps:?}").contains("not in this tone"), "{harmless}");
    }
}

#[test]
fn the_agent_is_labelled_at_first_and_when_asked() {
    says("hello", LABEL);
    says("Are you a real person?", LABEL);
    says("what can you do?", "answer questions from the knowledge base");
    let mut stage = Stage::new(Mode::Text);
    stage.hear("hello");
    let thanks = stage.hear("thank you");
    assert!(matches!(thanks.as_slice(), [Step::Say(text)] if !text.contains(LABEL)));
    let asked = stage.hear("who are you?");
    assert!(matches!(asked.as_slice(), [Step::Say(text)] if text.contains(LABEL)));
}

#[test]
fn what_takes_a_model_is_declined_plainly() {
    says("Write a poem about the sea", "takes a model");
    says("Translate this into French", "takes a model");
    says("yes", "nothing open");
}

#[test]
fn an_empty_search_is_tried_elsewhere_and_in_fewer_words_and_then_admitted() {
    let nothing = || done(json!({ "results": [], "query_time_ms": 1 }));
    for (mode, expected) in [
        (
            Mode::Text,
            json!([
                { "query": "parking permit procedure visitors", "namespace": "personal" },
                { "query": "parking permit procedure visitors", "namespace": "public" },
                { "query": "procedure visitors" },
            ]),
        ),
        (Mode::Voice, json!([{ "query": "procedure visitors" }])),
    ] {
        let mut stage = Stage::new(mode);
        stage.hear("What is the parking permit procedure for visitors?");
        stage.answer(&[nothing()]);
        let calls = stage.open();
        let args: Vec<Value> = calls.iter().map(|call| Value::Object(call.args.clone())).collect();
        assert_eq!(json!(args), expected);
        let mut results = vec![nothing(); calls.len()];
        if results.len() > 1 {
            results[0] = failed("AUTH", "sign in to search there");
        }
        let last = stage.answer(&results);
        assert!(
            matches!(last.as_slice(), [Step::Say(text)] if text.contains("found nothing")),
            "{last:?}"
        );
    }
}

#[test]
fn a_choice_without_an_offer_is_not_searched_for() {
    says("The second one please", "nothing open");
}

#[test]
fn the_best_hit_is_read_when_its_passage_leaves_words_open() {
    let mut stage = Stage::new(Mode::Text);
    stage.hear("Which verdicts does the lighting review give?");
    let hit = json!({ "id": "process:lighting_review", "type": "process", "title": "Lighting review", "score": 0.8, "snippet": "The lighting lead reviews every shot on Friday." });
    let read = stage.answer(&[done(json!({ "results": [hit] }))]);
    let Some(Step::Call(calls)) = read.last() else { panic!("{read:?}") };
    assert_eq!(
        (calls[0].name.as_str(), &calls[0].args["ids"]),
        ("kb_get", &json!(["process:lighting_review"]))
    );
    let refused = stage.answer(&[failed("BUDGET_EXCEEDED", "no calls are left")]);
    let [Step::Say(text)] = refused.as_slice() else { panic!("{refused:?}") };
    assert!(text.contains("[record:process:lighting_review]"), "{text}");
}

#[test]
fn failures_are_explained_and_nothing_is_tried_again() {
    for (code, part) in [
        ("MODE_RESTRICTED", "voice conversation"),
        ("CONFIRMATION_REQUIRED", "needs your approval"),
        ("BUDGET_EXCEEDED", "used up the calls"),
        ("DENIED", "did not approve"),
        ("VALIDATION", "did not accept"),
        ("TRANSIENT", "for the moment"),
        ("SOMETHING_ELSE", "did not work"),
    ] {
        let mut stage = Stage::new(Mode::Text);
        stage.hear("Who is the lighting lead?");
        let steps = stage.answer(&[failed(code, "a reason")]);
        let [Step::Say(text)] = steps.as_slice() else { panic!("{code}: {steps:?}") };
        assert!(text.contains(part), "{code}: {text}");
    }
}

#[test]
fn results_are_understood_in_every_client_s_form() {
    let hit = json!({ "id": "person:mira_holt", "type": "person", "title": "Mira Holt", "snippet": "Mira Holt is the lighting lead." });
    let data = json!({ "results": [hit], "query_time_ms": 1 });
    for result in [
        data.clone(),
        json!({ "output": data }),
        json!({ "ok": true, "data": data, "intents": [], "meta": {} }),
        Value::String(data.to_string()),
        Value::String(json!({ "output": data }).to_string()),
        json!({ "name": "kb_search", "content": data.to_string() }),
    ] {
        let mut stage = Stage::new(Mode::Text);
        stage.hear("Who is the lighting lead?");
        let steps = stage.answer(std::slice::from_ref(&result));
        let [Step::Say(text)] = steps.as_slice() else { panic!("{result}: {steps:?}") };
        assert!(text.contains("[record:person:mira_holt]"), "{result}: {text}");
    }
}

#[test]
fn a_late_result_told_in_words_is_understood() {
    let mut stage = Stage::new(Mode::Text);
    stage.hear("hello");
    let result = done(
        json!({ "event_id": "e1", "title": "Atlas", "start": "2026-02-05T10:00:00+01:00", "end": "2026-02-05T11:00:00+01:00", "attendees": ["mira@example.com"], "invitations": "not_sent" }),
    );
    let late = format!(
        "[This is not from the person. It is the result of a tool call made earlier in this conversation. Tool: calendar_create_event. Call: call_1. Result: {result} Take it into account.]"
    );
    let steps = stage.hear(&late);
    let told = "Booked: “Atlas”, Thursday 5 February 2026, 10:00 to 11:00. No invitations were sent, so please tell the others.";
    assert_eq!(steps, [Step::Say(told.to_owned())]);
}

#[test]
fn a_tool_that_no_rule_knows_is_found_and_its_result_told() {
    let mut stage = Stage::new(Mode::Text);
    stage.scene.tools.push(crate::brain::Declared {
        name: "get_weather".into(),
        description: "Weather of a city".into(),
        parameters: json!({ "type": "OBJECT", "required": ["city"], "properties": { "city": { "type": "STRING" } } }),
    });
    let steps = stage.hear("What is the weather in Cluj?");
    assert!(
        matches!(steps.as_slice(), [Step::Call(calls)] if calls[0].args["city"] == "Cluj"),
        "{steps:?}"
    );
    let told = stage.answer(&[done(json!({ "temp_c": 21, "sky": "clear" }))]);
    assert_eq!(told, [Step::Say(format!("{LABEL} Result of get weather: sky clear, temp c 21."))]);
}

#[test]
fn the_answer_to_a_question_of_ours_is_read_with_the_words_before() {
    let mut stage = Stage::new(Mode::Text);
    stage.hear("Schedule a meeting with mira@example.com");
    let steps = stage.hear("45 minutes");
    let Some(Step::Call(calls)) = steps.last() else { panic!("{steps:?}") };
    assert_eq!(calls[0].args["duration_minutes"], 45);
    assert_eq!(calls[0].args["attendees"], json!(["mira@example.com"]));
    let mut stage = Stage::new(Mode::Text);
    stage.hear("extract the contacts");
    let steps = stage.hear("Mira Holt, mira@example.com");
    let Some(Step::Call(calls)) = steps.last() else { panic!("{steps:?}") };
    assert_eq!(calls[0].args["text"], "Mira Holt, mira@example.com");
}

#[test]
fn a_question_or_a_way_out_is_no_answer_to_ours() {
    let mut stage = Stage::new(Mode::Text);
    stage.hear("Schedule a meeting with mira@example.com");
    let steps = stage.hear("never mind");
    assert_eq!(steps, [Step::Say("All right.".to_owned())]);
    let steps = stage.hear("Who is the lighting lead?");
    assert!(
        matches!(steps.as_slice(), [Step::Call(calls)] if calls[0].name == "kb_search"),
        "{steps:?}"
    );
}

#[test]
fn an_approval_is_the_person_s_own_and_another_offer_can_still_be_taken() {
    let mut stage = Stage::new(Mode::Text);
    stage.hear("Schedule 30 minutes with mira@example.com");
    let slot = |rank: u8| json!({ "rank": rank, "event_draft_id": format!("draft-{rank}"), "start": "2026-02-04T10:00:00Z", "end": "2026-02-04T10:30:00Z" });
    stage.answer(&[done(json!({ "title": "Meeting", "slots": [slot(1), slot(2)] }))]);
    stage.hear("book the first");
    stage.answer(&[failed("CONFIRMATION_REQUIRED", "the person must approve this")]);
    let steps = stage.hear("yes");
    assert!(
        matches!(steps.as_slice(), [Step::Say(text)] if text.contains("cannot approve that for you")),
        "{steps:?}"
    );
    let steps = stage.hear("then rather the second one");
    let Some(Step::Call(calls)) = steps.last() else { panic!("{steps:?}") };
    assert_eq!(calls[0].args["event_draft_id"], "draft-2");
}

#[test]
fn small_talk_is_not_searched_for() {
    says("Good morning", "Hello.");
    says("you are great", "Thank you.");
    says("this is useless", "I am sorry.");
    says("what time is it?", "takes a model");
}

#[test]
fn a_record_that_was_named_is_told_whatever_its_words() {
    let mut stage = Stage::new(Mode::Text);
    stage.hear("show me person:jon_bell");
    let record = json!({ "id": "person:jon_bell", "type": "person", "title": "Jonathan", "text": "He is the producer of the film." });
    let steps = stage.answer(&[done(json!({ "results": [record], "missing": [] }))]);
    let told =
        format!("{LABEL} Jonathan: He is the producer of the film. [record:person:jon_bell]");
    assert_eq!(steps, [Step::Say(told)]);
}
