//! The person's answer continues the conversation, and no other person's does.

use aileron_agent::TurnEvent;
use aileron_orchestrator::Person;
use serde_json::json;

use crate::script::{Calls, Says, Script};
use crate::stage::{Stage, ada, short, told};

fn booking() -> std::sync::Arc<Script> {
    Script::new([
        vec![Calls("call-00001", "book", json!({ "n": 5 }))],
        vec![Says("Waiting for you.")],
        vec![Says("Booked.")],
    ])
}

fn token(events: &[TurnEvent]) -> String {
    let asked = events.iter().find_map(|event| match event {
        TurnEvent::Asked { request, .. } => Some(request.token.clone()),
        _ => None,
    });
    asked.unwrap()
}

#[tokio::test]
async fn an_approved_call_runs_and_the_model_goes_on() {
    let script = booking();
    let stage = Stage::new(&script).await;
    let asked = stage.say("book it").await;
    assert!(told(&asked).contains(&"asked call-00001 book {\"n\":5}".to_owned()), "{asked:?}");
    let events = stage.confirm(&token(&asked), true).await;
    assert_eq!(
        told(&events),
        [
            "began 1",
            "started call-00001",
            "answered call-00001 ok",
            "step",
            "text Booked.",
            "usage",
            "step ended",
            "finished Answered"
        ]
    );
    let last = script.seen()[2].messages.last().map(short).unwrap();
    assert_eq!(last, "late: call-00001=ok");
}

#[tokio::test]
async fn a_declined_call_does_not_run_and_the_model_is_told() {
    let script = booking();
    let stage = Stage::new(&script).await;
    let asked = stage.say("book it").await;
    let events = told(&stage.confirm(&token(&asked), false).await);
    assert_eq!(events[1], "answered call-00001 DENIED");
    assert_eq!(stage.kept().await.last().unwrap(), "1 model: Booked.");
}

#[tokio::test]
async fn forged_and_foreign_answers_do_not_count_and_ask_no_model() {
    let script = booking();
    let stage = Stage::new(&script).await;
    let token = token(&stage.say("book it").await);
    let forged = told(&stage.confirm("AAAA.BBBB", true).await);
    assert_eq!(
        forged,
        [
            "began 1",
            "not confirmed: the confirmation token was not made for this call",
            "failed NOT_CONFIRMED That answer does not count: the question is not open in this conversation."
        ]
    );
    let foreign = told(&stage.confirm_as(&token, true, Person::default()).await);
    assert_eq!(foreign[1], "not confirmed: only the person of this conversation may answer");
    assert_eq!(script.seen().len(), 2);
    let kept = stage.kept().await;
    assert_eq!(kept.len(), 4, "{kept:?}");
}

#[tokio::test]
async fn a_question_can_be_answered_after_another_turn() {
    let script = Script::new([
        vec![Calls("call-00001", "book", json!({ "n": 5 }))],
        vec![Says("Waiting for you.")],
        vec![Says("Something else.")],
        vec![Says("Booked after all.")],
    ]);
    let stage = Stage::new(&script).await;
    let token = token(&stage.say("book it").await);
    stage.say("what else?").await;
    let events = told(&stage.confirm(&token, true).await);
    assert_eq!(events[2], "answered call-00001 ok");
    assert_eq!(stage.kept().await.last().unwrap(), "2 model: Booked after all.");
}

/// A click on another page, or a request to the API.
#[tokio::test]
async fn the_model_is_told_of_an_answer_that_came_through_another_channel() {
    for (approve, word) in [(true, "ok"), (false, "DENIED")] {
        let script = Script::new([
            vec![Calls("call-00001", "book", json!({ "n": 5 }))],
            vec![Says("Waiting for you.")],
            vec![Says("It is decided.")],
            vec![Says("You are welcome.")],
        ]);
        let stage = Stage::new(&script).await;
        let token = token(&stage.say("book it").await);
        stage.conversation.confirm(&token, approve, &ada()).await.unwrap();
        let events = told(&stage.say("actually cancel that").await);
        assert_eq!(events[1], format!("answered call-00001 {word}"));
        let messages: Vec<_> = script.seen()[2].messages.iter().map(short).collect();
        let late = format!("late: call-00001={word}");
        assert_eq!(messages[4..], [late, "person: actually cancel that".to_owned()]);
        let again = told(&stage.say("thanks").await);
        assert!(!again.iter().any(|event| event.starts_with("answered")), "{again:?}");
    }
}

#[tokio::test]
async fn a_question_that_was_answered_leads_to_nothing_more() {
    for (first, word, sentence) in [
        (true, "ok", "(This was answered before: it was approved, and is not done again.)"),
        (false, "DENIED", "(This was answered before: it was not approved.)"),
    ] {
        let script = booking();
        let stage = Stage::new(&script).await;
        let token = token(&stage.say("book it").await);
        stage.confirm(&token, first).await;
        let kept = stage.kept().await;
        for approve in [true, false] {
            let events = told(&stage.confirm(&token, approve).await);
            let decided = if first { "approved" } else { "not_approved" };
            assert_eq!(
                events,
                [
                    "began 1".to_owned(),
                    format!("decided before call-00001 {decided}"),
                    format!("answered call-00001 {word}"),
                    "step".to_owned(),
                    format!("text {sentence}"),
                    "step ended".to_owned(),
                    "finished Answered".to_owned(),
                ]
            );
        }
        assert_eq!(script.seen().len(), 3, "the model was not asked again");
        assert_eq!(stage.kept().await, kept);
    }
}
