//! A provider that fails ends the turn with a plain sentence; the history stays one to go on with.

use aileron_contract::transport::Severity;
use serde_json::json;

use crate::script::{BreaksOff, Calls, Fails, Says, Script};
use crate::stage::{Stage, told};

#[tokio::test]
async fn a_fault_keeps_what_was_said_and_leaks_nothing() {
    let script = Script::new([vec![Says("I think"), Fails(Severity::Retry)], vec![Says("Again.")]]);
    let stage = Stage::new(&script).await;
    let events = stage.say("hi").await;
    let told = told(&events);
    assert_eq!(
        told.last().unwrap(),
        "failed MODEL_UNAVAILABLE The model could not be reached. Please try again in a moment."
    );
    assert!(!told.join("\n").contains("secret words"));
    assert_eq!(stage.kept().await, ["1 person: hi", "1 model: I think"]);
    stage.say("and?").await;
    assert_eq!(stage.kept().await.last().unwrap(), "2 model: Again.");
}

#[tokio::test]
async fn a_fatal_fault_says_so() {
    let script = Script::new([vec![Fails(Severity::Fatal)]]);
    let events = told(&Stage::new(&script).await.say("hi").await);
    assert!(events.last().unwrap().starts_with("failed MODEL_REFUSED The model refused"));
}

#[tokio::test]
async fn half_a_message_makes_no_calls() {
    let half = vec![Says("Let me"), Calls("call-00001", "look", json!({})), BreaksOff];
    let script = Script::new([half]);
    let stage = Stage::new(&script).await;
    let events = told(&stage.say("hi").await);
    assert!(events.last().unwrap().starts_with("failed MODEL_UNAVAILABLE"));
    assert!(!events.iter().any(|event| event.starts_with("called")), "{events:?}");
    assert_eq!(stage.kept().await, ["1 person: hi", "1 model: Let me"]);
}

#[tokio::test]
async fn a_fault_after_calls_leaves_every_call_with_its_result() {
    let script =
        Script::new([vec![Calls("call-00001", "look", json!({}))], vec![Fails(Severity::Retry)]]);
    let stage = Stage::new(&script).await;
    stage.say("hi").await;
    assert_eq!(
        stage.kept().await,
        ["1 person: hi", "1 model: call-00001:look", "1 results: call-00001=ok"]
    );
}
