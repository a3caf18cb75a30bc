//! Moments and fixed UTC offsets: RFC 3339 in, calendar fields out.
//! There is no time zone database behind it.

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
        let (year, month, day_of_month) = date(day);
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
        read(text).map(Self).ok_or_else(|| Unreadable::new("an RFC 3339 date-time", text))
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

    fn read(text: &str) -> Option<Self> {
        if text.eq_ignore_ascii_case("z") || text.eq_ignore_ascii_case("utc") {
            return Some(Self::UTC);
        }
        let (sign, time) = match text.split_at_checked(1)? {
            ("+", time) => (1, time),
            ("-", time) => (-1, time),
            _ => return None,
        };
        let (hours, minutes) = time.split_once(':')?;
        let minutes = number(hours, 2, 0..=23)? * 60 + number(minutes, 2, 0..=59)?;
        i32::try_from(sign * minutes).ok().map(Self)
    }
}

/// Reads `Z`, `UTC` or a signed `+hh:mm`.
impl FromStr for Offset {
    type Err = Unreadable;

    fn from_str(text: &str) -> Result<Self, Unreadable> {
        Self::read(text).ok_or_else(|| Unreadable::new("a UTC offset such as +01:00", text))
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

/// `2026-02-03T10:00:00.5+01:00` as milliseconds since the epoch.
fn read(text: &str) -> Option<i64> {
    let (date, rest) = text.split_at_checked(10)?;
    let rest = rest.strip_prefix(['T', 't', ' '])?;
    let (time, rest) = rest.split_at_checked(8)?;
    let zone = rest.find(['Z', 'z', '+', '-'])?;
    let (fraction, zone) = rest.split_at_checked(zone)?;
    let local = read_date(date)? * DAY_MS + read_time(time)? + read_fraction(fraction)?;
    Some(local - i64::from(Offset::read(zone)?.0) * MINUTE_MS)
}

/// The day, counted from 1970-01-01.
fn read_date(text: &str) -> Option<i64> {
    let mut parts = text.splitn(3, '-');
    let year = number(parts.next()?, 4, 0..=9999)?;
    let month = number(parts.next()?, 2, 1..=12)?;
    let day = number(parts.next()?, 2, 1..=31)?;
    let count = day_count(year, month, day);
    (date(count) == (year, small(month), small(day))).then_some(count)
}

fn read_time(text: &str) -> Option<i64> {
    let mut parts = text.splitn(3, ':');
    let hour = number(parts.next()?, 2, 0..=23)?;
    let minute = number(parts.next()?, 2, 0..=59)?;
    // A leap second is the first of the next minute.
    let second = number(parts.next()?, 2, 0..=60)?;
    Some(hour * HOUR_MS + minute * MINUTE_MS + second * 1000)
}

/// `.5` as milliseconds, rounded, but never up to a whole second.
fn read_fraction(text: &str) -> Option<i64> {
    let Some(digits) = text.strip_prefix('.') else {
        return text.is_empty().then_some(0);
    };
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let padded: String = digits.chars().chain("0000".chars()).take(4).collect();
    let tenths: i64 = padded.parse().ok()?;
    Some(((tenths + 5) / 10).min(999))
}

fn number(text: &str, digits: usize, range: std::ops::RangeInclusive<i64>) -> Option<i64> {
    let plain = text.len() == digits && text.bytes().all(|byte| byte.is_ascii_digit());
    let number = plain.then(|| text.parse().ok())??;
    range.contains(&number).then_some(number)
}

/// Days in 400 years, which are always the same.
const ERA: i64 = 146_097;
/// From the first of March of the year 0, where both functions below begin, to the epoch.
const EPOCH: i64 = 719_468;

/// The day of a Gregorian date, counted from 1970-01-01. Years are taken to begin in March, so
/// that the leap day is the last of one.
fn day_count(year: i64, month: i64, day: i64) -> i64 {
    let year = if month > 2 { year } else { year - 1 };
    let (era, year) = (year.div_euclid(400), year.rem_euclid(400));
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * ERA + year * 365 + year / 4 - year / 100 + day_of_year - EPOCH
}

/// The Gregorian date of a day counted from 1970-01-01.
fn date(count: i64) -> (i64, u8, u8) {
    let (era, day) = ((count + EPOCH).div_euclid(ERA), (count + EPOCH).rem_euclid(ERA));
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, carry) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    (era * 400 + year + carry, small(month), small(day))
}

/// A field of a date or a clock, none of which is larger than 59.
fn small(number: i64) -> u8 {
    u8::try_from(number).unwrap_or_default()
}

#[cfg(test)]
#[path = "moment_tests.rs"]
mod tests;
