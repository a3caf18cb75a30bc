//! Tokens that are made up, changed, stolen, used again or late.

use std::sync::Arc;

use aileron_contract::{ErrorType, Mode, UserId};
use aileron_orchestrator::state::{EndReason, StateEvent};
use aileron_orchestrator::{ConversationEvent, OpenError, Person};
use aileron_store::{AuditFilter, MemoryStore, Store};
use serde_json::json;

use super::{Scene, told};
use crate::ground::{Ground, act};
use crate::stage::{Stage, ada, call, word};

const MINUTES: u64 = 60_000;

#[tokio::test]
async fn a_token_that_is_no_token_is_forged() {
    let scene = Scene::new("made-up", Mode::Text).await;
    scene.question().await;
    let long = "A".repeat(1 << 20);
    for token in ["", ".", "yes", "confirmed", "AAAA.BBBB", "\u{0}", "ключ.ключ", &long] {
        assert_eq!(told(scene.answer(token, true).await).0, "forged", "{token:.20}");
    }
    scene.check(0, &["call-book-5 refused:confirmation"]);
}

#[tokio::test]
async fn a_token_with_any_letter_changed_does_not_count() {
    let scene = Scene::new("altered", Mode::Text).await;
    let token = scene.question().await.token;
    for at in 0..token.len() {
        let mut altered = token.clone().into_bytes();
        altered[at] = if altered[at] == b'A' { b'B' } else { b'A' };
        let altered = String::from_utf8(altered).unwrap();
        let (kind, _) = told(scene.answer(&altered, true).await);
        assert!(matches!(kind, "forged" | "unknown"), "{kind} at {at}");
    }
    scene.check(0, &["call-book-5 refused:confirmation"]);
    assert_eq!(told(scene.answer(&token, true).await), ("approved", vec!["ok"]));
}

#[tokio::test]
async fn the_id_of_one_token_with_the_signature_of_another_is_forged() {
    let scene = Scene::new("spliced", Mode::Text).await;
    let (one, two) = (scene.question_about(1).await.token, scene.question_about(2).await.token);
    let (id, _) = one.split_once('.').unwrap();
    let (_, signature) = two.split_once('.').unwrap();
    assert_eq!(told(scene.answer(&format!("{id}.{signature}"), true).await).0, "forged");
    assert!(scene.ground.effects().is_empty());
}

#[tokio::test]
async fn a_token_used_again_gives_the_first_answer_and_runs_nothing() {
    let scene = Scene::new("replayed", Mode::Text).await;
    let token = scene.question().await.token;
    for _ in 0..3 {
        assert_eq!(told(scene.answer(&token, true).await), ("approved", vec!["ok"]));
    }
    scene.check(1, &["call-book-5 refused:confirmation", "confirmed completed"]);
}

#[tokio::test]
async fn an_expired_token_is_denied_once() {
    let scene = Scene::new("expired", Mode::Text).await;
    let token = scene.question().await.token;
    scene.stage.clock.advance(5 * MINUTES);
    for _ in 0..2 {
        assert_eq!(told(scene.answer(&token, true).await), ("expired", vec!["DENIED"]));
    }
    scene.check(0, &["call-book-5 refused:confirmation", "confirmed denied"]);
}

#[tokio::test]
async fn a_token_that_expired_while_the_process_was_down_is_denied() {
    let scene = Scene::new("expired-down", Mode::Text).await;
    let token = scene.question().await.token;
    let scene = scene.restarted(6 * MINUTES).await;
    assert_eq!(told(scene.answer(&token, true).await), ("expired", vec!["DENIED"]));
    scene.check(0, &["call-book-5 refused:confirmation", "confirmed denied"]);
}

