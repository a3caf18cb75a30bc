//! The handle of an operation: await it, or wait for it on a plain thread.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use crate::error::StoreError;
use crate::shared_once::SharedOnce;

type Answer<T> = Result<T, StoreError>;

/// The future result of an operation. The operation runs whether or not the handle is polled;
/// dropping the handle only discards the result. The one exception is starting a call that writes:
/// that operation begins when its handle is first polled.
#[must_use = "the operation may have failed: await it, or call `wait`"]
pub struct PendingWrite<T>(WriteState<T>);

enum WriteState<T> {
    Ready(Option<Answer<T>>),
    Pending(Arc<SharedOnce<Answer<T>>>),
    Unasked(Box<dyn FnOnce() -> PendingWrite<T> + Send + Sync>),
}

impl<T> PendingWrite<T> {
    /// A handle that already has its result.
    pub fn ready(answer: Result<T, StoreError>) -> Self {
        Self(WriteState::Ready(Some(answer)))
    }

    /// A handle of an operation that has succeeded.
    pub fn done(result: T) -> Self {
        Self::ready(Ok(result))
    }

    /// A handle of an operation that failed.
    pub fn failed(error: StoreError) -> Self {
        Self::ready(Err(error))
    }

    /// A handle whose operation is submitted when a caller first waits for it.
    pub(crate) fn unasked(ask: impl FnOnce() -> Self + Send + Sync + 'static) -> Self {
        Self(WriteState::Unasked(Box::new(ask)))
    }

    /// A handle, and the sender that completes it.
    pub fn pending() -> (WriteCompleter<T>, Self) {
        let slot = SharedOnce::new();
        (WriteCompleter(Some(slot.clone())), Self(WriteState::Pending(slot)))
    }

    /// Blocks the thread until there is a result. Not for async code.
    pub fn wait(self) -> Result<T, StoreError> {
        match self.0 {
            WriteState::Ready(answer) => answer.unwrap_or(Err(StoreError::Closed)),
            WriteState::Pending(slot) => slot.wait(Option::take),
            WriteState::Unasked(ask) => ask().wait(),
        }
    }
}

/// Nothing in a handle is pinned.
impl<T> Unpin for PendingWrite<T> {}

impl<T> Future for PendingWrite<T> {
    type Output = Result<T, StoreError>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        match &mut self.0 {
            WriteState::Ready(answer) => {
                Poll::Ready(answer.take().unwrap_or(Err(StoreError::Closed)))
            }
            WriteState::Pending(slot) => slot.poll(context, Option::take),
            WriteState::Unasked(_) => {
                let unasked = std::mem::replace(&mut self.0, WriteState::Ready(None));
                if let WriteState::Unasked(ask) = unasked {
                    *self = ask();
                }
                self.poll(context)
            }
        }
    }
}

impl<T> fmt::Debug for PendingWrite<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ready = matches!(self.0, WriteState::Ready(_));
        f.debug_struct("PendingWrite").field("ready", &ready).finish()
    }
}

/// The sending half of a [`PendingWrite`]. Dropping it unanswered means that the store is closed.
pub struct WriteCompleter<T>(Option<Arc<SharedOnce<Answer<T>>>>);

impl<T> WriteCompleter<T> {
    /// Sends the result.
    pub fn send(mut self, answer: Result<T, StoreError>) {
        if let Some(slot) = self.0.take() {
            slot.set(answer);
        }
    }
}

impl<T> Drop for WriteCompleter<T> {
    fn drop(&mut self) {
        if let Some(slot) = self.0.take() {
            slot.set(Err(StoreError::Closed));
        }
    }
}

impl<T> fmt::Debug for WriteCompleter<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Reply")
    }
}

#[cfg(test)]
#[path = "pending_write_tests.rs"]
mod tests;
