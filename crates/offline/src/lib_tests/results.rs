//! Results, and what is made of them.

use serde_json::{Value, json};

use super::stage::{Mode, Stage, done, failed};
use crate::LABEL;
use aileron_contract::model_input::ModelAction;

#[test]
fn an_empty_search_is_tried_elsewhere_and_for_weak_matches_and_then_admitted() {
    let nothing = || done(json!({ "results": [], "query_time_ms": 1 }));
    for (mode, expected) in [
        (
            Mode::Text,
            json!([
                { "query": "parking permit procedure visitors", "namespace": "personal" },
                { "query": "parking permit procedure visitors", "namespace": "public" },
                { "query": "parking permit procedure visitors", "min_score": 0 },
            ]),
        ),
        (Mode::Voice, json!([{ "query": "parking permit procedure visitors", "min_score": 0 }])),
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
            matches!(last.as_slice(), [ModelAction::Say(text)] if text.contains("found nothing")),
            "{last:?}"
        );
    }
}

#[test]
fn the_best_hit_is_read_when_its_passage_leaves_words_open() {
    let mut stage = Stage::new(Mode::Text);
    stage.hear("Which verdicts does the lighting review give?");
    let hit = json!({ "id": "process:lighting_review", "type": "process", "title": "Lighting review", "score": 0.8, "snippet": "The lighting lead reviews every shot on Friday." });
    let read = stage.answer(&[done(json!({ "results": [hit] }))]);
    let Some(ModelAction::Call(calls)) = read.last() else { panic!("{read:?}") };
    assert_eq!(
        (calls[0].name.as_str(), &calls[0].args["ids"]),
        ("kb_get", &json!(["process:lighting_review"]))
    );
    let refused = stage.answer(&[failed("BUDGET_EXCEEDED", "no calls are left")]);
    let [ModelAction::Say(text)] = refused.as_slice() else { panic!("{refused:?}") };
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
        let [ModelAction::Say(text)] = steps.as_slice() else { panic!("{code}: {steps:?}") };
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
        let [ModelAction::Say(text)] = steps.as_slice() else { panic!("{result}: {steps:?}") };
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
    assert_eq!(steps, [ModelAction::Say(told.to_owned())]);
}

#[test]
fn a_tool_that_no_rule_knows_is_found_and_its_result_told() {
    let mut stage = Stage::new(Mode::Text);
    stage.input.tools.push(aileron_contract::model_input::ToolDeclaration {
        name: "get_weather".into(),
        description: "Weather of a city".into(),
        parameters: json!({ "type": "OBJECT", "required": ["city"], "properties": { "city": { "type": "STRING" } } }),
    });
    let steps = stage.hear("What is the weather in Cluj?");
    assert!(
        matches!(steps.as_slice(), [ModelAction::Call(calls)] if calls[0].args["city"] == "Cluj"),
        "{steps:?}"
    );
    let told = stage.answer(&[done(json!({ "temp_c": 21, "sky": "clear" }))]);
    assert_eq!(
        told,
        [ModelAction::Say(format!("{LABEL} Result of get weather: sky clear, temp c 21."))]
    );
}

#[test]
fn a_record_that_was_named_is_told_whatever_its_words() {
    let mut stage = Stage::new(Mode::Text);
    stage.hear("show me person:jon_bell");
    let record = json!({ "id": "person:jon_bell", "type": "person", "title": "Jonathan", "text": "He is the producer of the film." });
    let steps = stage.answer(&[done(json!({ "results": [record], "missing": [] }))]);
    let told =
        format!("{LABEL} Jonathan: He is the producer of the film. [record:person:jon_bell]");
    assert_eq!(steps, [ModelAction::Say(told)]);
}
