//! Parses and formats times for people. Internally they are milliseconds since the Unix epoch.

use std::time::{SystemTime, UNIX_EPOCH};

use jiff::Timestamp;
use jiff::civil::Date;

const EXPECTED: &str =
    "expected a moment such as 2027-01-15T08:00:00Z, or how long ago: 30s, 15m, 2h, 3d";

const EXPECTED_LIMIT: &str = "expected a day or a moment such as 2026-01-31 or 2026-01-31T12:00:00Z, \
                              or how long ago: 30s, 15m, 2h, 3d";

/// A moment as RFC 3339, in UTC, with milliseconds.
pub(crate) fn written(millis: u64) -> String {
    let moment = i64::try_from(millis).ok().and_then(|at| Timestamp::from_millisecond(at).ok());
    moment.map_or_else(|| format!("{millis} ms"), |moment| format!("{moment:.3}"))
}

/// Reads a moment from the command line.
pub(crate) fn parse(text: &str) -> Result<u64, String> {
    parse_at(text, now())
}

/// Parses a limit of a time range: a date stays a date, `2h` ago becomes a time.
pub(crate) fn limit(text: &str) -> Result<String, String> {
    if let Some(ago) = ago(text) {
        return Ok(written(now().saturating_sub(ago)));
    }
    let is_date = text.parse::<Timestamp>().is_ok() || is_day(text);
    if is_date { Ok(text.to_owned()) } else { Err(EXPECTED_LIMIT.to_owned()) }
}

fn is_day(text: &str) -> bool {
    text.len() == "2026-01-31".len() && text.parse::<Date>().is_ok()
}

fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

fn parse_at(text: &str, now: u64) -> Result<u64, String> {
    if let Some(ago) = ago(text) {
        return Ok(now.saturating_sub(ago));
    }
    let moment: Timestamp = text.parse().map_err(|_| EXPECTED.to_owned())?;
    u64::try_from(moment.as_millisecond()).map_err(|_| "expected a moment after 1970".to_owned())
}

/// The milliseconds of `15m`, if it is written that way.
fn ago(text: &str) -> Option<u64> {
    let (number, unit) = text.split_at_checked(text.len().checked_sub(1)?)?;
    let unit = match unit {
        "s" => 1_000,
        "m" => 60_000,
        "h" => 3_600_000,
        "d" => 86_400_000,
        _ => return None,
    };
    let digits = number.bytes().all(|byte| byte.is_ascii_digit());
    number.parse::<u64>().ok().filter(|_| digits)?.checked_mul(unit)
}

#[cfg(test)]
#[path = "moment_tests.rs"]
mod tests;
