//! The model says yes, and everything else that is not the person's answer to the question.

use aileron_contract::Mode;
use aileron_orchestrator::{Resolution, TurnInput};
use serde_json::json;

use super::{Scene, asked, late_words};
use crate::stage::{NOW, call, word};

async fn say(scene: &Scene, text: &str, began_ms: u64) -> Vec<Resolution> {
    let spoken = TurnInput::Spoken { text: text.to_owned(), began_ms };
    scene.conversation.begin_turn(spoken).await.unwrap().resolutions
}

/// The model has no channel for answers: it can only send calls.
#[tokio::test]
async fn the_model_cannot_say_yes() {
    let scene = Scene::new("model-yes", Mode::Voice).await;
    scene.question().await;
    for (id, tool) in [("call-yes-01", "yes"), ("call-yes-02", "confirm")] {
        let answers = scene.conversation.call(vec![call(id, tool, json!({ "say": "yes" }))]).await;
        assert_eq!(word(&answers[0]), "NOT_FOUND");
    }
    let again = scene.conversation.call(vec![call("call-book-6", "book", json!({ "n": 5 }))]).await;
    assert_eq!(word(&again[0]), "CONFIRMATION_REQUIRED");
    assert!(scene.ground.effects().is_empty());
}

#[tokio::test]
async fn a_yes_that_began_before_the_question_is_no_answer() {
    let scene = Scene::new("early-yes", Mode::Voice).await;
    scene.stage.clock.advance(1000);
    scene.question().await;
    assert_eq!(say(&scene, "yes", NOW + 999).await, []);
    assert!(scene.ground.effects().is_empty());
    let later = say(&scene, "yes", NOW + 1000).await;
    assert!(matches!(later[..], [Resolution::Approved(_)]), "{later:?}");
    assert_eq!(scene.ground.effects().len(), 1);
}

#[tokio::test]
async fn a_second_question_of_the_turn_does_not_take_the_yes_of_the_first() {
    let scene = Scene::new("two-questions", Mode::Voice).await;
    let first = scene.question().await;
    let second = scene.conversation.call(vec![call("call-pay-01", "pay", json!({}))]).await;
    let failure = second[0].failure().unwrap();
    assert!(failure.confirmation_request.is_none(), "{failure:?}");
    let heard = say(&scene, "yes", NOW).await;
    let [Resolution::Approved(late)] = &heard[..] else { panic!("{heard:?}") };
    assert_eq!(late_words(late), ["ok"]);
    assert_eq!(late[0].answer.meta().tool_id, first.tool.as_str());
    assert_eq!(scene.ground.effects().len(), 1);
}

#[tokio::test]
async fn one_yes_answers_one_question_of_a_message() {
    let scene = Scene::new("one-yes", Mode::Voice).await;
    let calls = vec![call("call-book-1", "book", json!({})), call("call-pay-01", "pay", json!({}))];
    scene.conversation.call(calls).await;
    let heard = say(&scene, "yes", NOW).await;
    let [Resolution::Approved(late)] = &heard[..] else { panic!("{heard:?}") };
    assert_eq!(late_words(late), ["ok", "CONFIRMATION_REQUIRED"]);
    assert_eq!(scene.ground.effects().len(), 1);
}

#[tokio::test]
async fn a_typed_yes_is_no_answer_in_either_mode() {
    for (name, mode) in [("typed-text", Mode::Text), ("typed-voice", Mode::Voice)] {
        let scene = Scene::new(name, mode).await;
        scene.question().await;
        let typed = scene.conversation.begin_turn(TurnInput::Written).await.unwrap();
        assert_eq!(typed.resolutions, []);
        assert!(scene.ground.effects().is_empty());
    }
}

#[tokio::test]
async fn a_spoken_yes_is_no_answer_in_a_text_conversation() {
    let scene = Scene::new("spoken-text", Mode::Text).await;
    scene.question().await;
    assert_eq!(say(&scene, "yes", NOW).await, []);
    assert!(scene.ground.effects().is_empty());
}

#[tokio::test]
async fn a_yes_after_the_question_expired_runs_nothing() {
    let scene = Scene::new("late-yes", Mode::Voice).await;
    scene.question().await;
    scene.stage.clock.advance(300_000);
    let late = say(&scene, "yes", NOW + 300_000).await;
    assert!(matches!(late[..], [Resolution::Expired(_)]), "{late:?}");
    assert!(scene.ground.effects().is_empty());
}

#[tokio::test]
async fn a_yes_after_a_restart_runs_nothing_until_the_question_is_put_again() {
    let scene = Scene::new("restarted-yes", Mode::Voice).await;
    scene.question().await;
    let scene = scene.restarted(1000).await;
    assert_eq!(say(&scene, "yes", NOW + 1000).await, []);
    assert!(scene.ground.effects().is_empty());
    let again = scene.conversation.call(vec![call("call-book-9", "book", json!({ "n": 5 }))]).await;
    asked(&again[0]);
    let heard = say(&scene, "yes", NOW + 1000).await;
    assert!(matches!(heard[..], [Resolution::Approved(_)]), "{heard:?}");
    assert_eq!(scene.ground.effects().len(), 1);
}

#[tokio::test]
async fn a_question_that_was_not_understood_twice_can_be_put_again() {
    let scene = Scene::new("put-again", Mode::Voice).await;
    scene.question().await;
    assert!(matches!(say(&scene, "the weather", NOW).await[..], [Resolution::AskAgain { .. }]));
    assert_eq!(say(&scene, "the weather", NOW).await, []);
    assert_eq!(say(&scene, "yes", NOW).await, [], "nobody asked");
    let again = scene.conversation.call(vec![call("call-book-9", "book", json!({ "n": 5 }))]).await;
    asked(&again[0]);
    let heard = say(&scene, "yes", NOW).await;
    assert!(matches!(heard[..], [Resolution::Approved(_)]), "{heard:?}");
}
