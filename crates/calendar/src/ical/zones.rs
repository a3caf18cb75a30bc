//! The zones that a calendar names: those of the tz database, those that the calendar defines, and
//! names of other systems. An unknown name is an error, because a time in the wrong zone would look
//! free although its owner is busy.

mod observance;

use std::collections::HashMap;
use std::str::FromStr;

use aileron_capability::calendar::Zone;
use calcard::common::PartialDateTime;
use calcard::common::timezone::Tz;
use calcard::icalendar::{
    ICalendar, ICalendarComponent, ICalendarEntry, ICalendarPeriod, ICalendarProperty,
    ICalendarValue,
};
use jiff::SignedDuration;

use super::when::{self, ICalTime};
use super::{ICalError, quoted};
use crate::window::TimeWindow;

/// How the zones of a calendar are found.
#[derive(Debug)]
pub(super) struct Zones<'a> {
    /// Names that the calendar defines and the tz database does not have.
    explained: HashMap<&'a str, Zone>,
    /// The zone of times without a zone.
    floating: Result<Zone, ICalError>,
}

impl<'a> Zones<'a> {
    pub(super) fn of(calendar: &'a ICalendar, usual: &Zone) -> Self {
        let explained = calendar.timezones().filter_map(|it| explained(calendar, it)).collect();
        let mut zones = Self { explained, floating: Ok(usual.clone()) };
        if let Some(name) = own_zone(calendar) {
            zones.floating = zones.named(name);
        }
        zones
    }

    fn named(&self, name: &str) -> Result<Zone, ICalError> {
        let known = database(name).or_else(|| self.explained.get(name).cloned());
        let known = known.or_else(|| other_system(Tz::from_str(name).ok()?));
        known.ok_or_else(|| ICalError(format!("unknown time zone {}", quoted(name))))
    }

    /// The times of a property.
    pub(super) fn read_all(&self, entry: &ICalendarEntry) -> Result<Vec<ICalTime>, ICalError> {
        let zone = entry.tz_id().map(|name| self.named(name));
        let read = |value: &ICalendarValue| match value {
            ICalendarValue::PartialDateTime(time) if time.tz_hour.is_some() => {
                self.read(time, None)
            }
            ICalendarValue::PartialDateTime(time) => {
                self.read(time, zone.clone().transpose()?.as_ref())
            }
            other => Err(no_time(entry, value_text(other))),
        };
        entry.values.iter().map(read).collect()
    }

    /// The periods of a property.
    pub(super) fn read_periods(
        &self,
        entry: &ICalendarEntry,
    ) -> Result<Vec<TimeWindow>, ICalError> {
        let zone = entry.tz_id().map(|name| self.named(name)).transpose()?;
        let moment = |time: &PartialDateTime| self.read(time, zone.as_ref()).ok()?.moment();
        let period = |value: &ICalendarValue| match value {
            ICalendarValue::Period(ICalendarPeriod::Range { start, end }) => {
                Some(TimeWindow { start: moment(start)?, end: moment(end)? })
            }
            ICalendarValue::Period(ICalendarPeriod::Duration { start, duration }) => {
                let start = moment(start)?;
                let length = SignedDuration::from_secs(duration.as_seconds());
                Some(TimeWindow { start, end: start.checked_add(length).ok()? })
            }
            _ => None,
        };
        let read = |value| {
            let found = value_text(value);
            period(value).ok_or_else(|| no_time(entry, found))
        };
        entry.values.iter().map(read).collect()
    }

    /// A time; its own zone has priority.
    pub(super) fn read(
        &self,
        time: &PartialDateTime,
        zone: Option<&Zone>,
    ) -> Result<ICalTime, ICalError> {
        let zone = match (zone, time.tz_hour) {
            (Some(zone), _) => zone.clone(),
            (None, Some(_)) => Zone::default(),
            (None, None) => self.floating.clone()?,
        };
        when::read(time, &zone).ok_or_else(|| ICalError("a date that does not exist".to_owned()))
    }
}

/// The zone that many programs write for the whole calendar.
fn own_zone(calendar: &ICalendar) -> Option<&str> {
    text(calendar.components.first()?, "X-WR-TIMEZONE")
}

/// A zone of the database, also with a vendor's prefix, as in
/// `/example.org/Olson_1/America/Chicago`.
fn database(name: &str) -> Option<Zone> {
    let plain = name.trim();
    if let Ok(zone) = Zone::named(plain.trim_start_matches('/')) {
        return Some(zone);
    }
    let parts: Vec<&str> = plain.strip_prefix('/')?.split('/').collect();
    let last = |count: usize| Some(parts.get(parts.len().checked_sub(count)?..)?.join("/"));
    [3, 2, 1].into_iter().find_map(|count| Zone::named(&last(count)?).ok())
}

/// The zone of a VTIMEZONE: by its location, its rules, or its number in another system.
fn explained<'a>(
    calendar: &ICalendar,
    component: &'a ICalendarComponent,
) -> Option<(&'a str, Zone)> {
    let id = component.property(&ICalendarProperty::Tzid)?.values.first()?.as_text()?;
    if database(id).is_some() {
        return None;
    }
    let place = || database(text(component, "X-LIC-LOCATION")?);
    let number = || other_system(component.timezone()?.1);
    let zone = place().or_else(|| observance::zone(calendar, component, id)).or_else(number)?;
    Some((id, zone))
}

/// The zone of another system's name. A name that is only an offset is not used, because it has no
/// daylight saving.
fn other_system(zone: Tz) -> Option<Zone> {
    let name = zone.name()?;
    if name.starts_with("Etc/GMT") { None } else { Zone::named(&name).ok() }
}

fn text<'a>(component: &'a ICalendarComponent, name: &str) -> Option<&'a str> {
    let name = ICalendarProperty::Other(name.to_owned());
    component.property(&name)?.values.first()?.as_text()
}

fn value_text(value: &ICalendarValue) -> &str {
    value.as_text().unwrap_or("another value")
}

fn no_time(entry: &ICalendarEntry, found: &str) -> ICalError {
    let name = entry.name.as_str();
    ICalError(format!("expected a date or a time in {name}, found {}", quoted(found)))
}
