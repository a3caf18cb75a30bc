//! When and how often a lost connection is restored.

use std::time::Duration;

use aileron_contract::{Backoff, Jitter};

/// The settings of reconnecting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reconnect {
    pub backoff: Backoff,
    /// How many consecutive connections may fail: those that could not be made, and those that neither
    /// lasted nor completed an exchange.
    pub max_attempts: u32,
    /// How long a connection has to last to count as good although no turn was completed over it.
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
    /// The wait before an attempt. The first attempt comes at once or nearly, because the person hears silence.
    pub(super) fn delay(&self, attempt: u32, jitter: Jitter) -> Duration {
        match attempt {
            0 | 1 => self.backoff.fully_jittered(attempt, jitter),
            _ => self.backoff.jittered(attempt, jitter),
        }
    }

    /// How long to wait for a pause in the conversation once the provider has announced the end.
    pub(super) fn drain(&self, time_left: Option<Duration>) -> Duration {
        time_left.unwrap_or_default().saturating_sub(self.drain_margin)
    }

    /// How long to keep a connection whose end was announced before it was of use. Another one would hardly be
    /// better, so all of its time is used.
    pub(super) fn keep(&self, time_left: Option<Duration>) -> Duration {
        time_left.unwrap_or_default()
    }
}
