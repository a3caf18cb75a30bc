//! Days: by their date, by their weekday, by their distance from today.
//!
//! A numeric date that can mean two days is rejected, so that no meeting is on the wrong day.

use jiff::ToSpan;
use jiff::civil::{Date, Weekday};

use super::names::{DISTANCES, month, weekday};
use super::token::{Token, before, word};
use crate::word::number;

/// Days in a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) from: Date,
    pub(crate) days: i64,
}

/// Why words that look like a day name none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DayError {
    /// `31 February`
    NoDay,
    /// `3/4/2026`
    TwoDays,
}

/// A day in the words, with the number of words that name it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct DayMatch {
    pub(super) found: Result<Span, DayError>,
    pub(super) at: usize,
    pub(super) count: usize,
}

/// Words before a day of the month or a date of two numbers.
const DATING: &[&str] =
    &["on", "am", "den", "by", "until", "till", "after", "before", "from", "it", "to"];

/// How many days "a week" and "a month" stand for.
const WEEK: i64 = 7;
const MONTH: i64 = 30;

/// Every day in the words, in order.
pub(super) fn hits(tokens: &[Token], today: Option<Date>) -> Vec<DayMatch> {
    let mut hits: Vec<DayMatch> = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        let hit = hit(tokens, at, today);
        at += hit.map_or(1, |hit| hit.count);
        hits.extend(hit);
    }
    in_their_week(tokens, hits)
}

fn hit(tokens: &[Token], at: usize, today: Option<Date>) -> Option<DayMatch> {
    let (found, count) = FORMS.iter().find_map(|form| form(tokens, at, today))?;
    Some(DayMatch { found, at, count })
}

/// The result of a form for the words at an index, and how many words it uses.
type Form = Option<(Result<Span, DayError>, usize)>;

type Reader = fn(&[Token], usize, Option<Date>) -> Form;

/// The ways to name a day; the first that matches counts.
const FORMS: &[Reader] =
    &[numbers, by_month, by_distance, counted, week_or_month, by_weekday, day_of_month];

fn one(date: Date) -> Span {
    Span { from: date, days: 1 }
}

fn later(today: Date, days: i64) -> Option<Date> {
    today.checked_add(days.days()).ok()
}

/// `2026-02-03`, `3.2.2026`, `2/13/2026`, and `on 3.2` without a year.
fn numbers(tokens: &[Token], at: usize, today: Option<Date>) -> Form {
    let text = word(tokens, at);
    let text = text.split_once('t').map_or(text, |(date, _)| date);
    let mark = ['-', '.', '/'].into_iter().find(|mark| text.contains(*mark))?;
    let parts: Vec<&str> = text.split(mark).collect();
    let is_number = |part: &&str| {
        matches!(part.len(), 1 | 2 | 4) && part.bytes().all(|byte| byte.is_ascii_digit())
    };
    if !parts.iter().all(is_number) {
        return None;
    }
    let values: Vec<i16> = parts.iter().filter_map(|part| part.parse().ok()).collect();
    let short = parts.iter().all(|part| part.len() < 4);
    let dated = is_dated(tokens, at) || follows_weekday(tokens, at);
    let found = match (mark, values.as_slice()) {
        (_, [year, month, day]) if parts[0].len() == 4 => {
            dated_as(*day, *month, Some(*year), today)
        }
        // Three short numbers may be a version.
        (_, [..]) if values.len() == 3 && short && !dated => return None,
        ('.', [day, month, year]) => dated_as(*day, *month, Some(*year), today),
        (_, [first, other, year]) => either(*first, *other, Some(*year), today),
        ('.', [day, month]) if short && dated && *month <= 12 && *day <= 31 => {
            dated_as(*day, *month, None, today)
        }
        ('/', [first, other]) if short && dated => either(*first, *other, None, today),
        _ => return None,
    };
    Some((found.map(one), 1))
}

/// Whether the words before a place lead to a date; "9.00 to 10.12" are times.
fn is_dated(tokens: &[Token], at: usize) -> bool {
    let lead = before(tokens, at);
    let number = |at: usize| before(tokens, at).starts_with(|letter: char| letter.is_ascii_digit());
    DATING.contains(&lead) && !(lead == "to" && at.checked_sub(1).is_some_and(number))
}

fn follows_weekday(tokens: &[Token], at: usize) -> bool {
    at.checked_sub(1)
        .is_some_and(|at| weekday(before(tokens, at), word(tokens, at), "at").is_some())
}

