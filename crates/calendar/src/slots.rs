//! Finds and ranks start times. Pure: calendars, clock and zone are parameters.
//!
//! The order is fixed: fewest busy attendees first, then the requested times in their order, then
//! the earliest start. Chosen slots never overlap one another.

use std::collections::BTreeSet;

use aileron_capability::calendar::{Hours, Weekdays, Zone};
use jiff::civil::Date;
use jiff::{SignedDuration, Timestamp};

/// Interval of starts that were not requested, in minutes.
const STEP: u16 = 30;

/// Maximum time ahead of a requested start: two years.
const FURTHEST: SignedDuration = SignedDuration::from_hours(2 * 366 * 24);

/// Candidates further apart than this are queried separately, because a calendar returns a limited
/// number of occurrences of a series per query.
const APART: SignedDuration = SignedDuration::from_hours(7 * 24);

pub(super) const PASSED: &str = "it has passed";
pub(super) const TOO_FAR: &str = "it lies more than two years ahead";

/// The search parameters.
#[derive(Debug, Clone)]
pub(super) struct Plan {
    pub(super) now: Timestamp,
    pub(super) from: Timestamp,
    pub(super) until: Timestamp,
    pub(super) zone: Zone,
    pub(super) hours: Hours,
    pub(super) days: Weekdays,
    pub(super) minutes: u32,
    /// The requested starts, best first.
    pub(super) wishes: Vec<Timestamp>,
    pub(super) most: usize,
}

/// A candidate start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct StartCandidate {
    pub(super) start: Timestamp,
    pub(super) end: Timestamp,
    /// The index among the requested starts; other starts come after all of them.
    wish: usize,
    pub(super) preferred: bool,
}

/// A proposed time, with the indexes of the busy attendees.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct RankedSlot {
    pub(super) time: StartCandidate,
    pub(super) busy: Vec<usize>,
}

/// The busy times of one attendee: sorted, and no two touch.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Busy(Vec<(Timestamp, Timestamp)>);

impl Busy {
    pub(super) fn new(mut spans: Vec<(Timestamp, Timestamp)>) -> Self {
        spans.retain(|(start, end)| start < end);
        spans.sort_unstable();
        let mut merged: Vec<(Timestamp, Timestamp)> = Vec::new();
        for (start, end) in spans {
            match merged.last_mut() {
                Some(last) if start <= last.1 => last.1 = last.1.max(end),
                _ => merged.push((start, end)),
            }
        }
        Self(merged)
    }

    fn meets(&self, time: &StartCandidate) -> bool {
        let next = self.0.partition_point(|(_, end)| *end <= time.start);
        self.0.get(next).is_some_and(|(start, _)| *start < time.end)
    }
}

impl Plan {
    /// All candidate starts: the requested ones, then a grid in working hours.
    pub(super) fn candidates(&self) -> Vec<StartCandidate> {
        let wished = self.wishes.iter().copied().filter(|start| self.unusable(*start).is_none());
        let mut seen = BTreeSet::new();
        let mut candidates: Vec<StartCandidate> = Vec::new();
        for start in wished {
            if seen.insert(start) {
                let wish = candidates.len();
                candidates.extend(self.candidate(start, wish, true));
            }
        }
        let wish = candidates.len();
        for start in self.grid() {
            if seen.insert(start) {
                candidates.extend(self.candidate(start, wish, false));
            }
        }
        candidates
    }

    /// Why a requested start is unusable, if it is.
    pub(super) fn unusable(&self, start: Timestamp) -> Option<&'static str> {
        if start < self.now {
            return Some(PASSED);
        }
        (start.duration_since(self.now) > FURTHEST).then_some(TOO_FAR)
    }

    fn candidate(&self, start: Timestamp, wish: usize, preferred: bool) -> Option<StartCandidate> {
        let length = SignedDuration::from_mins(i64::from(self.minutes));
        let end = start.checked_add(length).ok()?;
        Some(StartCandidate { start, end, wish, preferred })
    }

    fn grid(&self) -> Vec<Timestamp> {
        let (first, last) = (self.zone.local(self.from).date(), self.zone.local(self.until).date());
        let mut starts = Vec::new();
        let mut day = Some(first);
        while let Some(date) = day.filter(|date| *date <= last) {
            if self.days.contains(date.weekday()) {
                starts.extend(self.starts_of(date));
            }
            day = date.tomorrow().ok();
        }
        starts.retain(|start| *start >= self.from && *start < self.until);
        starts
    }

    /// A local time that daylight saving skips is no start, and neither is one whose end would fall
    /// after the working hours because of it.
    fn starts_of(&self, date: Date) -> impl Iterator<Item = Timestamp> {
        let starts = self.hours.starts(self.minutes, STEP).filter_map(move |minute| {
            let (hour, minute) = (i8::try_from(minute / 60).ok()?, i8::try_from(minute % 60).ok()?);
            self.zone.exact_moment(date.at(hour, minute, 0, 0)).ok()
        });
        starts.filter(move |start| {
            let end = self.candidate(*start, 0, false).map(|it| self.zone.local(it.end));
            end.is_some_and(|end| self.hours.last_until(date, end))
        })
    }
}

/// All candidates with their busy attendees, best first.
pub(super) fn ranked(candidates: Vec<StartCandidate>, calendars: &[Busy]) -> Vec<RankedSlot> {
    let met = |time: &StartCandidate| {
        let busy = calendars.iter().enumerate().filter(|(_, calendar)| calendar.meets(time));
        busy.map(|(place, _)| place).collect::<Vec<_>>()
    };
    let mut slots: Vec<RankedSlot> =
        candidates.into_iter().map(|time| RankedSlot { busy: met(&time), time }).collect();
    slots.sort_by_key(|slot| (slot.busy.len(), slot.time.wish, slot.time.start));
    slots
}

/// The best of ranked slots that do not overlap one another.
pub(super) fn best(slots: &[RankedSlot], most: usize) -> Vec<RankedSlot> {
    let mut chosen: Vec<RankedSlot> = Vec::new();
    for slot in slots {
        if chosen.len() == most {
            break;
        }
        if !chosen.iter().any(|other| overlap(&slot.time, &other.time)) {
            chosen.push(slot.clone());
        }
    }
    chosen
}

pub(super) fn overlap(one: &StartCandidate, other: &StartCandidate) -> bool {
    one.start < other.end && other.start < one.end
}

/// The windows that cover all candidates, in order.
pub(super) fn windows(candidates: &[StartCandidate]) -> Vec<(Timestamp, Timestamp)> {
    let mut all: Vec<_> = candidates.iter().map(|it| (it.start, it.end)).collect();
    all.sort_unstable();
    let mut windows: Vec<(Timestamp, Timestamp)> = Vec::new();
    for (start, end) in all {
        match windows.last_mut() {
            Some(last) if start.duration_since(last.1) <= APART => last.1 = last.1.max(end),
            _ => windows.push((start, end)),
        }
    }
    windows
}

#[cfg(test)]
#[path = "slots_tests.rs"]
mod tests;
