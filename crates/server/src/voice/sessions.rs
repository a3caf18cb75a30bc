//! The sessions that are open: how many there may be, which conversation each has, and how all of
//! them are told to end.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};

use aileron_contract::ConversationId;
use futures_util::FutureExt;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot, watch};

/// All sessions of a server.
#[derive(Debug)]
pub(crate) struct Sessions {
    places: Arc<Semaphore>,
    held: Mutex<BTreeMap<ConversationId, Held>>,
    stopping: watch::Sender<bool>,
    open: watch::Sender<usize>,
    counter: std::sync::atomic::AtomicU64,
}

/// Who holds a conversation, and how to take it over.
#[derive(Debug)]
struct Held {
    number: u64,
    leave: Option<oneshot::Sender<Asked>>,
    left: oneshot::Receiver<()>,
}

/// A connection's place among all. It is given up when this is dropped.
#[derive(Debug)]
pub(crate) struct Place {
    sessions: Arc<Sessions>,
    _permit: OwnedSemaphorePermit,
}

/// A conversation that is held by one session.
#[derive(Debug)]
pub(crate) struct Hold {
    sessions: Arc<Sessions>,
    conversation: ConversationId,
    number: u64,
    leave: oneshot::Receiver<Asked>,
    /// Dropped with this, which is how the next holder knows.
    _left: oneshot::Sender<()>,
}

/// Why a session is asked to end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Asked {
    TakenOver,
    Shutdown,
}

impl Sessions {
    pub(crate) fn new(most: usize) -> Arc<Self> {
        Arc::new(Self {
            places: Arc::new(Semaphore::new(most.min(Semaphore::MAX_PERMITS))),
            held: Mutex::default(),
            stopping: watch::Sender::new(false),
            open: watch::Sender::new(0),
            counter: Default::default(),
        })
    }

    /// A place, unless all are taken or the server is about to stop.
    pub(crate) fn enter(self: &Arc<Self>) -> Option<Place> {
        if *self.stopping.borrow() {
            return None;
        }
        let permit = self.places.clone().try_acquire_owned().ok()?;
        self.open.send_modify(|open| *open += 1);
        Some(Place { sessions: self.clone(), _permit: permit })
    }

    /// Takes a conversation. Whoever holds it leaves first: a person whose connection broke comes
    /// back before that is noticed.
    pub(crate) async fn hold(self: &Arc<Self>, conversation: &ConversationId) -> Hold {
        let (leave, asked) = oneshot::channel();
        let (leaving, left) = oneshot::channel();
        let number = self.counter.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let held = Held { number, leave: Some(leave), left };
        let before = self.lock().insert(conversation.clone(), held);
        if let Some(mut before) = before {
            before.ask(Asked::TakenOver);
            // Ready when the other one is gone.
            let _ = before.left.await;
        }
        if *self.stopping.borrow() {
            self.stop();
        }
        let conversation = conversation.clone();
        Hold { sessions: self.clone(), conversation, number, leave: asked, _left: leaving }
    }

    /// Asks whoever holds a conversation to leave it, and waits for that.
    pub(crate) async fn vacate(self: &Arc<Self>, conversation: &ConversationId) {
        let is_held = self.lock().contains_key(conversation);
        if is_held {
            drop(self.hold(conversation).await);
        }
    }

    /// Tells all sessions to end, and lets nobody in any more.
    pub(crate) fn stop(&self) {
        self.stopping.send_replace(true);
        self.lock().values_mut().for_each(|held| held.ask(Asked::Shutdown));
    }

    /// Ends when the server is about to stop.
    pub(crate) async fn stopping(&self) {
        let _ = self.stopping.subscribe().wait_for(|stopping| *stopping).await;
    }

    /// Ends when no session is open.
    pub(crate) async fn drained(&self) {
        let mut open = self.open.subscribe();
        // The sender is ours, so it is there.
        let _ = open.wait_for(|open| *open == 0).await;
    }

    /// How many connections there are.
    pub(crate) fn open(&self) -> usize {
        *self.open.borrow()
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<ConversationId, Held>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Held {
    fn ask(&mut self, asked: Asked) {
        if let Some(leave) = self.leave.take() {
            // A session that is over already needs not be asked.
            let _ = leave.send(asked);
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.sessions.open.send_modify(|open| *open -= 1);
    }
}

impl Hold {
    /// Ready when the session is asked to end, which it is once.
    pub(crate) fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Asked> {
        if self.leave.is_terminated() {
            return Poll::Pending;
        }
        match self.leave.poll_unpin(cx) {
            Poll::Ready(Ok(asked)) => Poll::Ready(asked),
            Poll::Ready(Err(_)) | Poll::Pending => Poll::Pending,
        }
    }
}

impl Drop for Hold {
    fn drop(&mut self) {
        let mut held = self.sessions.lock();
        if held.get(&self.conversation).is_some_and(|held| held.number == self.number) {
            held.remove(&self.conversation);
        }
    }
}

#[cfg(test)]
#[path = "sessions_tests.rs"]
mod tests;
