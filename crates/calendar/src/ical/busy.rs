//! Reads the busy times from a calendar's text.

use std::collections::{BTreeMap, BTreeSet};

use aileron_capability::calendar::Zone;
use calcard::icalendar::{
    ICalendar, ICalendarComponent, ICalendarEntry, ICalendarFreeBusyType, ICalendarParameterName,
    ICalendarParameterValue, ICalendarProperty,
};
use calcard::{Entry, Parser};
use jiff::{SignedDuration, Timestamp};

use super::event::VEvent;
use super::when::{DateKind, ICalTime};
use super::zones::Zones;
use super::{ICalError, LONGEST_DAYS, quoted, recurrence};
use crate::window::TimeWindow;

/// How to read a calendar.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BusyOptions<'a> {
    /// The owner of the calendar, if it has one.
    pub(crate) owner: Option<&'a str>,
    /// The zone of times without a zone.
    pub(crate) zone: &'a Zone,
    pub(crate) window: TimeWindow,
}

/// One busy time of one person.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct BusyTime {
    /// In lower case.
    pub(crate) who: String,
    pub(crate) window: TimeWindow,
    pub(crate) uid: String,
}

/// The busy times in a text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct BusyText {
    pub(crate) times: Vec<BusyTime>,
    /// The first fault in the text; then the list may be incomplete.
    pub(crate) unreadable: Option<ICalError>,
}

impl BusyText {
    fn fault(&mut self, what: ICalError) {
        self.unreadable.get_or_insert(what);
    }
}

/// Whether a text is one or more complete calendars.
pub(super) fn is_whole(text: &str) -> bool {
    let window = TimeWindow { start: Timestamp::MIN, end: Timestamp::MIN };
    let reading = BusyOptions { owner: None, zone: &Zone::default(), window };
    busy_times(text, &reading).unreadable.is_none()
}

/// All busy times of a text that is one or more calendars.
pub(super) fn busy_times(text: &str, reading: &BusyOptions<'_>) -> BusyText {
    let mut parser = Parser::new(text);
    let mut told = BusyText::default();
    let mut calendars = 0_usize;
    loop {
        match parser.entry() {
            Entry::ICalendar(calendar) => {
                calendars += 1;
                read_calendar(&calendar, reading, &mut told);
            }
            Entry::Eof => break,
            Entry::UnterminatedComponent(name) => {
                let what = format!("expected the end of {name}, found the end of the text");
                told.fault(ICalError(what));
                return told;
            }
            Entry::TooManyComponents => {
                told.fault(ICalError("expected a calendar with fewer components".to_owned()));
                return told;
            }
            // Empty lines are ignored, as in other programs.
            _ => {}
        }
    }
    // A truncated file is a fault, because the missing part may contain events.
    if calendars == 0 {
        told.fault(ICalError("expected BEGIN:VCALENDAR, found no calendar".to_owned()));
    } else if !ends_whole(text) {
        told.fault(ICalError("expected END:VCALENDAR, found the end of the text".to_owned()));
    }
    told
}

fn ends_whole(text: &str) -> bool {
    let last =
        text.trim_end_matches(|it: char| it.is_whitespace() || it == '\0').lines().next_back();
    last.is_some_and(|line| line.trim().eq_ignore_ascii_case("END:VCALENDAR"))
}

fn read_calendar(calendar: &ICalendar, reading: &BusyOptions<'_>, told: &mut BusyText) {
    let zones = Zones::of(calendar, reading.zone);
    for series in series(calendar) {
        if let Err(ICalError(why)) = series.busy(reading, &zones, &mut told.times) {
            told.fault(ICalError(format!("event {}: {why}", quoted(series.uid))));
        }
    }
    for component in calendar.components.iter().filter(|it| it.component_type.is_freebusy()) {
        let busy = component.properties(&ICalendarProperty::Freebusy).filter(|it| is_busy(it));
        for entry in busy {
            match zones.read_periods(entry) {
                Ok(windows) => windows.into_iter().for_each(|window| {
                    note(&mut told.times, reading, window, "", reading.owner.map(str::to_owned));
                }),
                Err(what) => told.fault(what),
            }
        }
    }
}

/// The components of one event: the main one, and changed occurrences.
struct Series<'a> {
    uid: &'a str,
    components: Vec<&'a ICalendarComponent>,
}

/// Components without an id are separate events.
fn series(calendar: &ICalendar) -> Vec<Series<'_>> {
    let mut by_uid: BTreeMap<&str, Vec<&ICalendarComponent>> = BTreeMap::new();
    let mut all = Vec::new();
    for component in calendar.components.iter().filter(|it| it.component_type.is_event()) {
        match component.uid() {
            Some(uid) => by_uid.entry(uid).or_default().push(component),
            None => all.push(Series { uid: "", components: vec![component] }),
        }
    }
    all.extend(by_uid.into_iter().map(|(uid, components)| Series { uid, components }));
    all
}