#[tokio::test]
async fn an_expired_question_cannot_be_closed_with_a_forged_token() {
    let scene = Scene::new("expired-forged", Mode::Text).await;
    let token = scene.question().await.token;
    scene.stage.clock.advance(5 * MINUTES);
    let (id, _) = token.split_once('.').unwrap();
    let forged = format!("{id}.{}", "A".repeat(43));
    assert_eq!(told(scene.answer(&forged, true).await).0, "forged");
    scene.check(0, &["call-book-5 refused:confirmation"]);
}

#[tokio::test]
async fn a_token_survives_a_restart_and_runs_once() {
    let scene = Scene::new("restart", Mode::Text).await;
    let token = scene.question().await.token;
    let scene = scene.restarted(MINUTES).await;
    assert_eq!(told(scene.answer(&token, true).await), ("approved", vec!["ok"]));
    let scene = scene.restarted(MINUTES).await;
    assert_eq!(told(scene.answer(&token, true).await), ("approved", vec!["ok"]));
    assert_eq!(scene.ground.effects().len(), 1);
}

#[tokio::test]
async fn a_token_of_another_conversation_is_unknown() {
    let scene = Scene::new("other-conversation", Mode::Text).await;
    let token = scene.question().await.token;
    let other = scene.stage.open_as("other-conversation-2", Mode::Text, ada()).await;
    assert_eq!(told(other.confirm(&token, true, &ada()).await).0, "unknown");
    assert!(Ground::of("other-conversation-2").effects().is_empty());
    // The confirmation is still open for its own person.
    assert_eq!(told(scene.answer(&token, true).await), ("approved", vec!["ok"]));
}

#[tokio::test]
async fn a_token_in_the_hands_of_another_person_does_not_count() {
    let scene = Scene::new("other-person", Mode::Text).await;
    let token = scene.question().await.token;
    let mallory = Person::known(UserId::new("mallory").unwrap());
    for by in [&mallory, &Person::default()] {
        assert_eq!(told(scene.conversation.confirm(&token, true, by).await).0, "not yours");
        assert_eq!(told(scene.conversation.confirm(&token, false, by).await).0, "not yours");
    }
    scene.check(0, &["call-book-5 refused:confirmation"]);
}

#[tokio::test]
async fn other_arguments_need_another_approval() {
    let scene = Scene::new("other-arguments", Mode::Text).await;
    let cheap = scene.question_about(1).await;
    let dear = scene.question_about(1000).await;
    assert_ne!(cheap.token, dear.token);
    assert_eq!(told(scene.answer(&cheap.token, true).await), ("approved", vec!["ok"]));
    assert_eq!(scene.ground.effects().len(), 1);
    // The approval of one does not affect the other: it still waits.
    assert_eq!(told(scene.answer(&dear.token, false).await), ("declined", vec!["DENIED"]));
    assert_eq!(scene.ground.effects().len(), 1);
}

#[tokio::test]
async fn a_token_does_not_outlive_its_registry() {
    let store: Arc<dyn Store> = Arc::new(MemoryStore::new());
    let scene = Scene::over(store.clone(), "other-registry", Mode::Text).await;
    let token = scene.question().await.token;
    let changed = act("book", json!({ "requiresConfirmation": true, "version": "1.0.1" }));
    let stage = Stage::over(store, &[changed]);
    let refused = stage.orchestrator.open(scene.reopening(Mode::Text)).await.unwrap_err();
    assert!(matches!(refused, OpenError::RegistryGone { .. }), "{refused}");
    let fresh = stage.open_as("other-registry-2", Mode::Text, ada()).await;
    assert_eq!(told(fresh.confirm(&token, true, &ada()).await).0, "unknown");
    scene.check(0, &["call-book-5 refused:confirmation"]);
}

#[tokio::test]
async fn a_token_among_the_arguments_is_an_unknown_parameter() {
    let scene = Scene::new("in-arguments", Mode::Text).await;
    let token = scene.question().await.token;
    for name in ["token", "confirmation_token", "confirmation_request", "approved", "confirmed"] {
        let args = json!({ "n": 5, name: token });
        let answers =
            scene.conversation.call(vec![call(&format!("call-{name}"), "book", args)]).await;
        let kind = answers[0].failure().unwrap().kind;
        assert!(matches!(kind, ErrorType::Validation | ErrorType::LoopDetected), "{kind}");
    }
    assert!(scene.ground.effects().is_empty());
}

