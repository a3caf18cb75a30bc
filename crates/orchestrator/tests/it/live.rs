//! Operations for a live transport: calls decided at once, words that arrive after the turn they
//! began, and the tools to declare.

use aileron_contract::Mode;
use aileron_orchestrator::{Resolution, TurnInput};
use serde_json::json;

use crate::ground::{Ground, ask, look, wait};
use crate::stage::{NOW, Stage, ada, call, words};

#[tokio::test]
async fn calls_are_decided_upon_before_anybody_waits_for_them() {
    let stage = Stage::new(&[look("look", json!({}))]);
    let conversation = stage.open(Mode::Voice).await;
    let batch =
        |n: u32| conversation.admit(vec![call(&format!("call-{n:05}"), "look", json!({ "n": n }))]);
    let first: Vec<_> = (0..4).map(batch).collect();
    conversation.begin_turn(TurnInput::Written).await.unwrap();
    let next = batch(9);
    let mut answers = Vec::new();
    for batch in first.into_iter().chain([next]) {
        answers.extend(batch.await);
    }
    assert_eq!(words(&answers), ["ok", "ok", "ok", "BUDGET_EXCEEDED", "ok"]);
}

#[tokio::test]
async fn words_of_a_turn_that_has_begun_answer_a_question_and_count_no_budget_anew() {
    let stage = Stage::new(&[look("look", json!({})), ask("pay")]);
    let conversation = stage.open_as("late-words", Mode::Voice, ada()).await;
    conversation.begin_turn(TurnInput::Written).await.unwrap();
    let pay = || call("call-pay-01", "pay", json!({}));
    assert_eq!(words(&conversation.call(vec![pay()]).await), ["CONFIRMATION_REQUIRED"]);
    let early = conversation.hear("yes".to_owned(), NOW - 1).await;
    assert_eq!(early, []);
    let heard = conversation.hear("yes".to_owned(), NOW).await;
    assert!(matches!(heard[..], [Resolution::Approved(_)]), "{heard:?}");
    let looks = (0..3).map(|n| call(&format!("call-look-{n}"), "look", json!({ "n": n })));
    let answers = conversation.call(looks.collect()).await;
    assert_eq!(words(&answers), ["ok", "ok", "BUDGET_EXCEEDED"]);
}

#[tokio::test]
async fn a_turn_goes_on_while_what_was_approved_in_it_runs() {
    let slow = wait("pay", json!({ "requiresConfirmation": true }));
    let stage = Stage::new(&[look("look", json!({})), slow]);
    let conversation = stage.open_as("slow-approval", Mode::Voice, ada()).await;
    conversation.begin_turn(TurnInput::Written).await.unwrap();
    conversation.call(vec![call("call-pay-01", "pay", json!({}))]).await;
    let spoken = TurnInput::Spoken { text: "yes".to_owned(), began_ms: NOW };
    let turn = conversation.open_turn(spoken).await.unwrap();
    let resolving = tokio::spawn(turn.resolutions);
    let ground = Ground::of("slow-approval");
    ground.arrival().await;
    let answers = conversation.call(vec![call("call-look-1", "look", json!({}))]).await;
    assert_eq!(words(&answers), ["ok"]);
    ground.open_gate(1);
    assert!(matches!(resolving.await.unwrap()[..], [Resolution::Approved(_)]));
}

#[tokio::test]
async fn the_tools_to_declare_are_those_of_the_mode_that_are_available() {
    let stage = Stage::new(&[
        look("anywhere", json!({})),
        look("for_ada", json!({ "availability": { "condition": "user.id == 'ada'" } })),
        look("for_nobody", json!({ "availability": { "condition": "user.id == 'bob'" } })),
        look("unknowable", json!({ "availability": { "condition": "user.nothing.like == 1" } })),
        look("written", json!({ "allowedModes": ["text"] })),
    ]);
    let names = |conversation: &aileron_orchestrator::Conversation| -> Vec<String> {
        conversation.tools().iter().map(|tool| tool.spec().tool_id.to_string()).collect()
    };
    let voice = stage.open_as("voice", Mode::Voice, ada()).await;
    assert_eq!(names(&voice), ["anywhere", "for_ada"]);
    let text = stage.open_as("text", Mode::Text, ada()).await;
    assert_eq!(names(&text), ["anywhere", "for_ada", "written"]);
}