/// Month and day in either order, if only one order is a valid date.
fn either(one: i16, other: i16, year: Option<i16>, today: Option<Date>) -> Result<Date, DayError> {
    let day_first = dated_as(one, other, year, today);
    let month_first = dated_as(other, one, year, today);
    match (day_first, month_first) {
        (Ok(day_first), Ok(month_first)) if day_first != month_first => Err(DayError::TwoDays),
        (Ok(date), _) | (_, Ok(date)) => Ok(date),
        (wrong, _) => wrong,
    }
}

/// A date; without a year, the next of its kind.
fn dated_as(
    day: i16,
    month: i16,
    year: Option<i16>,
    today: Option<Date>,
) -> Result<Date, DayError> {
    let (Ok(day), Ok(month)) = (i8::try_from(day), i8::try_from(month)) else {
        return Err(DayError::NoDay);
    };
    let of_year = |year: i16| Date::new(year, month, day).map_err(|_| DayError::NoDay);
    match (year, today) {
        (Some(year @ 0..=99), _) => of_year(2000 + year),
        (Some(year), _) => of_year(year),
        (None, Some(today)) => match of_year(today.year()) {
            Ok(date) if date >= today => Ok(date),
            _ => of_year(today.year() + 1),
        },
        (None, None) => Err(DayError::NoDay),
    }
}

/// `3 february 2026`, `february 3rd`, `the 3rd of february`, `in february`.
fn by_month(tokens: &[Token], at: usize, today: Option<Date>) -> Form {
    let after = |from: usize| {
        let skipped =
            (from..tokens.len()).take_while(|at| matches!(word(tokens, *at), "of" | "the"));
        from + skipped.count()
    };
    let second = after(at + 1);
    let (day, month, end) = match (ordinal(word(tokens, at)), month(word(tokens, at))) {
        (Some(day), _) => (day, month(word(tokens, second))?, second + 1),
        (None, Some(month)) => match ordinal(word(tokens, second)) {
            Some(day) => (day, month, second + 1),
            None => return whole_month(tokens, at, month, today),
        },
        (None, None) => return None,
    };
    let year = word(tokens, end).parse::<i16>().ok().filter(|year| *year > 1900);
    // A month without a year is the next one, which cannot be determined without today's date.
    if year.is_none() && today.is_none() {
        return None;
    }
    let found = dated_as(day, i16::from(month), year, today).map(one);
    Some((found, end + usize::from(year.is_some()) - at))
}

/// A month as a whole is announced: "in May".
fn whole_month(tokens: &[Token], at: usize, month: i8, today: Option<Date>) -> Form {
    let today = today.filter(|_| before(tokens, at) == "in")?;
    let year = word(tokens, at + 1).parse::<i16>().ok().filter(|year| *year > 1900);
    let this = Date::new(today.year(), month, 1).ok()?;
    let first = match year {
        Some(year) => Date::new(year, month, 1).ok()?,
        None if this.last_of_month() < today => Date::new(today.year() + 1, month, 1).ok()?,
        None => this,
    };
    let from = if first.last_of_month() < today { first } else { first.max(today) };
    let days = i64::from((first.last_of_month() - from).get_days()) + 1;
    Some((Ok(Span { from, days: days.min(MONTH) }), 1 + usize::from(year.is_some())))
}

/// `3`, `3rd`
fn ordinal(word: &str) -> Option<i16> {
    let digits = word.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
    let ending = &word[digits.len()..];
    let day = digits.parse::<i16>().ok().filter(|_| digits.len() <= 2);
    day.filter(|_| matches!(ending, "" | "st" | "nd" | "rd" | "th"))
}

fn by_distance(tokens: &[Token], at: usize, today: Option<Date>) -> Form {
    let named =
        |words: &[&str]| (0..).zip(words).all(|(ahead, name)| word(tokens, at + ahead) == *name);
    let (words, days) = DISTANCES.iter().find(|(words, _)| named(words))?;
    Some((Ok(one(later(today?, *days)?)), words.len()))
}