#[tokio::test]
async fn a_call_named_like_an_approval_does_not_stand_in_for_it() {
    let scene = Scene::new("named-like", Mode::Text).await;
    let token = scene.question().await.token;
    let id = format!("confirmed-{}", token.split_once('.').unwrap().0);
    let answers = scene.conversation.call(vec![call(&id, "look", json!({}))]).await;
    assert_eq!(word(&answers[0]), "ok");
    let declined = scene.conversation.call(vec![call(&id, "look", json!({}))]).await;
    assert!(declined[0].meta().replayed, "the same id is still the same call");
    assert_eq!(told(scene.answer(&token, true).await), ("approved", vec!["ok"]));
    assert_eq!(scene.ground.effects().len(), 1, "the approved call was answered by another one");
}

/// The person's own channel gets the confirmation; other observers see neither it nor its token.
#[tokio::test]
async fn an_answer_that_is_watched_does_not_show_what_is_hidden() {
    let hidden = act("book", json!({ "requiresConfirmation": true, "redact": ["/n"] }));
    let stage = Stage::new(&[hidden]);
    let conversation = stage.open_as("hidden", Mode::Text, ada()).await;
    let answers = conversation.call(vec![call("call-00001", "book", json!({ "n": 4711 }))]).await;
    let token = super::asked(&answers[0]).token;
    for event in stage.memo.events() {
        if let ConversationEvent::Answered { answer, .. } = event {
            let shown = serde_json::to_string(&*answer).unwrap();
            assert!(!shown.contains("4711") && !shown.contains(&token), "{shown}");
        }
    }
    let record = stage.store.audit(AuditFilter::default()).next().unwrap().unwrap();
    let record = serde_json::to_string(&record).unwrap();
    assert!(!record.contains("4711") && !record.contains(&token), "{record}");
}

#[tokio::test]
async fn approve_after_decline_runs_nothing() {
    let scene = Scene::new("approve-after-decline", Mode::Text).await;
    let token = scene.question().await.token;
    assert_eq!(told(scene.answer(&token, false).await), ("declined", vec!["DENIED"]));
    assert_eq!(told(scene.answer(&token, true).await), ("decided", vec!["declined"]));
    scene.check(0, &["call-book-5 refused:confirmation", "confirmed denied"]);
}

#[tokio::test]
async fn decline_after_approve_is_told_what_happened() {
    let scene = Scene::new("decline-after-approve", Mode::Text).await;
    let token = scene.question().await.token;
    scene.answer(&token, true).await.unwrap();
    assert_eq!(told(scene.answer(&token, false).await), ("decided", vec!["approved"]));
    scene.check(1, &["call-book-5 refused:confirmation", "confirmed completed"]);
}

#[tokio::test]
async fn a_blocked_person_approves_nothing() {
    let scene = Scene::new("blocked", Mode::Text).await;
    let token = scene.question().await.token;
    let until = crate::stage::NOW + MINUTES;
    scene.stage.store.block(&UserId::new("ada").unwrap(), until).wait().unwrap();
    assert_eq!(told(scene.answer(&token, true).await), ("approved", vec!["UNAVAILABLE"]));
    scene.check(0, &["call-book-5 refused:confirmation", "confirmed refused:conversation_state"]);
}

#[tokio::test]
async fn nothing_is_approved_in_a_conversation_that_has_ended() {
    let scene = Scene::new("ended", Mode::Text).await;
    let token = scene.question().await.token;
    scene.conversation.on_event_durably(StateEvent::Closed(EndReason::Person)).await.unwrap();
    assert_eq!(told(scene.answer(&token, true).await), ("unknown", vec![]));
    scene.check(0, &["call-book-5 refused:confirmation"]);
}
