//! Recorded conversations against other registries: different decisions, and undecidable ones.

use aileron_capability::{Native, success};
use aileron_contract::{AuditRecord, Mode, Outcome, UserId};
use aileron_orchestrator::replay::{Replay, ReplayedCall, replay};
use aileron_orchestrator::{Config, Conversation, OpenRequest, Person, TurnInput};
use aileron_store::AuditFilter;
use serde_json::{Value, json};

use crate::stage::{Stage, ada, call, native, registry, spec};

fn echo(more: Value) -> (Value, Native) {
    (
        spec("echo", more),
        native("echo", |args, _| Box::pin(async move { success((*args).clone()) })),
    )
}

fn records(stage: &Stage) -> Vec<AuditRecord> {
    stage.store.audit(AuditFilter::default()).map(Result::unwrap).collect()
}

fn against(stage: &Stage, more: Value) -> Replay {
    replay(records(stage), registry(&[echo(more)]), &Config::default()).unwrap()
}

/// Every call as `then -> now`, with its doubts behind it.
fn told(replay: &Replay) -> Vec<String> {
    let doubts =
        |doubts: &[&str]| doubts.iter().map(|doubt| format!(" ({doubt})")).collect::<String>();
    let line = |call: &ReplayedCall| {
        let sign = if call.differs { "->" } else { "==" };
        format!("{} {sign} {}{}", call.then, call.now, doubts(&call.doubts))
    };
    replay.calls.iter().map(line).collect()
}

async fn calls(conversation: &Conversation, args: &[Value]) {
    for (n, args) in args.iter().enumerate() {
        let id = format!("call-{}-{n}", conversation.state().mode());
        conversation.call(vec![call(&id, "echo", args.clone())]).await;
    }
}

const THROUGH: &str = "let through == let through";

#[tokio::test]
async fn the_same_registry_decides_the_same() {
    let more = json!({ "rateLimit": { "calls": 2, "windowMs": 1000, "per": "conversation" } });
    let stage = Stage::new(&[echo(more.clone())]);
    let conversation = stage.open(Mode::Voice).await;
    calls(&conversation, &[json!({}), json!({ "n": "x" }), json!({ "n": 2 }), json!({ "n": 3 })])
        .await;
    stage.clock.advance(5000);
    conversation.begin_turn(TurnInput::Written).await.unwrap();
    conversation
        .call((0..5).map(|n| call(&format!("batch-0000{n}"), "echo", json!({ "n": n }))).collect())
        .await;
    conversation.call(vec![call("unknown-1", "ecko", json!({}))]).await;
    let replay = against(&stage, more);
    assert_eq!(replay.calls.len(), 10);
    assert_eq!(replay.differing().count(), 0, "{:#?}", told(&replay));
    assert_eq!(replay.doubtful().count(), 0, "{:#?}", told(&replay));
}

#[tokio::test]
async fn tighter_arguments_modes_and_limits_are_seen() {
    for (more, expected) in [
        (
            json!({ "allowedModes": ["voice"] }),
            "let through -> refused by mode (MODE_RESTRICTED): `echo` works in voice only, and this conversation is held in text",
        ),
        (json!({ "requiresConfirmation": true }), "let through -> put to the person"),
        (
            json!({ "modeLimits": { "text": { "n": { "maximum": 3 } } } }),
            "let through -> let through, /n brought from 7 to 3",
        ),
        (
            json!({ "parameters": { "type": "object", "properties": { "n": { "maximum": 5 } } } }),
            "let through -> refused by arguments (VALIDATION): the arguments do not fit: /n: expected at most 5, found 7",
        ),
        (
            json!({ "rateLimit": { "calls": 0, "windowMs": 1000, "per": "tool" } }),
            "let through -> refused by rate_limit (RATE_LIMIT): `echo` may be called 0 times in 1 seconds",
        ),
        (
            json!({ "toolId": "other" }),
            "let through -> refused by known_tool (NOT_FOUND): there is no tool \"echo\"",
        ),
    ] {
        let stage = Stage::new(&[echo(json!({}))]);
        let conversation = stage.open(Mode::Text).await;
        calls(&conversation, &[json!({ "n": 7 })]).await;
        let (spec, mut native) = echo(more);
        native.tool = if spec["toolId"] == "other" { "other" } else { "echo" };
        let replay = replay(records(&stage), registry(&[(spec, native)]), &Config::default());
        assert_eq!(told(&replay.unwrap()), [expected]);
    }
}

