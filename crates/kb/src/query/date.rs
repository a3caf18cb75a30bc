//! Instants and ranges of time: RFC 3339, or a day alone.

use std::fmt;

use aileron_contract::kb::DateRange;
use jiff::civil::Date;
use jiff::{Timestamp, ToSpan, tz::TimeZone};

/// A limit that is no date, or limits the wrong way round.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum DateError {
    Unreadable { which: &'static str, found: String },
    Reversed { start: String, end: String },
}

impl fmt::Display for DateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable { which, found } => write!(
                f,
                "expected {which} to be a date such as 2026-01-31 or 2026-01-31T12:00:00Z, found {found:?}"
            ),
            Self::Reversed { start, end } => {
                write!(f, "expected start to be before end, found {start} after {end}")
            }
        }
    }
}

impl std::error::Error for DateError {}

/// Microseconds since 1970 of a date; of a day alone, its beginning in UTC.
pub(crate) fn instant(text: &str) -> Result<i64, String> {
    span(text).map(|(first, _)| first).ok_or_else(|| format!("found {text:?}"))
}

/// The limits in microseconds since 1970, both included. A day alone is all of the day.
pub(crate) fn range(range: &DateRange) -> Result<Option<(i64, i64)>, DateError> {
    let read = |which, text: &Option<String>| {
        let unreadable = |found: &String| DateError::Unreadable { which, found: found.clone() };
        text.as_ref().map(|text| span(text).ok_or_else(|| unreadable(text))).transpose()
    };
    let (start, end) = (read("start", &range.start)?, read("end", &range.end)?);
    let limits = (start.map_or(i64::MIN, |span| span.0), end.map_or(i64::MAX, |span| span.1));
    if limits.0 > limits.1 {
        let text = |side: &Option<String>| side.clone().unwrap_or_default();
        return Err(DateError::Reversed { start: text(&range.start), end: text(&range.end) });
    }
    Ok((start.is_some() || end.is_some()).then_some(limits))
}

/// The first and the last microsecond that a date names.
fn span(text: &str) -> Option<(i64, i64)> {
    let text = text.trim();
    if let Ok(instant) = text.parse::<Timestamp>() {
        return Some((instant.as_microsecond(), instant.as_microsecond()));
    }
    let day = (text.len() == "2026-01-31".len()).then(|| text.parse::<Date>().ok())??;
    let begin = |day: Date| Some(day.to_zoned(TimeZone::UTC).ok()?.timestamp().as_microsecond());
    Some((begin(day)?, begin(day.checked_add(1.day()).ok()?)? - 1))
}

#[cfg(test)]
#[path = "date_tests.rs"]
mod tests;
