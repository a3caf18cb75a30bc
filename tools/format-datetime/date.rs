//! The date, to read and to say.

use aileron_capability::moment::Local;

const WEEKDAYS: [&str; 7] =
    ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

pub(super) fn weekday(local: &Local) -> &'static str {
    WEEKDAYS.get(usize::from(local.weekday)).copied().unwrap_or_default()
}

pub(super) fn iso(local: &Local) -> String {
    format!("{:04}-{:02}-{:02}", local.year, local.month, local.day)
}

pub(super) fn short(local: &Local) -> String {
    let month = month(local).get(..3).unwrap_or_default();
    format!("{} {month} {}", local.day, local.year)
}

pub(super) fn long(local: &Local) -> String {
    format!("{}, {} {} {}", weekday(local), local.day, month(local), local.year)
}

/// The year is left unsaid when it is the current one.
pub(super) fn spoken(local: &Local, this_year: i64) -> String {
    let day = format!("{}{}", local.day, ending(local.day));
    let date = format!("{} the {day} of {}", weekday(local), month(local));
    if local.year == this_year { date } else { format!("{date} {}", local.year) }
}

fn month(local: &Local) -> &'static str {
    MONTHS.get(usize::from(local.month).wrapping_sub(1)).copied().unwrap_or_default()
}

fn ending(day: u8) -> &'static str {
    match (day, day % 10) {
        (11..=13, _) => "th",
        (_, 1) => "st",
        (_, 2) => "nd",
        (_, 3) => "rd",
        _ => "th",
    }
}
