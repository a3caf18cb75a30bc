//! The names of days, months and parts of a day.

use jiff::civil::{Time, Weekday};

const WEEKDAYS: &[(Weekday, &[&str])] = &[
    (Weekday::Monday, &["monday", "montag"]),
    (Weekday::Tuesday, &["tuesday", "tues", "tue", "dienstag"]),
    (Weekday::Wednesday, &["wednesday", "weds", "mittwoch"]),
    (Weekday::Thursday, &["thursday", "thurs", "thur", "thu", "donnerstag"]),
    (Weekday::Friday, &["friday", "fri", "freitag"]),
    (Weekday::Saturday, &["saturday", "samstag"]),
    (Weekday::Sunday, &["sunday", "sonntag"]),
];

/// Abbreviations that are also words: "the sun", "we sat".
const DOUBTFUL: &[(Weekday, &str)] = &[
    (Weekday::Monday, "mon"),
    (Weekday::Wednesday, "wed"),
    (Weekday::Saturday, "sat"),
    (Weekday::Sunday, "sun"),
];

/// Words before a day.
const LEADING: &[&str] = &[
    "on", "next", "this", "coming", "last", "by", "until", "till", "before", "after", "for",
    "from", "it", "or", "and", "to", "every", "rather",
];

/// Words after a day.
const FOLLOWING: &[&str] = &["at", "morning", "afternoon", "evening", "noon", "night", "or"];

const MONTHS: &[&[&str]] = &[
    &["january", "jan", "januar"],
    &["february", "feb", "februar"],
    &["march", "mar", "marz"],
    &["april", "apr"],
    &["may", "mai"],
    &["june", "jun", "juni"],
    &["july", "jul", "juli"],
    &["august", "aug"],
    &["september", "sep", "sept"],
    &["october", "oct", "oktober"],
    &["november", "nov"],
    &["december", "dec", "dezember"],
];

/// Days by their distance from today, the longest name first.
pub(super) const DISTANCES: &[(&[&str], i64)] = &[
    (&["day", "after", "tomorrow"], 2),
    (&["day", "before", "yesterday"], -2),
    (&["tomorrow"], 1),
    (&["tmrw"], 1),
    (&["tmr"], 1),
    (&["today"], 0),
    (&["tonight"], 0),
    (&["yesterday"], -1),
    (&["heute"], 0),
    (&["ubermorgen"], 2),
    (&["gestern"], -1),
];

/// A part of the day, and the hours that are searched for it if no time is named.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct DayPart {
    pub(super) from: Time,
    pub(super) to: Time,
}

const PARTS: &[(&str, i8, i8)] = &[
    ("morning", 9, 12),
    ("forenoon", 9, 12),
    ("lunchtime", 12, 14),
    ("afternoon", 13, 18),
    ("evening", 17, 21),
    ("tonight", 18, 22),
    ("night", 18, 22),
];

/// The weekday that a word names, between the words around it.
pub(super) fn weekday(before: &str, word: &str, behind: &str) -> Option<Weekday> {
    let surely = WEEKDAYS.iter().find(|(_, names)| names.contains(&word)).map(|(day, _)| *day);
    surely.or_else(|| {
        let begins_with_digit = behind.starts_with(|letter: char| letter.is_ascii_digit());
        let meant = LEADING.contains(&before) || FOLLOWING.contains(&behind) || begins_with_digit;
        let alone = before.is_empty() && behind.is_empty();
        let named = DOUBTFUL.iter().find(|(_, name)| *name == word).map(|(day, _)| *day);
        named.filter(|_| meant || alone)
    })
}

/// The month that a word names, counted from one.
pub(super) fn month(word: &str) -> Option<i8> {
    let at = MONTHS.iter().position(|names| names.contains(&word))?;
    i8::try_from(at + 1).ok()
}

/// The part of the day that a word names.
pub(super) fn part(word: &str) -> Option<DayPart> {
    let (_, from, to) = PARTS.iter().find(|(name, ..)| *name == word)?;
    let hour = |hour: i8| Time::new(hour, 0, 0, 0).ok();
    Some(DayPart { from: hour(*from)?, to: hour(*to)? })
}

/// Whether a word by itself names a day.
pub(crate) fn is_day(word: &str) -> bool {
    let distant = DISTANCES.iter().any(|(names, _)| *names == [word]);
    distant || WEEKDAYS.iter().any(|(_, names)| names.contains(&word))
}

/// Whether a day begins with a word, before another: "March 5", "Sat at 10".
pub(crate) fn begins_a_day(word: &str, behind: &str) -> bool {
    let number = behind.starts_with(|letter: char| letter.is_ascii_digit());
    is_day(word) || weekday("", word, behind).is_some() || (number && is_month(word))
}

/// Whether a word names a month.
pub(crate) fn is_month(word: &str) -> bool {
    month(word).is_some()
}
