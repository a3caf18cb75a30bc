//! Moments and fixed UTC offsets: RFC 3339 in, calendar fields out.
//! There is no time zone database behind it.

mod gregorian;
mod rfc3339;

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

pub const MINUTE_MS: i64 = 60_000;
pub const HOUR_MS: i64 = 60 * MINUTE_MS;
pub const DAY_MS: i64 = 24 * HOUR_MS;

/// A moment, to the millisecond.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Moment(i64);

/// How far a clock is ahead of UTC, in minutes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct Offset(i32);

/// What calendar and clock show at an offset.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Local {
    pub year: i64,
    /// 1 to 12.
    pub month: u8,
    pub day: u8,
    /// 0 is Sunday.
    pub weekday: u8,
    pub hour: u8,
    pub minute: u8,
    pub second: u8,
    pub offset: Offset,
}

/// A text that is no moment, or no offset.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unreadable {
    expected: &'static str,
    found: String,
}

impl Unreadable {
    fn new(expected: &'static str, found: &str) -> Self {
        Self { expected, found: found.chars().take(80).collect() }
    }
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected {}, found {:?}", self.expected, self.found)
    }
}

impl std::error::Error for Unreadable {}

impl Moment {
    /// The moment so many milliseconds after the Unix epoch, or before it.
    pub const fn from_unix_ms(ms: i64) -> Self {
        Self(ms)
    }

    /// Milliseconds since the Unix epoch.
    pub const fn unix_ms(self) -> i64 {
        self.0
    }

    /// What a clock at this offset shows.
    pub fn at(self, offset: Offset) -> Local {
        let local = self.0.saturating_add(i64::from(offset.0) * MINUTE_MS);
        let (day, ms) = (local.div_euclid(DAY_MS), local.rem_euclid(DAY_MS));
        let (year, month, day_of_month) = gregorian::date(day);
        Local {
            year,
            month,
            day: day_of_month,
            weekday: small((day + 4).rem_euclid(7)),
            hour: small(ms / HOUR_MS),
            minute: small(ms / MINUTE_MS % 60),
            second: small(ms / 1000 % 60),
            offset,
        }
    }
}

impl FromStr for Moment {
    type Err = Unreadable;

    fn from_str(text: &str) -> Result<Self, Unreadable> {
        rfc3339::moment(text)
            .map(Self)
            .ok_or_else(|| Unreadable::new("an RFC 3339 date-time", text))
    }
}

impl TryFrom<String> for Moment {
    type Error = Unreadable;

    fn try_from(text: String) -> Result<Self, Unreadable> {
        text.parse()
    }
}

impl From<Moment> for String {
    fn from(moment: Moment) -> Self {
        moment.at(Offset::UTC).to_string()
    }
}

impl Offset {
    /// No offset at all.
    pub const UTC: Self = Self(0);
}

/// Reads `Z`, `UTC` or a signed `+hh:mm`.
impl FromStr for Offset {
    type Err = Unreadable;

    fn from_str(text: &str) -> Result<Self, Unreadable> {
        rfc3339::offset(text)
            .map(Self)
            .ok_or_else(|| Unreadable::new("a UTC offset such as +01:00", text))
    }
}

impl TryFrom<String> for Offset {
    type Error = Unreadable;

    fn try_from(text: String) -> Result<Self, Unreadable> {
        text.parse()
    }
}

impl fmt::Display for Offset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 == 0 {
            return f.write_str("Z");
        }
        let (sign, size) = (if self.0 < 0 { '-' } else { '+' }, self.0.abs());
        write!(f, "{sign}{:02}:{:02}", size / 60, size % 60)
    }
}

/// RFC 3339, to the second.
impl fmt::Display for Local {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { year, month, day, hour, minute, second, offset, .. } = self;
        write!(f, "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}{offset}")
    }
}

/// A field of a date or a clock, none of which is larger than 59.
fn small(number: i64) -> u8 {
    u8::try_from(number).unwrap_or_default()
}

#[cfg(test)]
#[path = "moment_tests.rs"]
mod tests;
