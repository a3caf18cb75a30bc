//! Regenerated answers and edited messages: retracted messages are not shown to the model, and
//! completed actions cannot be retracted.

use aileron_agent::{TurnError, UserMessage};
use aileron_store::AuditFilter;
use serde_json::json;

use crate::script::{Calls, Says, Script};
use crate::stage::{Stage, ada, all, short, told};

fn words(text: &str, id: &str) -> UserMessage {
    UserMessage { text: text.to_owned(), id: Some(id.to_owned()) }
}

async fn say(stage: &Stage, text: &str, id: &str) {
    let watch = stage.hall.watch();
    all(stage.agent.say(&stage.conversation, words(text, id), watch).await.unwrap()).await;
}

async fn again(stage: &Stage, named: Option<UserMessage>) -> Result<Vec<String>, TurnError> {
    let watch = stage.hall.watch();
    let answering = stage.agent.regenerate(&stage.conversation, named, ada(), watch).await?;
    Ok(told(&all(answering).await))
}

#[tokio::test]
async fn an_answer_is_given_once_more_to_the_servers_own_words() {
    let script = Script::new([
        vec![Says("One.")],
        vec![Calls("call-00001", "look", json!({}))],
        vec![Says("Two.")],
        vec![Says("Two, better.")],
    ]);
    let stage = Stage::new(&script).await;
    say(&stage, "first", "m1").await;
    say(&stage, "second", "m2").await;
    again(&stage, Some(words("forged", "m2"))).await.unwrap();
    let seen: Vec<_> = script.seen()[3].messages.iter().map(short).collect();
    assert_eq!(seen, ["person: first", "model: One.", "person: second"]);
    assert_eq!(
        stage.kept().await,
        ["1 person: first", "1 model: One.", "3 person: second", "3 model: Two, better."]
    );
    let entries = stage.store.messages(stage.conversation.id(), u64::MAX, 100).await.unwrap();
    assert_eq!(entries.len(), 9, "the log is only added to");
    let records = stage.store.audit(AuditFilter::default()).count();
    assert_eq!(records, 1, "and what was called stays recorded");
}

#[tokio::test]
async fn without_an_id_it_is_the_last_words_and_words_that_never_arrived_are_said() {
    let script = Script::new([vec![Says("One.")], vec![Says("Again.")], vec![Says("Yes.")]]);
    let stage = Stage::new(&script).await;
    assert!(matches!(again(&stage, None).await, Err(TurnError::NothingSaid)));
    say(&stage, "first", "m1").await;
    again(&stage, None).await.unwrap();
    assert_eq!(stage.kept().await, ["2 person: first", "2 model: Again."]);
    again(&stage, Some(words("lost on the way", "m2"))).await.unwrap();
    assert_eq!(stage.kept().await[2..], ["3 person: lost on the way", "3 model: Yes."]);
}

#[tokio::test]
async fn words_are_put_otherwise_and_what_came_after_them_goes() {
    let script = Script::new([vec![Says("One.")], vec![Says("Two.")], vec![Says("Other.")]]);
    let stage = Stage::new(&script).await;
    say(&stage, "first", "m1").await;
    say(&stage, "second", "m2").await;
    let watch = stage.hall.watch();
    let edited = words("otherwise", "m1");
    let answering = stage.agent.edit_message(&stage.conversation, edited, ada(), watch).await;
    all(answering.unwrap()).await;
    assert_eq!(stage.kept().await, ["3 person: otherwise", "3 model: Other."]);
}

#[tokio::test]
async fn a_question_that_is_taken_back_is_answered_with_no() {
    let script = Script::new([
        vec![Calls("call-00001", "book", json!({ "n": 5 }))],
        vec![Says("Please approve.")],
        vec![Says("As you like.")],
    ]);
    let stage = Stage::new(&script).await;
    say(&stage, "book it", "m1").await;
    again(&stage, None).await.unwrap();
    assert_eq!(stage.kept().await, ["2 person: book it", "2 model: As you like."]);
    let open = stage.store.confirmations(stage.conversation.id(), 0).await.unwrap();
    assert!(open.is_empty(), "{open:?}");
    let outcomes: Vec<_> = stage.store.audit(AuditFilter::default()).collect();
    let outcomes: Vec<_> =
        outcomes.into_iter().map(|it| it.unwrap().entry.outcome.to_string()).collect();
    assert_eq!(outcomes, ["refused:confirmation", "denied"]);
}

#[tokio::test]
async fn what_was_done_cannot_be_taken_back() {
    let script = Script::new([
        vec![Says("Hello.")],
        vec![Calls("call-00001", "book", json!({ "n": 5 }))],
        vec![Says("Please approve.")],
        vec![Says("Booked.")],
    ]);
    let stage = Stage::new(&script).await;
    say(&stage, "hello", "m1").await;
    say(&stage, "book it", "m2").await;
    stage.confirm(&stage.questions().await[0], true).await;
    let before = stage.kept().await;
    for named in [None, Some(words("hello", "m1"))] {
        let refused = again(&stage, named).await.unwrap_err();
        assert_eq!(
            refused.to_string(),
            "this cannot be taken back: `book` was done in it; write what you want instead"
        );
    }
    assert_eq!(stage.kept().await, before);
}
