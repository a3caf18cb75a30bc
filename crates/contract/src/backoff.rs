//! Exponential backoff with jitter: the one rule for waiting between attempts.

use std::hash::{BuildHasher, RandomState};
use std::time::Duration;

/// Waits that double from `base` up to `max`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Backoff {
    /// The wait after the first failure.
    pub base: Duration,
    pub max: Duration,
}

impl Backoff {
    /// No wait between attempts.
    pub const NONE: Self = Self { base: Duration::ZERO, max: Duration::ZERO };

    /// The whole wait after so many failures, without jitter.
    pub fn wait(&self, failures: u32) -> Duration {
        let doubled = 2u32.saturating_pow(failures.saturating_sub(1));
        self.base.saturating_mul(doubled).min(self.max)
    }

    /// Between half of the wait and all of it, so that many clients do not retry at the same moment.
    pub fn jittered(&self, failures: u32, jitter: Jitter) -> Duration {
        self.wait(failures).mul_f64(0.5 + jitter.0 / 2.0)
    }

    /// Between no wait and all of it: for the first retry of a request that a person waits for.
    pub fn fully_jittered(&self, failures: u32, jitter: Jitter) -> Duration {
        self.wait(failures).mul_f64(jitter.0)
    }
}

/// A fraction from 0 to 1, passed as a parameter so that tests can choose it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Jitter(f64);

impl Jitter {
    /// Clamps to 0 to 1; NaN counts as 1.
    pub fn new(fraction: f64) -> Self {
        Self(if fraction.is_nan() { 1.0 } else { fraction.clamp(0.0, 1.0) })
    }

    /// A random fraction.
    pub fn random() -> Self {
        Self::new(RandomState::new().hash_one(()) as f64 / u64::MAX as f64)
    }
}

#[cfg(test)]
#[path = "backoff_tests.rs"]
mod tests;
