//! When a request is retried: after the wait that the provider requests, or else after the backoff.

use std::time::{Duration, SystemTime};

use aileron_contract::Jitter;
use aileron_contract::text::ReplyFault;
use aileron_contract::transport::Severity;
use reqwest::header::{HeaderMap, RETRY_AFTER};

use super::options::Retries;

/// The wait before another attempt, or `None` if there is to be no other.
///
/// `attempts` were made in the time `spent`.
pub(super) fn wait(
    retries: &Retries,
    fault: &ReplyFault,
    attempts: u32,
    spent: Duration,
    jitter: Jitter,
) -> Option<Duration> {
    if fault.severity != Severity::Retry || attempts > retries.most {
        return None;
    }
    let wait = fault.retry_after.unwrap_or_else(|| retries.backoff.jittered(attempts, jitter));
    let left = retries.patience.checked_sub(spent)?;
    (wait <= left).then_some(wait)
}

/// The wait that the headers of a response request.
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
    // A date in the past requests no wait.
    Some(date.duration_since(now).unwrap_or_default())
}

#[cfg(test)]
#[path = "retry_tests.rs"]
mod tests;