impl Series<'_> {
    /// Adds the busy times, and returns the first fault.
    fn busy(
        &self,
        reading: &BusyOptions<'_>,
        zones: &Zones<'_>,
        found: &mut Vec<BusyTime>,
    ) -> Result<(), ICalError> {
        let mut outcome = Ok(());
        let read = self.components.iter().map(|component| VEvent::read(component, zones));
        let events = read.filter_map(|event| {
            event.unwrap_or_else(|what| {
                note_fault(&mut outcome, what);
                None
            })
        });
        let (apart, whole): (Vec<_>, Vec<_>) = events.partition(|event| event.replaces.is_some());
        for event in &whole {
            for (start, event) in occurrences(event, &apart, reading, &mut outcome) {
                self.note(event, &start, reading, found);
            }
        }
        for event in &apart {
            self.note(event, &event.start, reading, found);
        }
        for event in whole.iter().chain(&apart) {
            event.periods.iter().for_each(|window| self.take(event, *window, reading, found));
        }
        outcome
    }

    fn note(
        &self,
        event: &VEvent<'_>,
        start: &ICalTime,
        reading: &BusyOptions<'_>,
        found: &mut Vec<BusyTime>,
    ) {
        let (Some(from), Some(to)) = (start.moment(), event.end_of(start)) else { return };
        self.take(event, TimeWindow { start: from, end: to }, reading, found);
    }

    fn take(
        &self,
        event: &VEvent<'_>,
        window: TimeWindow,
        reading: &BusyOptions<'_>,
        found: &mut Vec<BusyTime>,
    ) {
        if !event.takes_time || window.start >= window.end {
            return;
        }
        let owner = reading.owner.filter(|owner| !event.declined.iter().any(|it| it == owner));
        let mut people: BTreeSet<String> = event.attending.iter().cloned().collect();
        people.extend(owner.map(str::to_owned));
        note(found, reading, window, self.uid, people);
    }
}

/// Keeps the first fault.
fn note_fault(outcome: &mut Result<(), ICalError>, what: ICalError) {
    if outcome.is_ok() {
        *outcome = Err(what);
    }
}

/// The starts of an event in the window that no other component replaces, each with the component
/// that has its length.
fn occurrences<'e, 'a>(
    event: &'e VEvent<'a>,
    apart: &'e [VEvent<'a>],
    reading: &BusyOptions<'_>,
    outcome: &mut Result<(), ICalError>,
) -> Vec<(ICalTime, &'e VEvent<'a>)> {
    let mut starts = vec![event.start.clone()];
    let window = reading.window.widened(LONGEST_DAYS.into(), 1);
    for rule in &event.rules {
        let (followed, unreadable) = recurrence::starts(rule, &event.start, &window);
        starts.extend(followed);
        unreadable.into_iter().for_each(|what| note_fault(outcome, what));
    }
    starts.extend(event.more.iter().cloned());
    let replaced: BTreeSet<Timestamp> =
        apart.iter().filter_map(|it| it.replaces.as_ref()?.moment()).collect();
    let mut seen = BTreeSet::new();
    starts.retain(|start| {
        start.moment().is_some_and(|at| !replaced.contains(&at) && seen.insert(at))
            && !event.except.iter().any(|except| is_excepted(start, except))
    });
    starts.into_iter().map(|start| moved(start, event, apart)).collect()
}

/// A date without time excludes every occurrence on that day.
fn is_excepted(start: &ICalTime, except: &ICalTime) -> bool {
    match except.kind {
        DateKind::Day => start.local.date() == except.local.date(),
        DateKind::Time => start.moment() == except.moment(),
    }
}

/// Moves occurrences after one that was changed with `RANGE=THISANDFUTURE`.
fn moved<'e, 'a>(
    start: ICalTime,
    event: &'e VEvent<'a>,
    apart: &'e [VEvent<'a>],
) -> (ICalTime, &'e VEvent<'a>) {
    let changes = apart.iter().filter(|it| it.and_later);
    let earlier =
        |it: &&'e VEvent<'a>| it.replaces.as_ref().is_some_and(|at| at.local <= start.local);
    let change = changes.filter(earlier).max_by_key(|it| it.replaces.as_ref().map(|at| at.local));
    let Some(change) = change else { return (start, event) };
    let shift = change.replaces.as_ref().map(|at| change.start.local.duration_since(at.local));
    let local = start.local.checked_add(shift.unwrap_or(SignedDuration::ZERO));
    (change.start.at(local.unwrap_or(start.local)), change)
}

fn is_busy(entry: &ICalendarEntry) -> bool {
    let free = ICalendarParameterValue::Fbtype(ICalendarFreeBusyType::Free);
    entry.parameter(&ICalendarParameterName::Fbtype) != Some(&free)
}

fn note(
    found: &mut Vec<BusyTime>,
    reading: &BusyOptions<'_>,
    window: TimeWindow,
    uid: &str,
    people: impl IntoIterator<Item = String>,
) {
    if !window.meets(&reading.window) {
        return;
    }
    let busy = people.into_iter().map(|who| BusyTime { who, window, uid: uid.to_owned() });
    found.extend(busy);
}

#[cfg(test)]
#[path = "busy_tests.rs"]
mod tests;
