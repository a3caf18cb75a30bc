//! Dates and times as calendars write them: a day, a time of a zone, a moment.

use std::collections::HashMap;

use aileron_runtime::capability::calendar::Zone;
use calcard::common::PartialDateTime;
use calcard::icalendar::{ICalendar, ICalendarEntry, ICalendarValue};
use jiff::Timestamp;
use jiff::civil::DateTime;

/// A written time.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct When {
    pub(super) local: DateTime,
    pub(super) zone: Zone,
    pub(super) kind: Kind,
}

/// Whether a time of day was given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Day,
    Time,
}

impl When {
    pub(super) fn moment(&self) -> Option<Timestamp> {
        self.zone.moment(self.local).ok()
    }

    /// The same clock in the same zone at another local time.
    pub(super) fn at(&self, local: DateTime) -> Self {
        Self { local, ..self.clone() }
    }
}

/// The zones a calendar names, as far as they are known.
#[derive(Debug)]
pub(super) struct Zones<'a> {
    /// Names that the calendar itself explains, such as those of other systems.
    explained: HashMap<&'a str, Zone>,
    default: &'a Zone,
}

impl<'a> Zones<'a> {
    pub(super) fn of(calendar: &'a ICalendar, default: &'a Zone) -> Self {
        let explained = calendar.timezones().filter_map(|component| {
            let (name, zone) = component.timezone()?;
            Some((name, Zone::named(&zone.name()?).ok()?))
        });
        Self { explained: explained.collect(), default }
    }

    fn named(&self, name: &str) -> Zone {
        let own = self.explained.get(name).cloned();
        let known = Zone::named(name.trim_start_matches('/')).ok();
        known.or(own).unwrap_or_else(|| self.default.clone())
    }

    /// The times of a property.
    pub(super) fn read_all(&self, entry: &ICalendarEntry) -> Vec<When> {
        let zone = entry.tz_id().map(|name| self.named(name));
        let read = |value: &ICalendarValue| match value {
            ICalendarValue::PartialDateTime(time) => self.read(time, zone.as_ref()),
            _ => None,
        };
        entry.values.iter().filter_map(read).collect()
    }

    pub(super) fn read(&self, time: &PartialDateTime, zone: Option<&Zone>) -> Option<When> {
        let date = jiff::civil::Date::new(
            i16::try_from(time.year?).ok()?,
            i8::try_from(time.month?).ok()?,
            i8::try_from(time.day?).ok()?,
        )
        .ok()?;
        let kind = if time.hour.is_some() { Kind::Time } else { Kind::Day };
        // A leap second is taken as the one before it.
        let clock = jiff::civil::Time::new(
            i8::try_from(time.hour.unwrap_or_default()).ok()?,
            i8::try_from(time.minute.unwrap_or_default()).ok()?,
            i8::try_from(time.second.unwrap_or_default().min(59)).ok()?,
            0,
        )
        .ok()?;
        let zone = match (time.tz_hour, zone) {
            (Some(_), _) => offset(time)?,
            (None, Some(zone)) => zone.clone(),
            (None, None) => self.default.clone(),
        };
        Some(When { local: date.to_datetime(clock), zone, kind })
    }
}

fn offset(time: &PartialDateTime) -> Option<Zone> {
    let (hours, minutes) = (time.tz_hour?, time.tz_minute.unwrap_or_default());
    let sign = if time.tz_minus { '-' } else { '+' };
    Zone::named(&format!("{sign}{hours:02}:{minutes:02}")).ok()
}
