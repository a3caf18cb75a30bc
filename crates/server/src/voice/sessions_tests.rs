//! Places, conversations that change hands, and the end of all.

use std::future::poll_fn;

use super::*;

fn id(id: &str) -> ConversationId {
    ConversationId::new(id).unwrap()
}

#[tokio::test]
async fn there_are_as_many_places_as_there_may_be() {
    let sessions = Sessions::new(2);
    let first = sessions.enter();
    let second = sessions.enter();
    assert!(first.is_some() && second.is_some() && sessions.enter().is_none());
    drop(first);
    assert!(sessions.enter().is_some());
    assert_eq!(sessions.open(), 1);
}

#[tokio::test]
async fn whoever_comes_later_takes_the_conversation_over() {
    let sessions = Sessions::new(9);
    let mut first = sessions.hold(&id("a")).await;
    let second = {
        let sessions = sessions.clone();
        tokio::spawn(async move { sessions.hold(&id("a")).await })
    };
    assert_eq!(poll_fn(|cx| first.poll(cx)).await, EndRequest::TakenOver);
    drop(first);
    let second = second.await.unwrap();
    drop(second);
    assert!(sessions.lock().is_empty());
}

/// Begins to wait and gives up, as the handler of a request does whose client hangs up.
fn gives_up(waiting: impl Future) {
    assert!(waiting.now_or_never().is_none(), "somebody is still inside");
}

#[tokio::test]
async fn whoever_gives_up_waiting_lets_nobody_in_beside_the_holder() {
    let a = id("a");
    for both in [false, true] {
        let sessions = Sessions::new(9);
        let mut first = sessions.hold(&a).await;
        gives_up(sessions.end_current_session(&a));
        assert_eq!(poll_fn(|cx| first.poll(cx)).await, EndRequest::TakenOver);
        if both {
            gives_up(sessions.hold(&a));
        }
        let mut second = Box::pin(sessions.hold(&a));
        gives_up(&mut second);
        gives_up(sessions.end_current_session(&a));
        drop(first);
        let second = second.await;
        gives_up(sessions.end_current_session(&a));
        drop(second);
        sessions.end_current_session(&a).await;
        assert!(sessions.lock().is_empty());
    }
}

#[tokio::test]
async fn all_are_asked_to_end_and_nobody_comes_in() {
    let sessions = Sessions::new(9);
    let place = sessions.enter().unwrap();
    let mut early = sessions.hold(&id("a")).await;
    sessions.stop();
    assert_eq!(poll_fn(|cx| early.poll(cx)).await, EndRequest::Shutdown);
    let mut late = sessions.hold(&id("b")).await;
    assert_eq!(poll_fn(|cx| late.poll(cx)).await, EndRequest::Shutdown);
    assert!(sessions.enter().is_none());
    sessions.stopping().await;
    drop(place);
    sessions.drained().await;
}
