//! Many concurrent answers.

use std::sync::Arc;

use aileron_contract::Mode;
use aileron_orchestrator::TurnInput;
use futures_util::future::join_all;
use tokio::sync::Barrier;

use super::{Scene, told};
use crate::stage::{NOW, ada};

/// Answers from many concurrent tasks; returns the result of each.
async fn crowd(scene: &Scene, token: &str, answers: Vec<bool>) -> Vec<&'static str> {
    let barrier = Arc::new(Barrier::new(answers.len()));
    let tasks = answers.into_iter().map(|approve| {
        let (barrier, token) = (barrier.clone(), token.to_owned());
        let conversation = scene.conversation.clone();
        tokio::spawn(async move {
            barrier.wait().await;
            told(conversation.confirm(&token, approve, &ada()).await).0
        })
    });
    join_all(tasks).await.into_iter().map(Result::unwrap).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_hundred_approvals_at_once_run_the_call_once() {
    let scene = Scene::new("approved-at-once", Mode::Text).await;
    let token = scene.question().await.token;
    let told = crowd(&scene, &token, vec![true; 100]).await;
    assert!(told.contains(&"approved"), "{told:?}");
    assert!(told.iter().all(|one| *one == "approved"), "{told:?}");
    scene.check(1, &["call-book-5 refused:confirmation", "confirmed completed"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_click_and_a_spoken_yes_at_once_run_the_call_once() {
    for n in 0..50 {
        let name: &'static str = Box::leak(format!("click-and-yes-{n}").into_boxed_str());
        let scene = Scene::new(name, Mode::Voice).await;
        let token = scene.question().await.token;
        let (clicking, speaking) = (scene.conversation.clone(), scene.conversation.clone());
        let click =
            tokio::spawn(async move { clicking.confirm(&token, true, &ada()).await.is_ok() });
        let yes = TurnInput::Spoken { text: "yes".to_owned(), began_ms: NOW };
        let speech =
            tokio::spawn(
                async move { speaking.begin_turn(yes).await.unwrap().resolutions.len() == 1 },
            );
        let (clicked, spoken) = (click.await.unwrap(), speech.await.unwrap());
        assert!(clicked || spoken);
        scene.check(1, &["call-book-5 refused:confirmation", "confirmed completed"]);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_a_yes_and_a_no_at_once_one_counts() {
    let scene = Scene::new("yes-and-no", Mode::Text).await;
    for n in 0..3 {
        let before = scene.ground.effects().len();
        let token = scene.question_about(n).await.token;
        let told = crowd(&scene, &token, (0..20).map(|n| n % 2 == 0).collect()).await;
        let ran = scene.ground.effects().len() - before;
        assert_eq!(ran == 1, told.contains(&"approved"), "{told:?}");
        assert_eq!(ran == 0, told.contains(&"declined"), "{told:?}");
        assert!(ran <= 1, "{told:?}");
    }
}
