//! The date, written and spoken.

use jiff::civil::DateTime;

pub(super) fn weekday(local: DateTime) -> String {
    local.strftime("%A").to_string()
}

pub(super) fn iso(local: DateTime) -> String {
    local.date().to_string()
}

pub(super) fn short(local: DateTime) -> String {
    local.strftime("%-d %b %Y").to_string()
}

pub(super) fn long(local: DateTime) -> String {
    local.strftime("%A, %-d %B %Y").to_string()
}

/// The year is left unsaid when it is the current one.
pub(super) fn spoken(local: DateTime, this_year: i16) -> String {
    let ending = ending(local.day());
    let date = local.strftime(&format!("%A the %-d{ending} of %B")).to_string();
    if local.year() == this_year { date } else { format!("{date} {}", local.year()) }
}

fn ending(day: i8) -> &'static str {
    match (day, day % 10) {
        (11..=13, _) => "th",
        (_, 1) => "st",
        (_, 2) => "nd",
        (_, 3) => "rd",
        _ => "th",
    }
}
