//! How long to wait for another connection, and how often to try.

use std::time::Duration;

/// The numbers of reconnecting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Patience {
    /// The longest wait before the first further attempt; it doubles with each.
    pub first: Duration,
    /// The longest wait at all.
    pub most: Duration,
    /// How many connections in a row may come to nothing: those that were not made, and those that
    /// neither lasted nor completed an exchange.
    pub attempts: u32,
    /// How long a connection has to last to count as good although nothing was said over it.
    pub stable: Duration,
    /// How long before the provider leaves we do.
    pub margin: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            first: Duration::from_millis(200),
            most: Duration::from_secs(8),
            attempts: 8,
            stable: Duration::from_secs(10),
            margin: Duration::from_secs(2),
        }
    }
}

impl Patience {
    /// The wait before an attempt. The first comes at once or nearly: the person hears silence. From
    /// then on it is at least half of a length that doubles, so that a provider in trouble is not
    /// stormed by all conversations in step.
    pub(super) fn delay(&self, attempt: u32, chance: f64) -> Duration {
        let chance = if chance.is_finite() { chance.clamp(0.0, 1.0) } else { 1.0 };
        let doubled = 2u32.saturating_pow(attempt.saturating_sub(1));
        let longest = self.first.saturating_mul(doubled).min(self.most);
        match attempt {
            0 | 1 => longest.mul_f64(chance),
            _ => longest.mul_f64(0.5 + chance / 2.0),
        }
    }

    /// How long a calm moment is waited for once the provider is about to leave.
    pub(super) fn drain(&self, time_left: Option<Duration>) -> Duration {
        time_left.unwrap_or_default().saturating_sub(self.margin)
    }

    /// How long a connection is kept that announces its end before it was of any use. Another one
    /// would hardly be better, so all of the time it has is used.
    pub(super) fn keep(&self, time_left: Option<Duration>) -> Duration {
        time_left.unwrap_or_default()
    }
}
