//! One at a time, and nothing is left behind.

use super::*;

fn id(name: &str) -> ConversationId {
    ConversationId::new(name).unwrap()
}

#[tokio::test]
async fn a_seat_is_taken_by_one_at_a_time() {
    let turns = Arc::new(TurnLocks::default());
    let first = turns.take(&id("a")).await;
    let other = turns.take(&id("b")).await;
    let same = id("a");
    let mut second = by_hand(turns.take(&same));
    assert!(second.poll_once().is_none());
    drop(first);
    assert!(second.poll_once().is_some());
    drop((second, other));
    assert!(turns.lock().is_empty());
}

#[tokio::test]
async fn whoever_gives_up_waiting_leaves_nothing() {
    let turns = Arc::new(TurnLocks::default());
    let first = turns.take(&id("a")).await;
    let same = id("a");
    let mut second = by_hand(turns.take(&same));
    assert!(second.poll_once().is_none());
    drop(second);
    drop(first);
    assert!(turns.lock().is_empty());
}

/// A future that is polled by hand.
struct ByHand<F: Future>(std::pin::Pin<Box<F>>, Option<F::Output>);

fn by_hand<F: Future>(future: F) -> ByHand<F> {
    ByHand(Box::pin(future), None)
}

impl<F: Future> ByHand<F> {
    fn poll_once(&mut self) -> Option<&F::Output> {
        let waker = futures_util::task::noop_waker();
        let mut context = std::task::Context::from_waker(&waker);
        if let std::task::Poll::Ready(output) = self.0.as_mut().poll(&mut context) {
            self.1 = Some(output);
        }
        self.1.as_ref()
    }
}
