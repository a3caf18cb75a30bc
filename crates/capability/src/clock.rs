//! Time, from a clock that tests can control.

use std::fmt;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use futures_util::future::BoxFuture;
use tokio::sync::watch;

/// Returns the time, and completes waits.
pub trait Clock: Send + Sync + fmt::Debug {
    /// Milliseconds since the Unix epoch.
    fn now_ms(&self) -> u64;

    /// Completes when the clock shows this time or a later one.
    fn wait_until(&self, time_ms: u64) -> BoxFuture<'static, ()>;

    /// Milliseconds of a monotonic clock: setting the wall clock does not change it. Only
    /// differences have a meaning.
    fn monotonic_ms(&self) -> u64 {
        self.now_ms()
    }
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

    fn monotonic_ms(&self) -> u64 {
        static BEGAN: OnceLock<(Instant, u64)> = OnceLock::new();
        let (began, then) = BEGAN.get_or_init(|| (Instant::now(), self.now_ms()));
        let passed = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
        then.saturating_add(passed)
    }
}

/// A clock that stands still until it is moved: for tests, cases and scripts.
#[derive(Debug)]
pub struct ManualClock {
    hands: watch::Sender<u64>,
    /// By how much it was set forward without time passing.
    jumped: AtomicU64,
}

impl ManualClock {
    /// A clock that shows this time.
    pub fn at(time_ms: u64) -> Self {
        Self { hands: watch::Sender::new(time_ms), jumped: AtomicU64::new(0) }
    }

    /// Advances the clock: time passes.
    pub fn advance(&self, ms: u64) {
        self.hands.send_modify(|now| *now = now.saturating_add(ms));
    }

    /// Sets the clock forward, as a wrong time server does: no time passes.
    pub fn jump(&self, ms: u64) {
        self.jumped.fetch_add(ms, Ordering::SeqCst);
        self.advance(ms);
    }
}

impl Clock for ManualClock {
    fn now_ms(&self) -> u64 {
        *self.hands.borrow()
    }

    fn monotonic_ms(&self) -> u64 {
        self.now_ms().saturating_sub(self.jumped.load(Ordering::SeqCst))
    }

    fn wait_until(&self, time_ms: u64) -> BoxFuture<'static, ()> {
        let mut hands = self.hands.subscribe();
        Box::pin(async move {
            // A dropped clock never shows a later time.
            if hands.wait_for(|now| *now >= time_ms).await.is_err() {
                std::future::pending::<()>().await;
            }
        })
    }
}
