//! Time windows and lists of them.

use aileron_capability::calendar::{Span, Zone};
use aileron_capability::{CapabilityFault, FaultCode};
use jiff::{SignedDuration, Timestamp};

/// A half-open span of time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct TimeWindow {
    pub start: Timestamp,
    pub end: Timestamp,
}

impl TimeWindow {
    /// Reads two RFC 3339 times of which the second is the later one.
    pub fn read(start: &str, end: &str) -> Result<Self, CapabilityFault> {
        let moment = |text: &str| {
            text.parse::<Timestamp>()
                .map_err(|_| refused(&format!("expected an RFC 3339 date-time, found {text:?}")))
        };
        let window = Self { start: moment(start)?, end: moment(end)? };
        match window.start < window.end {
            true => Ok(window),
            false => Err(refused(&format!("expected an end after {start}, found {end}"))),
        }
    }

    /// Whether they overlap.
    pub fn meets(&self, other: &Self) -> bool {
        self.start < other.end && other.start < self.end
    }

    /// Extended by days at both ends.
    pub(crate) fn widened(&self, before_days: i64, after_days: i64) -> Self {
        let days = |days: i64| SignedDuration::from_hours(24 * days);
        Self {
            start: self.start.checked_sub(days(before_days)).unwrap_or(Timestamp::MIN),
            end: self.end.checked_add(days(after_days)).unwrap_or(Timestamp::MAX),
        }
    }

    pub(crate) fn span(&self) -> Span {
        let utc = Zone::default();
        Span { start: utc.rfc3339(self.start), end: utc.rfc3339(self.end) }
    }
}

/// The union as sorted windows that do not touch.
pub(crate) fn merged(mut windows: Vec<TimeWindow>) -> Vec<TimeWindow> {
    windows.sort_unstable();
    let mut merged: Vec<TimeWindow> = Vec::new();
    for window in windows {
        match merged.last_mut() {
            Some(last) if window.start <= last.end => last.end = last.end.max(window.end),
            _ => merged.push(window),
        }
    }
    merged
}

fn refused(message: &str) -> CapabilityFault {
    CapabilityFault::new(FaultCode::Refused, message)
}

/// RFC 3339 in UTC.
pub(crate) fn utc(moment: Timestamp) -> String {
    Zone::default().rfc3339(moment)
}
