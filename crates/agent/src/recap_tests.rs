//! The recap of a history for a live model: messages, and results as text.

use serde_json::{Value, json};

use super::*;

fn said(turn: u64, message: Value) -> LoggedMessage {
    serde_json::from_value(json!({ "turn": turn, "message": message })).unwrap()
}

fn found(text: &str) -> Value {
    let meta = json!({ "toolId": "kb_search", "registryVersion": "v1", "responseSchemaVersion": "1.0.0",
        "callId": "call-1", "duration": 1, "attempts": 1 });
    let response = json!({ "ok": true, "data": { "found": text }, "intents": [], "meta": meta });
    json!({ "callId": "call-1", "toolId": "kb_search", "response": response })
}

fn history(text: &str) -> Vec<LoggedMessage> {
    let call = json!({ "callId": "call-1", "toolId": "kb_search", "args": { "query": "Atlas" } });
    vec![
        said(1, json!({ "from": "person", "text": "Who leads Atlas?" })),
        said(
            1,
            json!({ "from": "model", "parts": [
            { "kind": "reasoning", "text": "I should look." },
            { "kind": "text", "text": "Let me look." }, { "kind": "call", "call": call }] }),
        ),
        said(1, json!({ "from": "results", "answers": [found(text)] })),
        said(1, json!({ "from": "model", "parts": [{ "kind": "text", "text": "Mira does." }] })),
        said(2, json!({ "from": "person", "text": "Let us talk." })),
    ]
}

fn lines(recap: &Recap) -> Vec<String> {
    recap.said.iter().map(|words| format!("{:?}: {}", words.by, words.text)).collect()
}

#[test]
fn words_stay_with_who_said_them_and_results_are_told() {
    let recap = recap(&history("Mira"), 1000);
    assert_eq!(recap.left_out, None);
    assert_eq!(
        lines(&recap),
        [
            "Person: Who leads Atlas?",
            "Model: Let me look.",
            "Person: [This is not from the person. Earlier in this conversation a tool answered. \
             Tool: kb_search. Call: call-1. Result: {\"output\":{\"found\":\"Mira\"}}]",
            "Model: Mira does.",
            "Person: Let us talk.",
        ]
    );
}

#[test]
fn what_does_not_fit_is_left_out_by_the_rule_of_writing() {
    let long = history(&"Mira ".repeat(1000));
    let noted = lines(&recap(&long, 100));
    assert!(noted[2].contains("this result was left out to save room"), "{noted:?}");
    let short = recap(&long, 5);
    assert_eq!(lines(&short), ["Person: Let us talk."]);
    let left_out = short.left_out.unwrap();
    assert!(
        left_out.starts_with("The first 1 turns of this conversation were left out"),
        "{left_out}"
    );
}
