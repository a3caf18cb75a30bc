//! The open voice sessions: limits their number, gives each conversation to one session at a time, and asks
//! sessions to end.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};

use aileron_contract::ConversationId;
use futures_util::FutureExt;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot, watch};
use tokio_util::sync::CancellationToken;

/// All sessions of a server.
#[derive(Debug)]
pub(crate) struct Sessions {
    places: Arc<Semaphore>,
    held: Mutex<AllHeld>,
    stopping: watch::Sender<bool>,
    open: watch::Sender<usize>,
}

type AllHeld = BTreeMap<ConversationId, SessionHolder>;

/// The session that holds a conversation, and the channel to ask it to end.
#[derive(Debug)]
struct SessionHolder {
    leave: Option<oneshot::Sender<EndRequest>>,
    /// The holder, and earlier holders that may not have left yet; each token is cancelled when its session
    /// leaves.
    inside: Vec<CancellationToken>,
}

/// A slot for one connection, released on drop.
#[derive(Debug)]
pub(crate) struct ConnectionPermit {
    sessions: Arc<Sessions>,
    _permit: OwnedSemaphorePermit,
}

/// The right of one session to a conversation.
#[derive(Debug)]
pub(crate) struct SessionLease {
    sessions: Arc<Sessions>,
    conversation: ConversationId,
    leave: oneshot::Receiver<EndRequest>,
    /// Cancelled when this is dropped, which the next holder waits for.
    left: CancellationToken,
}

/// Why a session is asked to end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EndRequest {
    TakenOver,
    /// The conversation has ended.
    Ended,
    Shutdown,
}

impl Sessions {
    pub(crate) fn new(most: usize) -> Arc<Self> {
        Arc::new(Self {
            places: Arc::new(Semaphore::new(most.min(Semaphore::MAX_PERMITS))),
            held: Mutex::default(),
            stopping: watch::Sender::new(false),
            open: watch::Sender::new(0),
        })
    }

    /// A slot, unless all are in use or the server is stopping.
    pub(crate) fn enter(self: &Arc<Self>) -> Option<ConnectionPermit> {
        if *self.stopping.borrow() {
            return None;
        }
        let permit = self.places.clone().try_acquire_owned().ok()?;
        self.open.send_modify(|open| *open += 1);
        Some(ConnectionPermit { sessions: self.clone(), _permit: permit })
    }

    /// Takes a conversation. Asks the current holder to leave and waits for it, because a person whose
    /// connection broke reconnects before the server notices. Dropping the future leaves the other holders
    /// as they were.
    pub(crate) async fn hold(self: &Arc<Self>, conversation: &ConversationId) -> SessionLease {
        let (hold, before) = self.queue(conversation);
        all_left(&before).await;
        if *self.stopping.borrow() {
            self.stop();
        }
        hold
    }

    /// Asks the holder of a conversation to leave, and waits until it has.
    pub(crate) async fn end_current_session(&self, conversation: &ConversationId) {
        let before = ask_holder_to_leave(&mut self.lock(), conversation);
        all_left(&before).await;
    }

    /// Asks the session of a conversation that was ended to end.
    pub(crate) fn end(&self, conversation: &ConversationId) {
        self.lock()
            .get_mut(conversation)
            .into_iter()
            .for_each(|held| held.ask_holder_to_leave(EndRequest::Ended));
    }

    /// A lease on a conversation, and the tokens of the sessions that have to leave first.
    fn queue(
        self: &Arc<Self>,
        conversation: &ConversationId,
    ) -> (SessionLease, Vec<CancellationToken>) {
        let (leave, asked) = oneshot::channel();
        let left = CancellationToken::new();
        let mut held = self.lock();
        let before = ask_holder_to_leave(&mut held, conversation);
        let inside = before.iter().chain([&left]).cloned().collect();
        held.insert(conversation.clone(), SessionHolder { leave: Some(leave), inside });
        let (sessions, conversation) = (self.clone(), conversation.clone());
        (SessionLease { sessions, conversation, leave: asked, left }, before)
    }

    /// Asks all sessions to end, and accepts no further one.
    pub(crate) fn stop(&self) {
        self.stopping.send_replace(true);
        self.lock().values_mut().for_each(|held| held.ask_holder_to_leave(EndRequest::Shutdown));
    }

    /// Waits until the server is stopping.
    pub(crate) async fn stopping(&self) {
        let _ = self.stopping.subscribe().wait_for(|stopping| *stopping).await;
    }

    /// Waits until no session is open.
    pub(crate) async fn drained(&self) {
        let mut open = self.open.subscribe();
        // The sender is a field of this value, so it exists.
        let _ = open.wait_for(|open| *open == 0).await;
    }

    /// The number of connections.
    pub(crate) fn open(&self) -> usize {
        *self.open.borrow()
    }

    fn lock(&self) -> MutexGuard<'_, AllHeld> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Asks the holder of a conversation to leave. Returns the tokens of the sessions that have not left.
fn ask_holder_to_leave(
    held: &mut AllHeld,
    conversation: &ConversationId,
) -> Vec<CancellationToken> {
    let Some(held) = held.get_mut(conversation) else { return Vec::new() };
    held.ask_holder_to_leave(EndRequest::TakenOver);
    held.inside.iter().filter(|left| !left.is_cancelled()).cloned().collect()
}

async fn all_left(inside: &[CancellationToken]) {
    for left in inside {
        left.cancelled().await;
    }
}

impl SessionHolder {
    fn ask_holder_to_leave(&mut self, asked: EndRequest) {
        if let Some(leave) = self.leave.take() {
            // A session that is already over does not receive the request.
            let _ = leave.send(asked);
        }
    }
}

impl Drop for ConnectionPermit {
    fn drop(&mut self) {
        self.sessions.open.send_modify(|open| *open -= 1);
    }
}

impl SessionLease {
    /// Ready when the session is asked to end, at most once.
    pub(crate) fn poll(&mut self, cx: &mut Context<'_>) -> Poll<EndRequest> {
        if self.leave.is_terminated() {
            return Poll::Pending;
        }
        match self.leave.poll_unpin(cx) {
            Poll::Ready(Ok(asked)) => Poll::Ready(asked),
            Poll::Ready(Err(_)) | Poll::Pending => Poll::Pending,
        }
    }
}

impl Drop for SessionLease {
    /// The last holder to leave removes the entry.
    fn drop(&mut self) {
        let mut held = self.sessions.lock();
        self.left.cancel();
        let over = |held: &SessionHolder| held.inside.iter().all(CancellationToken::is_cancelled);
        if held.get(&self.conversation).is_some_and(over) {
            held.remove(&self.conversation);
        }
    }
}

#[cfg(test)]
#[path = "sessions_tests.rs"]
mod tests;
