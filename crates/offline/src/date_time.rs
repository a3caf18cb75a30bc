//! Dates, times of day and durations in the words. A relative day counts from the date in the
//! instructions; without that date it is unknown. The modules below contain the grammar.

mod clock;
mod day;
mod length;
mod names;
mod token;
mod wish;

pub(super) use length::minutes;
pub(super) use names::{begins_a_day, is_day, is_month};
pub(super) use wish::{RequestedTime, TimeError, is_all, of as wish, others};

use jiff::civil::{Date, DateTime, Time};
use token::tokens;

/// Phrases before the date in instructions.
const CLUES: &[&str] = &[
    "today is",
    "today:",
    "current date",
    "current time",
    "date and time",
    "it is now",
    "the date is",
    "the time is",
    "now:",
];

/// The maximum distance of the date from such a phrase.
const NEAR: usize = 48;

/// The date of the conversation and the person's offset from UTC.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct LocalDate {
    pub(super) date: Date,
    /// The hour and the minute, where they are given.
    pub(super) time: Option<Time>,
    /// Such as `+01:00` or `Z`.
    pub(super) offset: String,
}

/// The date that the instructions give.
pub(super) fn today(instructions: &str) -> Option<LocalDate> {
    let lower = instructions.to_ascii_lowercase();
    let clues =
        CLUES.iter().flat_map(|clue| lower.match_indices(clue).map(|(at, clue)| at + clue.len()));
    let mut near: Vec<usize> = clues.collect();
    near.sort_unstable();
    near.into_iter().find_map(|from| {
        let window: String = instructions.get(from..)?.chars().take(NEAR).collect();
        let (date, behind) = iso_date(&window)?;
        let time = behind.strip_prefix('T').and_then(|clock| clock.get(..5)?.parse().ok());
        Some(LocalDate { date, time, offset: offset(behind).unwrap_or_else(|| "Z".to_owned()) })
    })
}

/// The first ISO date and the text after it.
fn iso_date(text: &str) -> Option<(Date, &str)> {
    text.char_indices().find_map(|(at, _)| {
        let candidate = text.get(at..at + 10)?;
        let parts: Vec<&str> = candidate.split('-').collect();
        let [year, month, day] = parts.as_slice() else { return None };
        let digits = |part: &str, count| {
            part.len() == count && part.bytes().all(|byte| byte.is_ascii_digit())
        };
        if !digits(year, 4) || !digits(month, 2) || !digits(day, 2) {
            return None;
        }
        let date = Date::new(year.parse().ok()?, month.parse().ok()?, day.parse().ok()?).ok()?;
        Some((date, &text[at + 10..]))
    })
}

/// The offset at the end of a time that follows a date.
fn offset(behind: &str) -> Option<String> {
    let word = behind.split_whitespace().next()?.strip_prefix('T')?;
    let at = word.find(['+', '-'])?;
    let offset = word.get(at..at + 6)?;
    let (hours, minutes) = offset[1..].split_once(':')?;
    (hours.parse::<u8>().ok()? <= 14 && minutes.parse::<u8>().ok()? < 60).then(|| offset.to_owned())
}

/// The one day that the words name.
pub(super) fn day(text: &str, today: Option<&LocalDate>) -> Option<Date> {
    let hits = day::hits(&tokens(text), today.map(|today| today.date));
    let days = hits.into_iter().filter_map(|hit| hit.found.ok());
    days.filter(|span| span.days == 1).map(|span| span.from).next()
}

/// The time of day that the words name.
pub(super) fn time(text: &str) -> Option<Time> {
    let tokens = tokens(text);
    let part = clock::part_of(&tokens).map(|(_, part)| part);
    let mut clocks = (0..tokens.len())
        .filter_map(|at| clock::hit(&tokens, at, clock::announced(&tokens, at))?.clock);
    clocks.next().map(|clock| clock.within(part))
}

/// The moment that the words name, with its offset; midnight if they name a day alone.
pub(super) fn moment(text: &str, today: Option<&LocalDate>) -> Option<String> {
    if let Some(stated) = stated_moment(text) {
        return Some(stated);
    }
    let day = day(text, today)?;
    let time = time(text).unwrap_or_else(Time::midnight);
    Some(stamp(day.to_datetime(time), today))
}

/// A moment written in full.
pub(super) fn stated_moment(text: &str) -> Option<String> {
    let (_, behind) = iso_date(text)?;
    let at = text.len() - behind.len() - 10;
    let rest = text.get(at..)?;
    let word = rest
        .split(|letter: char| letter.is_whitespace() || ",;\"?!)".contains(letter))
        .next()?
        .trim_end_matches('.');
    let clock = word.get(10..)?.strip_prefix('T')?;
    let time = clock.get(..5)?;
    let (hour, minute) = time.split_once(':')?;
    Time::new(hour.parse().ok()?, minute.parse().ok()?, 0, 0).ok()?;
    let zone = &clock[5..];
    let zone = zone.strip_prefix(':').map_or(zone, |seconds| {
        seconds.trim_start_matches(|letter: char| letter.is_ascii_digit() || letter == '.')
    });
    let zone = match zone {
        "" => "Z".to_owned(),
        "Z" => "Z".to_owned(),
        zone => offset(&format!("T{time}{zone}"))?,
    };
    Some(format!("{}T{time}:00{zone}", &word[..10]))
}

/// A moment at the person's offset.
pub(super) fn stamp(moment: DateTime, today: Option<&LocalDate>) -> String {
    let offset = today.map_or("Z", |today| today.offset.as_str());
    format!("{}{offset}", moment.strftime("%Y-%m-%dT%H:%M:00"))
}

#[cfg(test)]
#[path = "date_time_tests.rs"]
mod tests;
