//! The parts of a VEVENT that determine busy times.

use calcard::icalendar::{
    ICalendarComponent, ICalendarDuration, ICalendarEntry, ICalendarParameterName,
    ICalendarParameterValue, ICalendarParticipationStatus, ICalendarProperty,
    ICalendarRecurrenceRule, ICalendarStatus, ICalendarTransparency, ICalendarValue,
};
use jiff::{SignedDuration, Timestamp};

use super::when::{DateKind, ICalTime};
use super::zones::Zones;
use super::{ICalError, quoted};
use crate::window::TimeWindow;

/// How long each occurrence is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum EventLength {
    /// Whole days, independent of daylight saving.
    Days(i64),
    Exact(SignedDuration),
}

/// One VEVENT.
#[derive(Debug)]
pub(super) struct VEvent<'a> {
    pub(super) start: ICalTime,
    pub(super) length: EventLength,
    pub(super) rules: Vec<&'a ICalendarRecurrenceRule>,
    pub(super) more: Vec<ICalTime>,
    /// Additional occurrences with their own ends.
    pub(super) periods: Vec<TimeWindow>,
    pub(super) except: Vec<ICalTime>,
    /// The occurrence of a series that this one replaces.
    pub(super) replaces: Option<ICalTime>,
    pub(super) and_later: bool,
    pub(super) takes_time: bool,
    /// Addresses in lower case.
    pub(super) attending: Vec<String>,
    pub(super) declined: Vec<String>,
}

impl<'a> VEvent<'a> {
    /// `None` for an event without a start, which takes no time. An unreadable part is an error if
    /// it could affect busy times, and ignored otherwise.
    pub(super) fn read(
        component: &'a ICalendarComponent,
        zones: &Zones<'_>,
    ) -> Result<Option<Self>, ICalError> {
        match Self::read_strictly(component, zones) {
            Err(_) if !takes_time(component) => Ok(None),
            read => read,
        }
    }

    fn read_strictly(
        component: &'a ICalendarComponent,
        zones: &Zones<'_>,
    ) -> Result<Option<Self>, ICalError> {
        let Some(entry) = component.property(&ICalendarProperty::Dtstart) else { return Ok(None) };
        let start = first(entry, zones)?;
        let end = component.property(&ICalendarProperty::Dtend);
        let end = end.map(|entry| first(entry, zones)).transpose()?;
        let replaced = component.property(&ICalendarProperty::RecurrenceId);
        let except = component.properties(&ICalendarProperty::Exdate);
        let (more, periods) = added(component, zones)?;
        let (declined, attending) = people(component);
        Ok(Some(Self {
            length: length(&start, end.as_ref(), duration(component)?),
            rules: rules(component)?,
            more,
            periods,
            // Ignoring an invalid exception only makes the person busier.
            except: except.flat_map(|entry| zones.read_all(entry).unwrap_or_default()).collect(),
            replaces: replaced.and_then(|entry| first(entry, zones).ok()),
            and_later: replaced.is_some_and(|it| it.has_parameter(&ICalendarParameterName::Range)),
            takes_time: takes_time(component),
            attending,
            declined,
            start,
        }))
    }

    /// The end of an occurrence with this start.
    pub(super) fn end_of(&self, start: &ICalTime) -> Option<Timestamp> {
        match self.length {
            EventLength::Exact(length) => start.moment()?.checked_add(length).ok(),
            EventLength::Days(days) => {
                let local = start.local.checked_add(SignedDuration::from_hours(24 * days)).ok()?;
                start.at(local).moment()
            }
        }
    }
}

