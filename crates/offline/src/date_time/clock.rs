//! Times of day: in figures, as words, and by the part of the day.

use jiff::civil::Time;

use super::names::{DayPart, part, weekday};
use super::token::{Token, before, word};
use crate::word::number;

/// A time of day as it was named.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Clock {
    pub(super) time: Time,
    /// Whether the half of the day is open: "at three".
    pub(super) open: bool,
}

/// Words that look like a time, with their number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ClockMatch {
    /// `None`: there is no such time.
    pub(super) clock: Option<Clock>,
    pub(super) count: usize,
}

/// Whether a bare number may be an hour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum HourHint {
    Yes,
    No,
}

/// Words that announce a time.
const ANNOUNCING: &[&str] = &[
    "at", "from", "around", "between", "before", "after", "until", "till", "by", "um", "gegen",
    "ab",
];

const UNITS: &[&str] = &[
    "minute", "hour", "min", "day", "week", "month", "people", "person", "guest", "percent", "euro",
];

/// Words that may follow an hour that is a bare number.
const AFTER_AN_HOUR: &[&str] = &[
    "about", "and", "for", "if", "in", "instead", "on", "or", "please", "the", "then", "this",
    "to", "today", "tomorrow", "next", "until", "till", "with", "works", "would",
];

/// Hours that mean the afternoon in "at three".
const AFTERNOON: std::ops::RangeInclusive<i8> = 1..=6;

impl Clock {
    /// The time, in the half of the day that the words around it name.
    pub(super) fn within(self, part: Option<DayPart>) -> Time {
        let noon = Time::constant(12, 0, 0, 0);
        match part {
            Some(part) if self.open && part.to > noon => self.afternoon(),
            _ => self.time,
        }
    }

    /// The time; an open hour from one to six is read as the afternoon.
    pub(super) fn by_day(self, part: Option<DayPart>) -> Time {
        match part {
            None if self.open && AFTERNOON.contains(&self.time.hour()) => self.afternoon(),
            part => self.within(part),
        }
    }

    fn afternoon(self) -> Time {
        let hour = self.time.hour();
        let later = if hour < 12 { hour + 12 } else { hour };
        Time::new(later, self.time.minute(), 0, 0).unwrap_or(self.time)
    }
}

/// Whether the word before announces a time, or a certain time ends the range: "2-4pm", "Wed
/// 11-12".
pub(super) fn announced(tokens: &[Token], at: usize) -> HourHint {
    let range = word(tokens, at + 1) == "to";
    let dated = follows_day(tokens, at) && hour_of(word(tokens, at + 2)).is_some();
    let ends = range && (dated || hit(tokens, at + 2, HourHint::No).is_some());
    if ends || ANNOUNCING.contains(&before(tokens, at)) { HourHint::Yes } else { HourHint::No }
}

/// The time that begins at a place.
pub(super) fn hit(tokens: &[Token], at: usize, announced: HourHint) -> Option<ClockMatch> {
    named(tokens, at)
        .or_else(|| spoken(tokens, at, announced))
        .or_else(|| written(tokens, at, announced))
        .or_else(|| in_words(tokens, at, announced))
}

/// The part of the day that the words name; a greeting names none.
pub(super) fn part_of(tokens: &[Token]) -> Option<(usize, DayPart)> {
    let places = 0..tokens.len();
    let mut named = places.filter(|at| before(tokens, *at) != "good");
    named.find_map(|at| Some((at, part(word(tokens, at))?)))
}

fn named(tokens: &[Token], at: usize) -> Option<ClockMatch> {
    let hour = match word(tokens, at) {
        "noon" | "midday" => 12,
        "midnight" => 0,
        _ => return None,
    };
    Some(ClockMatch { clock: clock(hour, 0, Some(DayHalf::Whole)), count: 1 })
}

/// `half past two`, `quarter to three`, `ten past four`, `at half two`.
fn spoken(tokens: &[Token], at: usize, announced: HourHint) -> Option<ClockMatch> {
    let minutes = match word(tokens, at) {
        "half" => 30,
        "quarter" => 15,
        count => number(count).filter(|count| (1..60).contains(count))?,
    };
    let unit = usize::from(word(tokens, at + 1).starts_with("minute"));
    let direction = word(tokens, at + 1 + unit);
    // "10 to 11" is from ten to eleven; "at ten to eleven" is ten minutes before.
    let quarter = word(tokens, at) == "quarter";
    let round = quarter || (minutes % 5 == 0 && before(tokens, at) == "at");
    let british = word(tokens, at) == "half" && announced == HourHint::Yes;
    let (skipped, minutes) = match direction {
        "past" => (2 + unit, minutes),
        "to" if round => (2 + unit, -minutes),
        _ if british => (1, minutes),
        _ => return None,
    };
    let hour = hour_of(word(tokens, at + skipped))?;
    let (half, more) = half(word(tokens, at + skipped + 1));
    // Before one is twelve, and not midnight.
    let hour = if hour == 1 && minutes < 0 && half.is_none() { 13 } else { hour };
    let total = (hour * 60 + minutes).rem_euclid(24 * 60);
    let clock = clock(total / 60, total % 60, half);
    Some(ClockMatch { clock, count: skipped + 1 + more })
}

/// An hour, in figures or as a word.
fn hour_of(word: &str) -> Option<i64> {
    number(word).filter(|hour| (0..24).contains(hour))
}

