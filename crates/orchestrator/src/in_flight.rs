//! Counts the calls in flight in all conversations, so that a shutdown can wait for them.

use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::sync::Notify;

/// The number of admitted calls that are not answered yet.
#[derive(Debug, Default)]
pub(crate) struct InFlight {
    count: AtomicUsize,
    last_left: Notify,
}

impl InFlight {
    pub(crate) fn enter(&self) {
        self.count.fetch_add(1, Ordering::AcqRel);
    }

    pub(crate) fn leave(&self) {
        if self.count.fetch_sub(1, Ordering::AcqRel) == 1 {
            self.last_left.notify_waiters();
        }
    }

    pub(crate) fn count(&self) -> usize {
        self.count.load(Ordering::Acquire)
    }

    /// Waits until no call is in flight.
    pub(crate) async fn wait_until_zero(&self) {
        loop {
            let left = self.last_left.notified();
            if self.count.load(Ordering::Acquire) == 0 {
                return;
            }
            left.await;
        }
    }
}
