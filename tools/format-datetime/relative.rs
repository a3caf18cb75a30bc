//! Formats the distance to a time, in the largest unit that fits.

use jiff::Timestamp;

const MINUTE_MS: i64 = 60_000;
const HOUR_MS: i64 = 60 * MINUTE_MS;
const DAY_MS: i64 = 24 * HOUR_MS;

/// Mean lengths in the Gregorian calendar without its centuries: 365.25 days and a twelfth of it.
const YEAR_MS: i64 = DAY_MS * 1461 / 4;
const MONTH_MS: i64 = YEAR_MS / 12;

const UNITS: [(&str, i64); 5] = [
    ("year", YEAR_MS),
    ("month", MONTH_MS),
    ("day", DAY_MS),
    ("hour", HOUR_MS),
    ("minute", MINUTE_MS),
];

pub(super) fn text(moment: Timestamp, reference: Timestamp) -> String {
    let difference = moment.as_millisecond().saturating_sub(reference.as_millisecond());
    let distance = difference.saturating_abs();
    let Some((unit, length)) = UNITS.iter().find(|(_, length)| distance >= *length) else {
        return "now".to_owned();
    };
    let amount = distance / length;
    let plural = if amount == 1 { "" } else { "s" };
    let words = format!("{amount} {unit}{plural}");
    if difference > 0 { format!("in {words}") } else { format!("{words} ago") }
}
