//! When a request is made again: the wait that the provider asks for, or one
//! that doubles, with chance in it so that many clients do not come back at once.

use std::hash::{BuildHasher, RandomState};
use std::time::{Duration, SystemTime};

use aileron_contract::text::Fault;
use aileron_contract::transport::Severity;
use reqwest::header::{HeaderMap, RETRY_AFTER};

use super::options::Retries;

/// The wait before another attempt, or none if there is to be no other.
///
/// `attempts` were made in the time `spent`; `chance` is a number from 0 to 1.
pub(super) fn wait(
    retries: &Retries,
    fault: &Fault,
    attempts: u32,
    spent: Duration,
    chance: f64,
) -> Option<Duration> {
    if fault.severity != Severity::Retry || attempts > retries.most {
        return None;
    }
    let wait = fault.retry_after.unwrap_or_else(|| backoff(retries, attempts, chance));
    let left = retries.patience.checked_sub(spent)?;
    (wait <= left).then_some(wait)
}

/// Between half of the doubled wait and all of it.
fn backoff(retries: &Retries, attempts: u32, chance: f64) -> Duration {
    let doubled = 2u32.saturating_pow(attempts.saturating_sub(1));
    let longest = retries.first_wait.saturating_mul(doubled).min(retries.longest_wait);
    longest.mul_f64(0.5 + chance.clamp(0.0, 1.0) / 2.0)
}

/// A number from 0 to 1.
pub(super) fn chance() -> f64 {
    let random = RandomState::new().hash_one(());
    random as f64 / u64::MAX as f64
}

/// How long the headers of an answer ask to wait.
pub(super) fn asked(headers: &HeaderMap) -> Option<Duration> {
    asked_at(headers, SystemTime::now())
}

fn asked_at(headers: &HeaderMap, now: SystemTime) -> Option<Duration> {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).map(str::trim);
    let number = |text: &str| text.parse::<f64>().ok();
    let exact = text("retry-after-ms").and_then(number);
    if let Some(milliseconds) = exact {
        return Duration::try_from_secs_f64(milliseconds / 1000.0).ok();
    }
    let after = text(RETRY_AFTER.as_str())?;
    if let Some(seconds) = number(after) {
        return Duration::try_from_secs_f64(seconds).ok();
    }
    let date = httpdate::parse_http_date(after).ok()?;
    // A date that is past asks for no wait at all.
    Some(date.duration_since(now).unwrap_or_default())
}

#[cfg(test)]
#[path = "retry_tests.rs"]
mod tests;
