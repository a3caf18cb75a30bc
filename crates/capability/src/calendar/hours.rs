//! Working hours and working days.

use std::fmt;
use std::str::FromStr;

use jiff::SignedDuration;
use jiff::civil::{Date, DateTime, Weekday};
use serde::{Deserialize, Serialize};

const DAY_MINUTES: u16 = 24 * 60;

/// The start and the end, as minutes of the day in local time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "WrittenHours", into = "WrittenHours")]
pub struct Hours {
    start: u16,
    end: u16,
}

/// Unparsed hours: `09:00` to `17:00`. They may be invalid.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WrittenHours {
    pub start: String,
    pub end: String,
}

/// Why working hours are invalid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnreadableHours(String);

impl fmt::Display for UnreadableHours {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for UnreadableHours {}

impl Default for Hours {
    fn default() -> Self {
        Self { start: 9 * 60, end: 17 * 60 }
    }
}

impl Hours {
    /// Hours that end after they begin, on the same day.
    pub fn new(start: &str, end: &str) -> Result<Self, UnreadableHours> {
        let (first, last) = (minute(start)?, minute(end)?);
        if last <= first {
            let message = format!("expected working hours that end after {start}, found {end}");
            return Err(UnreadableHours(message));
        }
        Ok(Self { start: first, end: last })
    }

    /// The starts that leave room for an event, one every `step` minutes, as minutes of the day.
    pub fn starts(self, duration: u32, step: u16) -> impl Iterator<Item = u16> {
        let end = u32::from(self.end);
        (self.start..self.end)
            .step_by(usize::from(step.max(1)))
            .take_while(move |start| u32::from(*start) + duration <= end)
    }

    /// Whether the hours of a day last until this local time.
    pub fn last_until(self, date: Date, end: DateTime) -> bool {
        let day = date.at(0, 0, 0, 0);
        let minutes = i64::from(self.end);
        day.checked_add(SignedDuration::from_mins(minutes)).is_ok_and(|last| end <= last)
    }
}

impl TryFrom<WrittenHours> for Hours {
    type Error = UnreadableHours;

    fn try_from(written: WrittenHours) -> Result<Self, UnreadableHours> {
        Self::new(&written.start, &written.end)
    }
}

impl From<Hours> for WrittenHours {
    fn from(hours: Hours) -> Self {
        let text = |minute: u16| format!("{:02}:{:02}", minute / 60, minute % 60);
        Self { start: text(hours.start), end: text(hours.end) }
    }
}

fn minute(text: &str) -> Result<u16, UnreadableHours> {
    let wrong = || UnreadableHours(format!("expected a time of day such as 09:00, found {text:?}"));
    let (hours, minutes) = text.split_once(':').ok_or_else(wrong)?;
    if hours.len() != 2 || minutes.len() != 2 {
        return Err(wrong());
    }
    let number = |part: &str| u16::from_str(part).map_err(|_| wrong());
    let (hours, minutes) = (number(hours)?, number(minutes)?);
    let total = hours * 60 + minutes;
    if minutes > 59 || total > DAY_MINUTES { Err(wrong()) } else { Ok(total) }
}

/// The days on which times are searched.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "Vec<String>", into = "Vec<String>")]
pub struct Weekdays(Vec<Weekday>);

const NAMES: [(&str, Weekday); 7] = [
    ("mon", Weekday::Monday),
    ("tue", Weekday::Tuesday),
    ("wed", Weekday::Wednesday),
    ("thu", Weekday::Thursday),
    ("fri", Weekday::Friday),
    ("sat", Weekday::Saturday),
    ("sun", Weekday::Sunday),
];

impl Default for Weekdays {
    fn default() -> Self {
        Self(NAMES.iter().take(5).map(|(_, day)| *day).collect())
    }
}

impl Weekdays {
    pub fn contains(&self, day: Weekday) -> bool {
        self.0.contains(&day)
    }
}

impl TryFrom<Vec<String>> for Weekdays {
    type Error = UnreadableHours;

    fn try_from(names: Vec<String>) -> Result<Self, UnreadableHours> {
        if names.is_empty() {
            return Err(UnreadableHours("expected at least one day such as \"mon\"".to_owned()));
        }
        let day = |name: String| {
            let known = NAMES.iter().find(|(known, _)| *known == name);
            let wrong = || {
                let expected = NAMES.map(|(known, _)| known).join(", ");
                UnreadableHours(format!("expected days among {expected}, found {name:?}"))
            };
            known.map(|(_, day)| *day).ok_or_else(wrong)
        };
        names.into_iter().map(day).collect::<Result<_, _>>().map(Self)
    }
}

impl From<Weekdays> for Vec<String> {
    fn from(days: Weekdays) -> Self {
        let chosen = NAMES.iter().filter(|(_, day)| days.0.contains(day));
        chosen.map(|(name, _)| (*name).to_owned()).collect()
    }
}

#[cfg(test)]
#[path = "hours_tests.rs"]
mod tests;
