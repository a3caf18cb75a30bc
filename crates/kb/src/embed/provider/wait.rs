//! How long to wait between two attempts.

use std::hash::{BuildHasher, RandomState};
use std::time::Duration;

use jiff::Timestamp;
use jiff::fmt::rfc2822;
use reqwest::header::{HeaderMap, RETRY_AFTER};

/// No wait of our own is longer.
const LONGEST: Duration = Duration::from_secs(20);

/// The wait before another attempt after `failed` ones: doubled each time, half of it by
/// chance, so that many clients do not come back together.
pub(super) fn backoff(first: Duration, failed: u32) -> Duration {
    let doubled = first.saturating_mul(1 << failed.saturating_sub(1).min(16)).min(LONGEST);
    let chance = (RandomState::new().hash_one(failed) >> 32) as f64 / f64::from(u32::MAX);
    doubled.mul_f64(0.5 + chance / 2.0)
}

/// What `Retry-After` asks for: seconds, or a date.
pub(super) fn retry_after(headers: &HeaderMap, now: Timestamp) -> Option<Duration> {
    let text = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    if let Ok(seconds) = text.parse() {
        return Some(Duration::from_secs(seconds));
    }
    let date = rfc2822::parse(text).ok()?.timestamp();
    Some(Duration::try_from(date.duration_since(now)).unwrap_or(Duration::ZERO))
}

#[cfg(test)]
#[path = "wait_tests.rs"]
mod tests;
