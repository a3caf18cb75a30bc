//! Polls a part of a session only when there is a reason: its waker was called, it was accessed mutably, or its
//! last poll was ready. An audio frame then costs only the polls of its sockets.

use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Wake, Waker};

/// The waker of one part, which also wakes the task.
#[derive(Debug, Default)]
struct WakeFlag {
    rang: AtomicBool,
    task: Mutex<Option<Waker>>,
}

impl WakeFlag {
    /// Whether the waker was called since the last look. Loads first, because that is cheaper than a swap.
    fn was_rung(&self) -> bool {
        self.rang.load(Ordering::Acquire) && self.rang.swap(false, Ordering::AcqRel)
    }

    fn set_task(&self, task: Waker) {
        *self.task.lock().unwrap_or_else(PoisonError::into_inner) = Some(task);
    }
}

impl Wake for WakeFlag {
    fn wake(self: Arc<Self>) {
        self.wake_by_ref();
    }

    fn wake_by_ref(self: &Arc<Self>) {
        self.rang.store(true, Ordering::Release);
        if let Some(task) = &*self.task.lock().unwrap_or_else(PoisonError::into_inner) {
            task.wake_by_ref();
        }
    }
}

/// Why a part is polled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WakeReason {
    /// It was accessed mutably: there may be something to send, but no new input.
    Written,
    /// Its waker was called, or there may be more input.
    Woken,
}

/// A part with its own waker. Mutable access marks it as written.
#[derive(Debug)]
pub(crate) struct PollOnWake<T> {
    part: T,
    bell: Arc<WakeFlag>,
    /// The waker of this part.
    waker: Waker,
    /// The waker of the task. It rarely changes, so it is rarely stored.
    task: Option<Waker>,
    reason: Option<WakeReason>,
}

impl<T> PollOnWake<T> {
    pub(crate) fn new(part: T) -> Self {
        let bell = Arc::new(WakeFlag::default());
        let waker = bell.clone().into();
        Self { part, bell, waker, task: None, reason: Some(WakeReason::Woken) }
    }

    pub(crate) fn into_inner(self) -> T {
        self.part
    }

    /// Polls the part if there is a reason to.
    pub(crate) fn poll<R>(
        &mut self,
        cx: &mut Context<'_>,
        poll: impl FnOnce(&mut T, WakeReason, &mut Context<'_>) -> Poll<R>,
    ) -> Poll<R> {
        self.listen(cx.waker());
        let rang = self.bell.was_rung().then_some(WakeReason::Woken);
        let Some(reason) = rang.or(self.reason.take()) else { return Poll::Pending };
        let polled = poll(&mut self.part, reason, &mut Context::from_waker(&self.waker));
        self.reason = polled.is_ready().then_some(WakeReason::Woken);
        polled
    }

    fn listen(&mut self, task: &Waker) {
        if !self.task.as_ref().is_some_and(|known| known.will_wake(task)) {
            self.bell.set_task(task.clone());
            self.task = Some(task.clone());
        }
    }
}

impl<T> Deref for PollOnWake<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.part
    }
}

impl<T> DerefMut for PollOnWake<T> {
    fn deref_mut(&mut self) -> &mut T {
        self.reason = self.reason.or(Some(WakeReason::Written));
        &mut self.part
    }
}

#[cfg(test)]
#[path = "poll_on_wake_tests.rs"]
mod tests;
