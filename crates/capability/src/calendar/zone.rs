//! Time zones: by their name in the IANA database, or as a fixed offset. The platform's database is
//! used first, then the embedded one.

mod tzif;

use std::fmt;

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::{AmbiguousOffset, Offset, TimeZone};
use serde::Deserialize;

/// A time zone.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(try_from = "String")]
pub struct Zone(TimeZone);

/// Why a text is not a zone, or a local time does not exist.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ZoneError {
    Unknown(String),
    /// The local time is skipped when the clocks are set forward.
    NoSuchTime {
        time: String,
        zone: String,
        later: String,
    },
    /// The time is out of range.
    TooFar,
}

impl fmt::Display for ZoneError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(found) => {
                write!(f, "expected a time zone such as Europe/Berlin or +01:00, found {found:?}")
            }
            Self::NoSuchTime { time, zone, later } => write!(
                f,
                "{time} does not exist in {zone}: the clocks go forward over it, to {later}"
            ),
            Self::TooFar => f.write_str("expected a time within the years 1 to 9999"),
        }
    }
}

impl std::error::Error for ZoneError {}

impl TryFrom<String> for Zone {
    type Error = ZoneError;

    fn try_from(name: String) -> Result<Self, ZoneError> {
        Self::named(&name)
    }
}

impl Default for Zone {
    fn default() -> Self {
        Self(TimeZone::UTC)
    }
}

impl Zone {
    /// The zone of this name, such as `Europe/Berlin`, `UTC`, `Z` or `+01:00`.
    pub fn named(name: &str) -> Result<Self, ZoneError> {
        if matches!(name, "Z" | "z" | "UTC" | "utc") {
            return Ok(Self::default());
        }
        if let Some(offset) = offset(name) {
            return Ok(Self(TimeZone::fixed(offset)));
        }
        let unknown = || ZoneError::Unknown(name.chars().take(80).collect());
        let known = TimeZone::get(name).ok().filter(|zone| !zone.is_unknown());
        known.map(Self).ok_or_else(unknown)
    }

    /// A zone defined by its changes, in order: `before` seconds ahead of UTC until the first
    /// change, then each change's offset. `None` if that is not a valid zone.
    pub fn of_changes(name: &str, before: i32, changes: &[(Timestamp, i32)]) -> Option<Self> {
        let is_offset = |seconds: i32| Offset::from_seconds(seconds).is_ok();
        if !is_offset(before) || !changes.iter().all(|(_, offset)| is_offset(*offset)) {
            return None;
        }
        TimeZone::tzif(name, &tzif::written(before, changes)?).ok().map(Self)
    }

    /// Its name, or its offset as `+01:00`.
    pub fn name(&self) -> String {
        match (self.0.iana_name(), self.0.to_fixed_offset()) {
            (Some(name), _) => name.to_owned(),
            (None, Ok(offset)) => written(offset),
            (None, Err(_)) => "local".to_owned(),
        }
    }

    /// Whether the zone has a name, so that it may have daylight saving time.
    pub fn is_named(&self) -> bool {
        self.0.iana_name().is_some_and(|name| name != "UTC")
    }

    /// The local date and time at that moment.
    pub fn local(&self, moment: Timestamp) -> DateTime {
        self.0.to_datetime(moment)
    }

    /// RFC 3339 with the offset at that moment.
    pub fn rfc3339(&self, moment: Timestamp) -> String {
        let local = self.0.to_datetime(moment);
        format!("{}{}", local.strftime("%Y-%m-%dT%H:%M:%S"), written(self.0.to_offset(moment)))
    }

    /// The moment of a local time. For an hour that occurs twice it is the first; a skipped time is
    /// read with the offset before the change, as RFC 5545 says.
    pub fn moment(&self, local: DateTime) -> Result<Timestamp, ZoneError> {
        self.0.to_ambiguous_timestamp(local).compatible().map_err(|_| ZoneError::TooFar)
    }

    /// The moment of a local time; a skipped time is an error.
    pub fn exact_moment(&self, local: DateTime) -> Result<Timestamp, ZoneError> {
        let ambiguous = self.0.to_ambiguous_timestamp(local);
        let left_out = matches!(ambiguous.offset(), AmbiguousOffset::Gap { .. });
        let moment = ambiguous.compatible().map_err(|_| ZoneError::TooFar)?;
        if !left_out {
            return Ok(moment);
        }
        Err(ZoneError::NoSuchTime {
            time: local.strftime("%Y-%m-%dT%H:%M").to_string(),
            zone: self.name(),
            later: self.0.to_datetime(moment).strftime("%H:%M").to_string(),
        })
    }
}

/// `+hh:mm`, and `Z` for none.
fn written(offset: Offset) -> String {
    let seconds = offset.seconds();
    if seconds == 0 {
        return "Z".to_owned();
    }
    let (sign, size) = (if seconds < 0 { '-' } else { '+' }, seconds.abs());
    format!("{sign}{:02}:{:02}", size / 3600, size / 60 % 60)
}

fn offset(text: &str) -> Option<Offset> {
    let (sign, rest) = match text.split_at_checked(1)? {
        ("+", rest) => (1, rest),
        ("-", rest) => (-1, rest),
        _ => return None,
    };
    let (hours, minutes) = rest.split_once(':')?;
    let two_digits = |part: &str| part.len() == 2 && part.bytes().all(|it| it.is_ascii_digit());
    if !two_digits(hours) || !two_digits(minutes) {
        return None;
    }
    let (hours, minutes): (i32, i32) = (hours.parse().ok()?, minutes.parse().ok()?);
    if hours > 14 || minutes > 59 {
        return None;
    }
    Offset::from_seconds(sign * (hours * 3600 + minutes * 60)).ok()
}

#[cfg(test)]
#[path = "zone_tests.rs"]
mod tests;