#[tokio::test]
async fn what_was_refused_then_may_be_let_through_now() {
    let stage = Stage::new(&[echo(json!({ "allowedModes": ["voice"] }))]);
    calls(&stage.open(Mode::Text).await, &[json!({})]).await;
    let replay = against(&stage, json!({}));
    assert!(told(&replay)[0].starts_with("refused by mode (MODE_RESTRICTED): "), "{replay:?}");
    assert!(told(&replay)[0].ends_with(
        " -> let through (it did not run then, so its result is not known; it counts as a success)"
    ));
}

#[tokio::test]
async fn another_fault_of_the_same_arguments_is_a_difference() {
    let stage = Stage::new(&[echo(json!({}))]);
    calls(&stage.open(Mode::Text).await, &[json!({ "n": "x" })]).await;
    let other =
        json!({ "parameters": { "type": "object", "properties": { "n": { "maxLength": 0 } } } });
    assert_eq!(told(&against(&stage, other)).len(), 1);
    assert_eq!(against(&stage, json!({})).differing().count(), 0);
    let other =
        json!({ "parameters": { "type": "object", "properties": { "n": { "maxLength": 0 } } } });
    assert_eq!(against(&stage, other).differing().count(), 1);
}

#[tokio::test]
async fn budgets_follow_what_is_let_through_now() {
    let stage = Stage::new(&[echo(json!({}))]);
    let conversation = stage.open(Mode::Voice).await;
    calls(
        &conversation,
        &[json!({ "n": 9 }), json!({ "n": 1 }), json!({ "n": 2 }), json!({ "n": 3 })],
    )
    .await;
    let tighter =
        json!({ "parameters": { "type": "object", "properties": { "n": { "maximum": 5 } } } });
    let decided: Vec<_> = against(&stage, tighter).calls.iter().map(|call| call.differs).collect();
    assert_eq!(decided, [true, false, false, true]);
}

#[tokio::test]
async fn questions_answers_and_waiting_calls_are_taken_as_they_were() {
    let asks = json!({ "sideEffects": "writes", "confirmation": { "when": "args.n > 5" } });
    let stage = Stage::new(&[echo(asks.clone())]);
    let conversation = stage.open(Mode::Text).await;
    let batch =
        vec![call("call-00001", "echo", json!({ "n": 9 })), call("call-00002", "echo", json!({}))];
    let answers = conversation.call(batch).await;
    let request = answers[0].failure().unwrap().confirmation_request.clone().unwrap();
    conversation.confirm(&request.token, true, &ada()).await.unwrap();
    let answers = conversation.call(vec![call("call-00003", "echo", json!({ "n": 8 }))]).await;
    let request = answers[0].failure().unwrap().confirmation_request.clone().unwrap();
    conversation.confirm(&request.token, false, &ada()).await.unwrap();
    let replay = against(&stage, asks);
    assert_eq!(replay.differing().count(), 0, "{:#?}", told(&replay));
    assert_eq!(replay.doubtful().count(), 1, "{:#?}", told(&replay));
    let never = against(&stage, json!({ "sideEffects": "writes" }));
    assert_eq!(never.differing().count(), 2, "{:#?}", told(&never));
}

#[tokio::test]
async fn each_call_is_judged_in_the_mode_it_was_made_in() {
    let stage = Stage::new(&[echo(json!({ "allowedModes": ["voice"] }))]);
    let conversation = stage.open(Mode::Text).await;
    for (call_id, mode) in
        [("call-00001", Mode::Text), ("call-00002", Mode::Voice), ("call-00003", Mode::Text)]
    {
        let id = conversation.id().clone();
        stage.orchestrator.move_to(OpenRequest { id, mode, person: ada() }).await.unwrap();
        conversation.call(vec![call(call_id, "echo", json!({}))]).await;
        conversation.begin_turn(TurnInput::Written).await.unwrap();
    }
    let decided = stage.records();
    let refused = |record: &String| record.ends_with("refused:mode");
    assert_eq!(decided.iter().map(refused).collect::<Vec<_>>(), [true, false, true]);
    let replay = against(&stage, json!({ "allowedModes": ["voice"] }));
    assert_eq!(replay.differing().count(), 0, "{:#?}", told(&replay));
    let differs: Vec<_> = against(&stage, json!({ "allowedModes": ["text"] }))
        .calls
        .iter()
        .map(|call| call.differs)
        .collect();
    assert_eq!(differs, [true, true, true]);
}

