//! The handle of an operation: await it, or wait for it on a plain thread.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use crate::error::StoreError;
use crate::slot::Slot;

type Answer<T> = Result<T, StoreError>;

/// What an operation will answer. The operation is under way whether or not
/// anyone looks; dropping the handle only gives up the answer. The one exception is the beginning of
/// a call that writes, which is under way when its handle is first looked at.
#[must_use = "the operation may have failed: await it, or call `wait`"]
pub struct Commit<T>(State<T>);

enum State<T> {
    Ready(Option<Answer<T>>),
    Pending(Arc<Slot<Answer<T>>>),
    Unasked(Box<dyn FnOnce() -> Commit<T> + Send + Sync>),
}

impl<T> Commit<T> {
    /// A handle that has its answer.
    pub fn ready(answer: Result<T, StoreError>) -> Self {
        Self(State::Ready(Some(answer)))
    }

    /// A handle whose operation is asked for when somebody waits for it.
    pub(crate) fn unasked(ask: impl FnOnce() -> Self + Send + Sync + 'static) -> Self {
        Self(State::Unasked(Box::new(ask)))
    }

    /// A handle, and the end that answers it.
    pub fn pending() -> (Reply<T>, Self) {
        let slot = Slot::new();
        (Reply(Some(slot.clone())), Self(State::Pending(slot)))
    }

    /// Blocks the thread until there is an answer. Not for async code.
    pub fn wait(self) -> Result<T, StoreError> {
        match self.0 {
            State::Ready(answer) => answer.unwrap_or(Err(StoreError::Closed)),
            State::Pending(slot) => slot.wait(Option::take),
            State::Unasked(ask) => ask().wait(),
        }
    }
}

/// Nothing in a handle is pinned.
impl<T> Unpin for Commit<T> {}

impl<T> Future for Commit<T> {
    type Output = Result<T, StoreError>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        match &mut self.0 {
            State::Ready(answer) => Poll::Ready(answer.take().unwrap_or(Err(StoreError::Closed))),
            State::Pending(slot) => slot.poll(context, Option::take),
            State::Unasked(_) => {
                let unasked = std::mem::replace(&mut self.0, State::Ready(None));
                if let State::Unasked(ask) = unasked {
                    *self = ask();
                }
                self.poll(context)
            }
        }
    }
}

impl<T> fmt::Debug for Commit<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ready = matches!(self.0, State::Ready(_));
        f.debug_struct("Commit").field("ready", &ready).finish()
    }
}

/// The end of a [`Commit`] that answers. Dropped unanswered, it says that the store is closed.
pub struct Reply<T>(Option<Arc<Slot<Answer<T>>>>);

impl<T> Reply<T> {
    /// Answers.
    pub fn send(mut self, answer: Result<T, StoreError>) {
        if let Some(slot) = self.0.take() {
            slot.set(answer);
        }
    }
}

impl<T> Drop for Reply<T> {
    fn drop(&mut self) {
        if let Some(slot) = self.0.take() {
            slot.set(Err(StoreError::Closed));
        }
    }
}

impl<T> fmt::Debug for Reply<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Reply")
    }
}

#[cfg(test)]
#[path = "commit_tests.rs"]
mod tests;