/// The half of the day in the words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum DayHalf {
    Morning,
    Afternoon,
    /// The 24-hour clock.
    Whole,
}

/// The half that a word names, and how many words that is.
fn half(word: &str) -> (Option<DayHalf>, usize) {
    match word {
        "am" | "a.m" => (Some(DayHalf::Morning), 1),
        "pm" | "p.m" => (Some(DayHalf::Afternoon), 1),
        "uhr" => (Some(DayHalf::Whole), 1),
        "oclock" => (None, 1),
        _ => (None, 0),
    }
}

fn clock(hour: i64, minute: i64, half: Option<DayHalf>) -> Option<Clock> {
    let hour = match half {
        Some(DayHalf::Afternoon) if hour < 12 => hour + 12,
        Some(DayHalf::Morning) if hour == 12 => 0,
        _ => hour,
    };
    let (hour, minute) = (i8::try_from(hour).ok()?, i8::try_from(minute).ok()?);
    let open = half.is_none() && (1..=12).contains(&hour);
    Some(Clock { time: Time::new(hour, minute, 0, 0).ok()?, open })
}

/// `10:30`, `9.30`, `10am`, `3 pm`, `15 Uhr`, `15h30`, or a bare hour that was announced.
fn written(tokens: &[Token], at: usize, announced: HourHint) -> Option<ClockMatch> {
    let figures = word(tokens, at);
    let cut = figures.find(|letter: char| !(letter.is_ascii_digit() || ":.".contains(letter)));
    let (digits, glued) = figures.split_at(cut.unwrap_or(figures.len()));
    let digits = digits.trim_end_matches('.');
    let (own, next) = (half(glued), half(word(tokens, at + 1)));
    let (half, more) = if own.1 > 0 { (own.0, 0) } else { next };
    let named = own.1 + next.1 > 0;
    let surely = announced == HourHint::Yes || named || follows_day(tokens, at);
    let (hour, minute, half) = match (digits.split_once([':', '.']), glued) {
        (Some((hour, minute)), _) if own.1 > 0 || glued.is_empty() => {
            let dotted = digits.contains('.');
            let minute = if dotted { minute } else { minute.split(':').next().unwrap_or(minute) };
            if dotted && (minute.len() != 2 || !surely) {
                return None;
            }
            let padded = half.or_else(|| hour.starts_with('0').then_some(DayHalf::Whole));
            (hour.parse().ok()?, two_digits(minute), padded)
        }
        (None, "h") => (digits.parse().ok()?, Some(0), Some(DayHalf::Whole)),
        (None, minute) if minute.starts_with('h') && minute.len() == 3 => {
            (digits.parse().ok()?, two_digits(&minute[1..]), Some(DayHalf::Whole))
        }
        (None, "") if digits.len() == 4 && before(tokens, at) == "at" => {
            (digits[..2].parse().ok()?, two_digits(&digits[2..]), Some(DayHalf::Whole))
        }
        (None, _) if named && (own.1 > 0 || glued.is_empty()) => {
            (digits.parse().ok()?, Some(0), half)
        }
        (None, "") if announced == HourHint::Yes && is_hour(tokens, at) => {
            (digits.parse().ok()?, Some(0), None)
        }
        _ => return None,
    };
    let clock = minute.and_then(|minute| clock(hour, minute, half));
    Some(ClockMatch { clock, count: 1 + more })
}

/// Whether a day stands right before, as in "Fri 9.30".
fn follows_day(tokens: &[Token], at: usize) -> bool {
    let Some(day) = at.checked_sub(1) else { return false };
    matches!(word(tokens, day), "tomorrow" | "today")
        || weekday(before(tokens, day), word(tokens, day), "at").is_some()
}

/// Whether a bare number may be an hour: "at 10 tomorrow", and not "after 2 reviews" or "at 99 High
/// Street".
fn is_hour(tokens: &[Token], at: usize) -> bool {
    let next = word(tokens, at + 1);
    let ends = next.is_empty()
        || AFTER_AN_HOUR.contains(&next)
        || weekday(word(tokens, at), next, "at").is_some();
    let hour = hour_of(word(tokens, at)).is_some();
    ends || (hour && matches!(before(tokens, at), "at" | "um") && !is_unit(tokens, at + 1))
}

fn two_digits(minute: &str) -> Option<i64> {
    minute.parse().ok().filter(|_| minute.len() == 2)
}

fn is_unit(tokens: &[Token], at: usize) -> bool {
    UNITS.iter().any(|unit| word(tokens, at).starts_with(unit))
}

/// `at ten`, `ten o'clock`, `at ten thirty`.
fn in_words(tokens: &[Token], at: usize, announced: HourHint) -> Option<ClockMatch> {
    let spelt = word(tokens, at);
    let hour = number(spelt).filter(|_| spelt.bytes().all(|byte| byte.is_ascii_alphabetic()))?;
    let minutes = match word(tokens, at + 1) {
        "fifteen" => Some(15),
        "thirty" => Some(30),
        "forty-five" | "fortyfive" => Some(45),
        _ => None,
    };
    let more = usize::from(minutes.is_some());
    let (half, named) = half(word(tokens, at + 1 + more));
    let meant = named > 0 || (announced == HourHint::Yes && !is_unit(tokens, at + 1));
    let clock = clock(hour, minutes.unwrap_or(0), half);
    (meant && hour > 0).then_some(ClockMatch { clock, count: 1 + more + named })
}
