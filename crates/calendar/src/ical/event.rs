//! What of a VEVENT matters for being busy.

use calcard::icalendar::{
    ICalendarComponent, ICalendarDuration, ICalendarEntry, ICalendarParameterName,
    ICalendarParameterValue, ICalendarParticipationStatus, ICalendarProperty,
    ICalendarRecurrenceRule, ICalendarStatus, ICalendarTransparency, ICalendarValue,
};
use jiff::{SignedDuration, Timestamp};

use super::when::{Kind, When, Zones};

/// How long each occurrence is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Length {
    /// Whole days, whatever the clocks do.
    Days(i64),
    Exact(SignedDuration),
}

/// One VEVENT.
#[derive(Debug)]
pub(super) struct Event<'a> {
    pub(super) start: When,
    pub(super) length: Length,
    pub(super) rule: Option<&'a ICalendarRecurrenceRule>,
    pub(super) more: Vec<When>,
    pub(super) except: Vec<When>,
    /// The occurrence of a series that this one stands for.
    pub(super) replaces: Option<When>,
    pub(super) and_later: bool,
    pub(super) takes_time: bool,
    /// Addresses in lower case.
    pub(super) attending: Vec<String>,
    pub(super) declined: Vec<String>,
}

impl<'a> Event<'a> {
    /// None of an event without a start: it takes no time.
    pub(super) fn read(component: &'a ICalendarComponent, zones: &Zones<'_>) -> Option<Self> {
        let times = |property: &ICalendarProperty| -> Vec<When> {
            component.properties(property).flat_map(|entry| zones.read_all(entry)).collect()
        };
        let start = times(&ICalendarProperty::Dtstart).into_iter().next()?;
        let end = times(&ICalendarProperty::Dtend).into_iter().next();
        let replaced = component.property(&ICalendarProperty::RecurrenceId);
        let (declined, attending) = people(component);
        Some(Self {
            length: length(&start, end.as_ref(), duration(component)),
            rule: rule(component),
            more: times(&ICalendarProperty::Rdate),
            except: times(&ICalendarProperty::Exdate),
            replaces: replaced.and_then(|entry| zones.read_all(entry).into_iter().next()),
            and_later: replaced.is_some_and(|it| it.has_parameter(&ICalendarParameterName::Range)),
            takes_time: takes_time(component),
            attending,
            declined,
            start,
        })
    }

    /// When an occurrence that begins so ends.
    pub(super) fn end_of(&self, start: &When) -> Option<Timestamp> {
        match self.length {
            Length::Exact(length) => start.moment()?.checked_add(length).ok(),
            Length::Days(days) => {
                let local = start.local.checked_add(SignedDuration::from_hours(24 * days)).ok()?;
                start.at(local).moment()
            }
        }
    }
}

fn length(start: &When, end: Option<&When>, duration: Option<&ICalendarDuration>) -> Length {
    let whole_days = |seconds: i64| Length::Days((seconds / 86_400).max(1));
    match (start.kind, end, duration) {
        (Kind::Day, Some(end), _) => whole_days(end.local.duration_since(start.local).as_secs()),
        (Kind::Day, None, Some(duration)) => whole_days(duration.as_seconds()),
        (Kind::Day, None, None) => Length::Days(1),
        (Kind::Time, Some(end), _) => {
            let length = start.moment().zip(end.moment()).map(|(from, to)| to.duration_since(from));
            Length::Exact(length.unwrap_or_default())
        }
        (Kind::Time, None, Some(duration)) => {
            Length::Exact(SignedDuration::from_secs(duration.as_seconds()))
        }
        (Kind::Time, None, None) => Length::Exact(SignedDuration::ZERO),
    }
}

fn duration(component: &ICalendarComponent) -> Option<&ICalendarDuration> {
    match component.property(&ICalendarProperty::Duration)?.values.first()? {
        ICalendarValue::Duration(duration) => Some(duration),
        _ => None,
    }
}

fn rule(component: &ICalendarComponent) -> Option<&ICalendarRecurrenceRule> {
    match component.property(&ICalendarProperty::Rrule)?.values.first()? {
        ICalendarValue::RecurrenceRule(rule) => Some(rule),
        _ => None,
    }
}

fn takes_time(component: &ICalendarComponent) -> bool {
    component.status() != Some(&ICalendarStatus::Cancelled)
        && component.transparency() != Some(&ICalendarTransparency::Transparent)
}

/// Those who declined, and those who did not.
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