#[tokio::test]
async fn a_question_that_gave_way_was_not_let_through() {
    let asks = json!({ "sideEffects": "writes", "requiresConfirmation": true });
    let stage = Stage::new(&[echo(asks.clone())]);
    let conversation = stage.open(Mode::Voice).await;
    for n in [1, 2] {
        conversation.call(vec![call(&format!("call-0000{n}"), "echo", json!({ "n": n }))]).await;
        conversation.begin_turn(TurnInput::Written).await.unwrap();
    }
    let replay = against(&stage, asks);
    let line = |call: &ReplayedCall| format!("{}: {} == {}", call.outcome, call.then, call.now);
    let mut lines: Vec<_> = replay.calls.iter().map(line).collect();
    lines.sort();
    assert_eq!(
        lines,
        [
            "refused:confirmation: put to the person == put to the person",
            "refused:confirmation: put to the person == put to the person",
            "superseded: denied by the person == denied by the person",
        ]
    );
    assert_eq!(replay.differing().count(), 0, "{:#?}", told(&replay));
}

#[tokio::test]
async fn a_blocked_person_is_taken_as_blocked() {
    let stage = Stage::new(&[echo(json!({}))]);
    let conversation = stage.open(Mode::Text).await;
    stage.store.block(&UserId::new("ada").unwrap(), u64::MAX).await.unwrap();
    calls(&conversation, &[json!({})]).await;
    let replay = against(&stage, json!({}));
    assert_eq!((replay.differing().count(), replay.doubtful().count()), (0, 1));
}

#[tokio::test]
async fn redacted_arguments_are_a_doubt_and_no_fault_by_themselves() {
    let hides = json!({ "redact": ["/n"] });
    let stage = Stage::new(&[echo(hides.clone())]);
    calls(&stage.open(Mode::Text).await, &[json!({ "n": 7 })]).await;
    assert_eq!(records(&stage)[0].entry.args, json!({ "n": "[redacted]" }));
    assert_eq!(
        told(&against(&stage, hides)),
        [format!(
            "{THROUGH} (arguments are redacted in the record; only the rest of them was judged)"
        )]
    );
    let voice = json!({ "allowedModes": ["voice"] });
    assert_eq!(against(&stage, voice).differing().count(), 1);
}

#[tokio::test]
async fn arguments_that_were_too_large_to_record_are_not_judged() {
    let text = json!({ "parameters": { "type": "object" } });
    let stage = Stage::new(&[echo(text.clone())]);
    calls(&stage.open(Mode::Text).await, &[json!({ "text": "x".repeat(20_000) })]).await;
    let replay = against(&stage, text);
    assert_eq!((replay.differing().count(), replay.doubtful().count()), (0, 1), "{replay:?}");
}

#[tokio::test]
async fn permissions_count_as_given_unless_they_were_refused() {
    let needs = json!({ "permissions": { "scopes": ["files"] } });
    let stage = Stage::new(&[echo(needs.clone())]);
    let scopes = vec!["files".to_owned()];
    let may = stage.open_as("may", Mode::Text, Person { scopes, ..ada() }).await;
    calls(&may, &[json!({})]).await;
    calls(&stage.open_as("may-not", Mode::Voice, ada()).await, &[json!({})]).await;
    for record in records(&stage) {
        let one =
            replay(vec![record], registry(&[echo(needs.clone())]), &Config::default()).unwrap();
        assert_eq!((one.differing().count(), one.doubtful().count()), (0, 1), "{one:?}");
    }
    assert!(
        stage
            .records()
            .iter()
            .any(|record| record.ends_with(&Outcome::refused_by("permission").to_string()))
    );
}

#[tokio::test]
async fn no_records_are_no_calls() {
    let none = replay(Vec::new(), registry(&[echo(json!({}))]), &Config::default()).unwrap();
    assert_eq!(none, Replay::default());
}
