//! iCalendar (RFC 5545): who is busy when, and how an event is written. The grammar and the
//! recurrence rules are the `calcard` crate's; time zones are ours, so that clock changes mean
//! the same here as everywhere else.

mod busy;
mod days;
mod event;
mod prefilter;
mod recurrence;
mod when;
mod write;
mod zones;

pub(crate) use busy::{BusyOptions, BusyText, BusyTime};
pub(crate) use days::Days;
pub(crate) use prefilter::Outline;
pub(crate) use write::{join_url, written};

use std::fmt;

/// Who is busy when, by the part of a text that is about the window. What cannot be understood
/// elsewhere is nobody's concern.
pub(crate) fn busy_times(text: &str, reading: &BusyOptions<'_>) -> BusyText {
    let days = Days::around(&reading.window);
    busy::busy_times(&Outline::of(text).within(&days), reading)
}

/// How long an occurrence may be that began before the window, in days.
const LONGEST_DAYS: u32 = 60;

/// Why a calendar cannot be understood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ICalError(pub(crate) String);

/// What was found, short and in quotes.
fn quoted(found: &str) -> String {
    format!("{:?}", found.chars().take(80).collect::<String>())
}

impl fmt::Display for ICalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
