//! A timer that is rarely set and often polled: with each frame.

use std::pin::Pin;
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use tokio::task::coop::has_budget_remaining;
use tokio::time::{Instant, Sleep, sleep};

#[derive(Debug)]
pub(super) struct Alarm {
    sleep: Pin<Box<Sleep>>,
    /// The waker that was registered.
    wakes: Option<Waker>,
}

impl Alarm {
    pub(super) fn after(time: Duration) -> Self {
        Self { sleep: Box::pin(sleep(time)), wakes: None }
    }

    pub(super) fn set(&mut self, due: Instant) {
        self.sleep.as_mut().reset(due);
        self.wakes = None;
    }

    pub(super) fn due(&self) -> Instant {
        self.sleep.deadline()
    }

    /// Ready from the due time until it is set again.
    pub(super) fn poll(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        let knows = self.wakes.as_ref().is_some_and(|waker| waker.will_wake(cx.waker()));
        if knows && !self.sleep.is_elapsed() {
            return Poll::Pending;
        }
        // A task without budget is not registered with the timer, so its waker is not stored.
        self.wakes = has_budget_remaining().then(|| cx.waker().clone());
        self.sleep.as_mut().poll(cx)
    }
}

#[cfg(test)]
#[path = "timer_tests.rs"]
mod tests;