/// `in 3 days`, `two weeks from now`, `3 days ago`.
fn counted(tokens: &[Token], at: usize, today: Option<Date>) -> Form {
    let announced = usize::from(word(tokens, at) == "in");
    let count = match word(tokens, at + announced) {
        "a" | "one" => 1,
        count => number(count).filter(|count| (0..=3660).contains(count))?,
    };
    let days = match word(tokens, at + announced + 1) {
        "day" | "days" => count,
        "week" | "weeks" => count * WEEK,
        "fortnight" | "fortnights" => count * 2 * WEEK,
        "month" | "months" => return months(today?, count, announced),
        _ => return None,
    };
    let (days, more) = match [word(tokens, at + announced + 2), word(tokens, at + announced + 3)] {
        ["ago", _] => (-days, 1),
        ["from", "now" | "today"] => (days, 2),
        _ if announced == 1 => (days, 0),
        _ => return None,
    };
    Some((Ok(one(later(today?, days)?)), announced + 2 + more))
}

fn months(today: Date, count: i64, announced: usize) -> Form {
    let date = today.checked_add(count.months()).ok().filter(|_| announced == 1)?;
    Some((Ok(one(date)), 3))
}

/// `next week`, `this month`, `the weekend`.
fn week_or_month(tokens: &[Token], at: usize, today: Option<Date>) -> Form {
    let today = today?;
    let monday = later(today, -i64::from(today.weekday().to_monday_zero_offset()))?;
    let span = |from: Date, days: i64| Some(Span { from, days });
    let until = |end: Date| i64::from((end - today).get_days()) + 1;
    let (span, count) = match [word(tokens, at), word(tokens, at + 1)] {
        ["next", "week"] => (span(later(monday, WEEK)?, WEEK), 2),
        ["this", "week"] => (span(today, until(later(monday, 6)?)), 2),
        ["last", "week"] => (span(later(monday, -WEEK)?, WEEK), 2),
        ["next", "weekend"] => (span(later(monday, WEEK + 5)?, 2), 2),
        ["next", "month"] => {
            let first = today.last_of_month().tomorrow().ok()?;
            (span(first, i64::from(first.days_in_month()).min(MONTH)), 2)
        }
        ["this", "month"] => (span(today, until(today.last_of_month()).min(MONTH)), 2),
        ["last", "month" | "year"] => (span(later(today, -MONTH)?, 1), 2),
        ["next" | "this", "year" | "quarter"] => return Some((Err(DayError::NoDay), 2)),
        ["weekend", _] => (span(later(monday, 5)?, 2), 1),
        _ => return None,
    };
    Some((Ok(span?), count))
}

fn by_weekday(tokens: &[Token], at: usize, today: Option<Date>) -> Form {
    let day = weekday(before(tokens, at), word(tokens, at), word(tokens, at + 1))?;
    let which = if before(tokens, at) == "last" { -1 } else { 1 };
    Some((Ok(one(today?.nth_weekday(which, day).ok()?)), 1))
}

/// `on the 24th`: the next one.
fn day_of_month(tokens: &[Token], at: usize, today: Option<Date>) -> Form {
    let today = today?;
    let day =
        ordinal(word(tokens, at)).filter(|_| word(tokens, at).ends_with(char::is_alphabetic))?;
    let led = match before(tokens, at) {
        "the" => at.checked_sub(1).map_or("", |at| before(tokens, at)),
        lead => lead,
    };
    if !DATING.contains(&led) {
        return None;
    }
    let mut following = (0..12).filter_map(|ahead| {
        let month = today.first_of_month().checked_add(i64::from(ahead).months()).ok()?;
        Date::new(month.year(), month.month(), i8::try_from(day).ok()?).ok()
    });
    let found = following.find(|date| *date >= today);
    Some((found.map(one).ok_or(DayError::NoDay), 1))
}

/// "Friday next week" is one day, whichever of the two is named first.
fn in_their_week(tokens: &[Token], hits: Vec<DayMatch>) -> Vec<DayMatch> {
    let week = hits.iter().find_map(|hit| {
        let named = word(tokens, hit.at + 1) == "week" && word(tokens, hit.at) == "next";
        hit.found.ok().filter(|_| named)
    });
    let Some(week) = week else { return hits };
    let day = hits.iter().find_map(|hit| {
        let single = hit.found.ok().filter(|span| span.days == 1 && hit.count == 1)?;
        Some((hit, in_week(week.from, single.from.weekday())?))
    });
    match day {
        Some((hit, date)) => vec![DayMatch { found: Ok(one(date)), ..*hit }],
        None => hits,
    }
}

fn in_week(monday: Date, day: Weekday) -> Option<Date> {
    later(monday, i64::from(day.to_monday_zero_offset()))
}