fn length(
    start: &ICalTime,
    end: Option<&ICalTime>,
    duration: Option<&ICalendarDuration>,
) -> EventLength {
    let whole_days = |seconds: i64| EventLength::Days((seconds / 86_400).max(1));
    match (start.kind, end, duration) {
        (DateKind::Day, Some(end), _) => {
            whole_days(end.local.duration_since(start.local).as_secs())
        }
        (DateKind::Day, None, Some(duration)) => whole_days(duration.as_seconds()),
        (DateKind::Day, None, None) => EventLength::Days(1),
        (DateKind::Time, Some(end), _) => {
            let length = start.moment().zip(end.moment()).map(|(from, to)| to.duration_since(from));
            EventLength::Exact(length.unwrap_or_default())
        }
        (DateKind::Time, None, Some(duration)) => {
            EventLength::Exact(SignedDuration::from_secs(duration.as_seconds()))
        }
        (DateKind::Time, None, None) => EventLength::Exact(SignedDuration::ZERO),
    }
}

/// The first time of a property that has to have one.
fn first(entry: &ICalendarEntry, zones: &Zones<'_>) -> Result<ICalTime, ICalError> {
    let nothing =
        || ICalError(format!("expected a date or a time in {}, found none", entry.name.as_str()));
    zones.read_all(entry)?.into_iter().next().ok_or_else(nothing)
}

/// Occurrences in addition to the rules: starts, and periods with an end.
fn added(
    component: &ICalendarComponent,
    zones: &Zones<'_>,
) -> Result<(Vec<ICalTime>, Vec<TimeWindow>), ICalError> {
    let (mut starts, mut periods) = (Vec::new(), Vec::new());
    for entry in component.properties(&ICalendarProperty::Rdate) {
        match entry.values.first() {
            Some(ICalendarValue::Period(_)) => periods.extend(zones.read_periods(entry)?),
            _ => starts.extend(zones.read_all(entry)?),
        }
    }
    Ok((starts, periods))
}

fn duration(component: &ICalendarComponent) -> Result<Option<&ICalendarDuration>, ICalError> {
    let Some(entry) = component.property(&ICalendarProperty::Duration) else { return Ok(None) };
    match entry.values.first() {
        Some(ICalendarValue::Duration(duration)) => Ok(Some(duration)),
        found => Err(odd("a duration", found, entry)),
    }
}

fn rules(component: &ICalendarComponent) -> Result<Vec<&ICalendarRecurrenceRule>, ICalError> {
    component.properties(&ICalendarProperty::Rrule).map(rule).collect()
}

fn rule(entry: &ICalendarEntry) -> Result<&ICalendarRecurrenceRule, ICalError> {
    match entry.values.first() {
        Some(ICalendarValue::RecurrenceRule(rule)) => Ok(rule),
        found => Err(odd("a recurrence rule", found, entry)),
    }
}

fn odd(expected: &str, found: Option<&ICalendarValue>, entry: &ICalendarEntry) -> ICalError {
    let found = found.and_then(ICalendarValue::as_text).unwrap_or_default();
    let name = entry.name.as_str();
    ICalError(format!("expected {expected} in {name}, found {}", quoted(found)))
}

fn takes_time(component: &ICalendarComponent) -> bool {
    component.status() != Some(&ICalendarStatus::Cancelled)
        && component.transparency() != Some(&ICalendarTransparency::Transparent)
}

/// The attendees who declined, and the others.
fn people(component: &ICalendarComponent) -> (Vec<String>, Vec<String>) {
    let named = component.entries.iter().filter(|entry| {
        matches!(entry.name, ICalendarProperty::Attendee | ICalendarProperty::Organizer)
    });
    let address = |entry: &ICalendarEntry| Some(entry.calendar_address()?.to_lowercase());
    let (declined, attending): (Vec<_>, Vec<_>) = named.partition(|entry| has_declined(entry));
    let addresses =
        |entries: Vec<&ICalendarEntry>| entries.into_iter().filter_map(address).collect();
    (addresses(declined), addresses(attending))
}

fn has_declined(entry: &ICalendarEntry) -> bool {
    let declined = ICalendarParticipationStatus::Declined;
    entry.parameter(&ICalendarParameterName::Partstat)
        == Some(&ICalendarParameterValue::Partstat(declined))
}
