//! When a lost connection is made again, and how often.

use std::time::Duration;

use aileron_contract::{Backoff, Jitter};

/// The numbers of reconnecting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reconnect {
    pub backoff: Backoff,
    /// How many connections in a row may fail: those that were not made, and those that neither
    /// lasted nor completed an exchange.
    pub max_attempts: u32,
    /// How long a connection has to last to count as good although nothing was said over it.
    pub stable: Duration,
    /// How long before the provider closes the connection we close it.
    pub drain_margin: Duration,
}

impl Default for Reconnect {
    fn default() -> Self {
        Self {
            backoff: Backoff { base: Duration::from_millis(200), max: Duration::from_secs(8) },
            max_attempts: 8,
            stable: Duration::from_secs(10),
            drain_margin: Duration::from_secs(2),
        }
    }
}

impl Reconnect {
    /// The wait before an attempt. The first attempt comes at once or nearly, because the person
    /// hears silence.
    pub(super) fn delay(&self, attempt: u32, jitter: Jitter) -> Duration {
        match attempt {
            0 | 1 => self.backoff.fully_jittered(attempt, jitter),
            _ => self.backoff.jittered(attempt, jitter),
        }
    }

    /// How long to wait for a pause in the conversation once the provider is about to close.
    pub(super) fn drain(&self, time_left: Option<Duration>) -> Duration {
        time_left.unwrap_or_default().saturating_sub(self.drain_margin)
    }

    /// How long to keep a connection whose end is announced before it was of any use. Another one
    /// would hardly be better, so all of the time it has is used.
    pub(super) fn keep(&self, time_left: Option<Duration>) -> Duration {
        time_left.unwrap_or_default()
    }
}
