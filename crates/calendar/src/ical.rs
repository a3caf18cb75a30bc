//! iCalendar (RFC 5545): reads busy times and writes events. The `calcard` crate handles the
//! grammar and recurrence rules; time zones are handled here, so that daylight saving is the same
//! as in the other crates.

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

/// The busy times in a window. Faults in events outside the window are ignored.
pub(crate) fn busy_times(text: &str, reading: &BusyOptions<'_>) -> BusyText {
    let days = Days::around(&reading.window);
    busy::busy_times(&Outline::of(text).within(&days), reading)
}

/// Maximum length in days of an occurrence that began before the window.
const LONGEST_DAYS: u32 = 60;

/// Why a calendar cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ICalError(pub(crate) String);

/// The found text, shortened and in quotes.
fn quoted(found: &str) -> String {
    format!("{:?}", found.chars().take(80).collect::<String>())
}

impl fmt::Display for ICalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
