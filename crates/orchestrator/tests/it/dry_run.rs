//! A dry run returns the same decisions as making the calls, and has no effect.

use aileron_contract::{Mode, ToolCall, ToolResponse};
use aileron_orchestrator::{Decision, DryRunCall, TurnInput};
use serde_json::{Value, json};

use crate::ground::{act, ask, look};
use crate::stage::{Stage, ada, call, word};

fn stage() -> Stage {
    let limit = json!({ "rateLimit": { "calls": 1, "windowMs": 1000, "per": "conversation" } });
    Stage::new(&[look("look", json!({})), look("ping", limit), act("act", json!({})), ask("book")])
}

fn supposed(call: &DryRunCall) -> &'static str {
    match &call.decision {
        Decision::Run(_) => "ok",
        Decision::Ask(_) | Decision::Hold(_) => "CONFIRMATION_REQUIRED",
        Decision::Refuse(refusal) => refusal.failure.kind.as_str(),
        Decision::Replay(..) => "again",
    }
}

fn made(answer: &ToolResponse) -> &'static str {
    if answer.meta().replayed { "again" } else { word(answer) }
}

async fn check(mode: Mode, calls: &[ToolCall], expected: &[&str]) {
    let stage = stage();
    let conversation = stage.open_as("supposed", mode, ada()).await;
    for time in ["the first time", "the second time"] {
        let decisions = conversation.dry_run_next_turn(calls.to_vec());
        let words: Vec<_> = decisions.iter().map(supposed).collect();
        assert_eq!(words, expected, "supposed for {time}");
        assert_eq!((conversation.turn(), stage.records().len()), (0, 0));
    }
    conversation.begin_turn(TurnInput::Written).await.unwrap();
    let answers = conversation.call(calls.to_vec()).await;
    let words: Vec<_> = answers.iter().map(|answer| made(answer)).collect();
    assert_eq!(words, expected, "made");
}

/// Calls of one message under ids that name them.
fn message(calls: &[(&str, Value)]) -> Vec<ToolCall> {
    let call = |(n, (tool, args)): (usize, &(&str, Value))| {
        call(&format!("call-{n:05}"), tool, args.clone())
    };
    calls.iter().enumerate().map(call).collect()
}

#[tokio::test]
async fn writes_beside_a_question_wait() {
    let asked = "CONFIRMATION_REQUIRED";
    let calls = [
        ("act", json!({})),
        ("look", json!({})),
        ("book", json!({})),
        ("act", json!({ "n": 2 })),
        ("book", json!({ "n": 2 })),
    ];
    check(Mode::Text, &message(&calls), &[asked, "ok", asked, asked, asked]).await;
    let stage = stage();
    let conversation = stage.open_as("supposed", Mode::Text, ada()).await;
    let decisions = conversation.dry_run_next_turn(message(&calls));
    let asks = |call: &DryRunCall| matches!(call.decision, Decision::Ask(_));
    assert_eq!(decisions.iter().map(asks).collect::<Vec<_>>(), [false, false, true, false, false]);
}

#[tokio::test]
async fn a_refused_call_takes_no_place_of_a_rate_limit() {
    let calls = [("ping", json!({ "n": "x" })), ("ping", json!({})), ("ping", json!({ "n": 2 }))];
    check(Mode::Text, &message(&calls), &["VALIDATION", "ok", "RATE_LIMIT"]).await;
}

#[tokio::test]
async fn the_same_fault_for_the_third_time_is_a_loop() {
    let wrong = ("look", json!({ "n": "many" }));
    let calls = message(&[wrong.clone(), wrong.clone(), wrong]);
    check(Mode::Text, &calls, &["VALIDATION", "VALIDATION", "LOOP_DETECTED"]).await;
}

#[tokio::test]
async fn repeats_in_a_message_are_answered_from_the_first() {
    let calls = ["c1", "c2", "c1", "c3"].map(|id| call(id, "act", json!({})));
    check(Mode::Text, &calls, &["ok", "again", "again", "LOOP_DETECTED"]).await;
}

#[tokio::test]
async fn budgets_are_those_of_the_turn_that_would_begin() {
    let calls = [1, 2, 3, 4].map(|n| ("look", json!({ "n": n })));
    check(Mode::Voice, &message(&calls), &["ok", "ok", "ok", "BUDGET_EXCEEDED"]).await;
}

/// The steps of a trail that say a number or stop the call.
fn trail(call: &DryRunCall) -> Vec<String> {
    let steps = call.trail.iter().map(ToString::to_string);
    steps.filter(|step| step.contains('(') || !step.ends_with(" passed")).collect()
}

#[tokio::test]
async fn the_trail_names_each_number() {
    let stage = stage();
    let conversation = stage.open_as("supposed", Mode::Voice, ada()).await;
    let calls = [1, 2, 3, 4].map(|n| ("act", json!({ "n": n })));
    let decided = conversation.dry_run_next_turn(message(&calls));
    let trails: Vec<_> = decided.iter().map(trail).collect();
    let passed = |n| {
        vec![
            format!("budgets passed ({n} of 3 calls)"),
            "loops passed (1 of 3 identical calls)".to_owned(),
        ]
    };
    let refused = vec!["budgets refused (3 of 3 calls)".to_owned()];
    assert_eq!(trails, [passed(0), passed(1), passed(2), refused]);
    assert_eq!(decided.first().unwrap().trail.len(), 13);
    let pings = message(&[("ping", json!({})), ("ping", json!({ "n": 2 }))]);
    let decided = conversation.dry_run_next_turn(pings);
    assert_eq!(trail(&decided[1]), ["rate_limit refused (1 of 1 calls in the window)"]);
}
