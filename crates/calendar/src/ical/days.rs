//! Days as calendars write them, `20260205`, which order like numbers. Zones are ignored:
//! comparisons allow for more than the difference between any two zones.

use jiff::civil::Date;
use jiff::{Span, Timestamp, tz::TimeZone};

use crate::window::TimeWindow;

/// More days than any two zones differ by, plus one for truncated hours.
const SPARE_DAYS: i64 = 3;

/// An inclusive range of days.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Days {
    pub(crate) first: u32,
    pub(crate) last: u32,
}

impl Days {
    pub(crate) const ALL: Self = Self { first: 0, last: u32::MAX };
    pub(crate) const NONE: Self = Self { first: u32::MAX, last: 0 };

    /// All days that a time in this window may have in any zone.
    pub(crate) fn around(window: &TimeWindow) -> Self {
        let wide = window.widened(SPARE_DAYS, SPARE_DAYS);
        let day = |moment: Timestamp| number(TimeZone::UTC.to_datetime(moment).date());
        Self {
            first: day(wide.start).unwrap_or(Self::ALL.first),
            last: day(wide.end).unwrap_or(Self::ALL.last),
        }
    }

    /// The day that a date or a time begins with.
    pub(crate) fn written(text: &str) -> Option<Self> {
        let text = text.trim();
        let (day, rest) = text.split_at_checked(8)?;
        let number = day.bytes().all(|it| it.is_ascii_digit()).then(|| day.parse().ok())??;
        let plain = rest.is_empty() || rest.starts_with(['T', 't']);
        plain.then_some(Self { first: number, last: number })
    }

    pub(crate) fn meet(&self, other: &Self) -> bool {
        self.first <= other.last && other.first <= self.last
    }

    pub(crate) fn and(&self, other: &Self) -> Self {
        Self { first: self.first.min(other.first), last: self.last.max(other.last) }
    }

    pub(crate) fn longer_by(self, days: u32) -> Self {
        let last = || number(date(self.last)?.checked_add(Span::new().try_days(days).ok()?).ok()?);
        match days {
            0 => self,
            _ => Self { last: last().unwrap_or(Self::ALL.last), ..self },
        }
    }
}

fn number(date: Date) -> Option<u32> {
    let part = |part: i8| u32::try_from(part).ok();
    Some(u32::try_from(date.year()).ok()? * 10_000 + part(date.month())? * 100 + part(date.day())?)
}

fn date(number: u32) -> Option<Date> {
    let part = |part: u32| i8::try_from(part).ok();
    let year = i16::try_from(number / 10_000).ok()?;
    Date::new(year, part(number / 100 % 100)?, part(number % 100)?).ok()
}
