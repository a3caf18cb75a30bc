//! Dates and times in calendars: a day, a local time with a zone, or a UTC time.

use aileron_capability::calendar::Zone;
use calcard::common::PartialDateTime;
use jiff::Timestamp;
use jiff::civil::DateTime;

/// A written time.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ICalTime {
    pub(super) local: DateTime,
    pub(super) zone: Zone,
    pub(super) kind: DateKind,
}

/// Whether a time of day was given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DateKind {
    Day,
    Time,
}

impl ICalTime {
    pub(super) fn moment(&self) -> Option<Timestamp> {
        self.zone.moment(self.local).ok()
    }

    /// The same clock in the same zone at another local time.
    pub(super) fn at(&self, local: DateTime) -> Self {
        Self { local, ..self.clone() }
    }
}

/// A time of this zone, unless it has an offset. `None` if there is no such date.
pub(super) fn read(time: &PartialDateTime, zone: &Zone) -> Option<ICalTime> {
    let date = jiff::civil::Date::new(
        i16::try_from(time.year?).ok()?,
        i8::try_from(time.month?).ok()?,
        i8::try_from(time.day?).ok()?,
    )
    .ok()?;
    let kind = if time.hour.is_some() { DateKind::Time } else { DateKind::Day };
    // A leap second counts as the second before it.
    let clock = jiff::civil::Time::new(
        i8::try_from(time.hour.unwrap_or_default()).ok()?,
        i8::try_from(time.minute.unwrap_or_default()).ok()?,
        i8::try_from(time.second.unwrap_or_default().min(59)).ok()?,
        0,
    )
    .ok()?;
    let zone = if time.tz_hour.is_some() { offset(time)? } else { zone.clone() };
    Some(ICalTime { local: date.to_datetime(clock), zone, kind })
}

fn offset(time: &PartialDateTime) -> Option<Zone> {
    let (hours, minutes) = (time.tz_hour?, time.tz_minute.unwrap_or_default());
    let sign = if time.tz_minus { '-' } else { '+' };
    Zone::named(&format!("{sign}{hours:02}:{minutes:02}")).ok()
}
