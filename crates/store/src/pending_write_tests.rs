//! Handles under a hand-made executor and on plain threads.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Wake, Waker};
use std::thread;

use super::*;

#[derive(Default)]
struct Wakes(AtomicUsize);

impl Wake for Wakes {
    fn wake(self: Arc<Self>) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

fn poll<T>(commit: &mut PendingWrite<T>, wakes: &Arc<Wakes>) -> Poll<Answer<T>> {
    let waker = Waker::from(wakes.clone());
    Pin::new(commit).poll(&mut Context::from_waker(&waker))
}

#[test]
fn a_pending_handle_wakes_its_task_once() {
    let wakes = Arc::new(Wakes::default());
    let (reply, mut commit) = PendingWrite::pending();
    assert!(poll(&mut commit, &wakes).is_pending());
    assert!(poll(&mut commit, &wakes).is_pending());
    reply.send(Ok(7));
    assert_eq!(wakes.0.load(Ordering::SeqCst), 1);
    assert_eq!(poll(&mut commit, &wakes), Poll::Ready(Ok(7)));
}

#[test]
fn a_thread_waits_for_the_answer() {
    let (reply, commit) = PendingWrite::pending();
    let waiter = thread::spawn(move || commit.wait());
    reply.send(Ok("done"));
    assert_eq!(waiter.join().unwrap(), Ok("done"));
}

#[test]
fn a_dropped_reply_is_an_answer() {
    let (reply, commit) = PendingWrite::<()>::pending();
    drop(reply);
    assert_eq!(commit.wait(), Err(StoreError::Closed));
}

#[test]
fn a_ready_handle_needs_nobody() {
    assert_eq!(PendingWrite::done(1).wait(), Ok(1));
}

#[test]
fn handles_may_be_awaited_on_any_thread() {
    fn sent<T: Send + Sync>() {}
    sent::<PendingWrite<crate::ledger::BeginResult>>();
    sent::<crate::ledger::CallWait>();
    sent::<Arc<dyn crate::store::Store>>();
}
