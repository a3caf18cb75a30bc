//! Time, from a clock that tests can hold.

use std::fmt;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use futures_util::future::BoxFuture;
use tokio::sync::watch;

/// Tells the time and wakes those who wait for it.
pub trait Clock: Send + Sync + fmt::Debug {
    /// Milliseconds since the Unix epoch.
    fn now_ms(&self) -> u64;

    /// Ends when the clock shows this time or a later one.
    fn wait_until(&self, time_ms: u64) -> BoxFuture<'static, ()>;
}

/// The machine's own clock.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now_ms(&self) -> u64 {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
    }

    fn wait_until(&self, time_ms: u64) -> BoxFuture<'static, ()> {
        let left = time_ms.saturating_sub(self.now_ms());
        Box::pin(tokio::time::sleep(Duration::from_millis(left)))
    }
}

/// A clock that stands still until it is moved: for tests, cases and scripts.
#[derive(Debug)]
pub struct ManualClock(watch::Sender<u64>);

impl ManualClock {
    /// A clock that shows this time.
    pub fn at(time_ms: u64) -> Self {
        Self(watch::Sender::new(time_ms))
    }

    /// Moves the clock on.
    pub fn advance(&self, ms: u64) {
        self.0.send_modify(|now| *now = now.saturating_add(ms));
    }
}

impl Clock for ManualClock {
    fn now_ms(&self) -> u64 {
        *self.0.borrow()
    }

    fn wait_until(&self, time_ms: u64) -> BoxFuture<'static, ()> {
        let mut hands = self.0.subscribe();
        Box::pin(async move {
            // A clock that is gone shows no later time.
            if hands.wait_for(|now| *now >= time_ms).await.is_err() {
                std::future::pending::<()>().await;
            }
        })
    }
}
