//! The requested time of a meeting: the days, the hours in them, and words that are not a valid
//! time. Later words take precedence over earlier ones.

use jiff::ToSpan;
use jiff::civil::{Date, DateTime, Time};

use super::clock::{self, HourHint};
use super::day::{self, DayError, Span};
use super::length;
use super::names::DayPart;
use super::token::{Token, before, tokens, word, written};
use super::{LocalDate, stated_moment};
use crate::correction;
use crate::word::is_telling;

/// The hours of the day.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Hours {
    /// A start, with the end if it was named.
    At(Time, Option<Time>),
    Within(Time, Time),
}

/// Why words that look like a day or a time are not valid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum TimeError {
    NoDay(String),
    TwoDays(String),
    NoTime(String),
    /// The day or the time, as text.
    Passed(String),
}

/// The requested time in the words.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct RequestedTime {
    pub(crate) days: Option<Result<Span, TimeError>>,
    pub(crate) hours: Option<Result<Hours, TimeError>>,
    /// A moment written in full.
    pub(crate) stated: Option<String>,
}

/// The last start that is searched if only the first is named, and the first if only the last is.
const EVENING: Time = Time::constant(18, 0, 0, 0);
const MORNING: Time = Time::constant(9, 0, 0, 0);

/// How many days are searched from a day on.
const ONWARD: i64 = 7;

/// The requested time in the words, line by line.
pub(crate) fn of(text: &str, today: Option<&LocalDate>) -> RequestedTime {
    let mut wish = RequestedTime::default();
    for line in text.lines().rev() {
        let tokens = tokens(line);
        let parts = correction::parts(&tokens, |token| token.word.as_str());
        let earlier = parts.into_iter().rev().map(|part| of_part(part, today));
        wish = earlier.fold(wish, RequestedTime::or);
        wish.stated = wish.stated.or_else(|| stated_moment(line));
    }
    wish
}

/// The alternatives in the last line that has any: "Tuesday at 10 or Wednesday at 11".
pub(crate) fn others(text: &str, today: Option<&LocalDate>) -> Vec<RequestedTime> {
    let said = text.lines().rev().map(tokens).find(|tokens| !of_part(tokens, today).is_empty());
    let tokens = said.unwrap_or_default();
    let parts = tokens.split(|token| token.word == "or").map(|part| of_part(part, today));
    let mut wishes: Vec<RequestedTime> = parts.filter(|wish| !wish.is_empty()).collect();
    let first = if wishes.is_empty() { RequestedTime::default() } else { wishes.remove(0) };
    wishes.into_iter().map(|wish| wish.or(first.clone())).collect()
}

impl RequestedTime {
    fn or(self, earlier: Self) -> Self {
        Self {
            days: self.days.or(earlier.days),
            hours: self.hours.or(earlier.hours),
            stated: self.stated,
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Why the requested time cannot be searched.
    pub(crate) fn trouble(&self, today: Option<&LocalDate>) -> Option<TimeError> {
        let day = self.days.clone().and_then(Result::err);
        day.or_else(|| self.hours.clone()?.err()).or_else(|| self.passed(today?))
    }

    fn passed(&self, today: &LocalDate) -> Option<TimeError> {
        if let Some(start) = self.start(Some(today)) {
            let now = today.date.to_datetime(today.time.unwrap_or_else(Time::midnight));
            let told = || start.strftime("%A %-d %B %Y, %H:%M").to_string();
            return (start < now).then(|| TimeError::Passed(told()));
        }
        let span = self.span()?;
        let last = span.from.checked_add((span.days - 1).days()).ok()?;
        (last < today.date).then(|| TimeError::Passed(last.strftime("%A %-d %B %Y").to_string()))
    }

    /// The days, if they are days.
    pub(crate) fn span(&self) -> Option<Span> {
        self.days.as_ref()?.as_ref().ok().copied()
    }

    /// The start, if one is named. A time without a day is the next one.
    pub(crate) fn start(&self, today: Option<&LocalDate>) -> Option<DateTime> {
        let Some(Ok(Hours::At(time, _))) = self.hours else { return None };
        let date = match (self.span(), today) {
            (Some(span), _) => (span.days == 1).then_some(span.from)?,
            (None, Some(today)) if today.time.is_some_and(|now| time <= now) => {
                today.date.tomorrow().ok()?
            }
            (None, today) => today?.date,
        };
        Some(date.to_datetime(time))
    }

    /// The hours to look in, where no start is named.
    pub(crate) fn window(&self) -> Option<(Time, Time)> {
        match self.hours {
            Some(Ok(Hours::Within(from, to))) => Some((from, to)),
            _ => None,
        }
    }

    /// From the start to the end, in minutes.
    pub(crate) fn minutes(&self) -> Option<i64> {
        let Some(Ok(Hours::At(from, Some(to)))) = self.hours else { return None };
        let minutes = |time: Time| i64::from(time.hour()) * 60 + i64::from(time.minute());
        Some(minutes(to) - minutes(from)).filter(|minutes| *minutes > 0)
    }
}

/// Whether the words contain only a time and words that may accompany it.
pub(crate) fn is_all(text: &str, today: Option<&LocalDate>, company: &[&str]) -> bool {
    let tokens = tokens(text);
    let date = today.map(|today| today.date);
    let mut taken = vec![false; tokens.len()];
    let mut take = |at: usize, count: usize| {
        taken.iter_mut().skip(at).take(count).for_each(|taken| *taken = true);
    };
    day::hits(&tokens, date).iter().for_each(|hit| take(hit.at, hit.count));
    for at in 0..tokens.len() {
        let count = clock::hit(&tokens, at, clock::announced(&tokens, at)).map(|hit| hit.count);
        take(at, count.unwrap_or(0));
        take(at, length::at_place(&tokens, at).map_or(0, |(_, count)| count));
    }
    clock::part_of(&tokens).iter().for_each(|(at, _)| take(*at, 1));
    let rest = tokens.iter().zip(&taken).filter(|(_, taken)| !**taken);
    let mut rest = rest.map(|(token, _)| token.word.as_str());
    taken.contains(&true) && rest.all(|word| !is_telling(word) || company.contains(&word))
}

fn of_part(tokens: &[Token], today: Option<&LocalDate>) -> RequestedTime {
    if let Some(wish) = today.and_then(|today| soon(tokens, today)) {
        return wish;
    }
    let part = clock::part_of(tokens);
    let hits = day::hits(tokens, today.map(|today| today.date));
    let mut free: Vec<Token> = tokens.to_vec();
    // Words that name a day do not name an hour.
    for hit in &hits {
        for token in &mut free[hit.at..hit.at + hit.count] {
            if !token.word.starts_with(|letter: char| letter.is_ascii_alphabetic()) {
                token.word.clear();
            }
        }
    }
    let hours = hours(&free, part.map(|(_, part)| part));
    let mut days = days(tokens, &hits, today);
    let of_today = part.filter(|(at, _)| before(tokens, *at) == "this");
    if let (None, Some(_), Some(today)) = (&days, of_today, today) {
        days = Some(Ok(Span { from: today.date, days: 1 }));
    }
    RequestedTime { days, hours, stated: None }
}

/// `in half an hour`
fn soon(tokens: &[Token], today: &LocalDate) -> Option<RequestedTime> {
    let now = today.date.to_datetime(today.time?);
    let (minutes, _) = (0..tokens.len()).find_map(|at| length::ahead(tokens, at))?;
    let start = now.checked_add(minutes.minutes()).ok()?;
    let days = Some(Ok(Span { from: start.date(), days: 1 }));
    Some(RequestedTime { days, hours: Some(Ok(Hours::At(start.time(), None))), stated: None })
}

/// The days that the words bound or name.
fn days(
    tokens: &[Token],
    hits: &[day::DayMatch],
    today: Option<&LocalDate>,
) -> Option<Result<Span, TimeError>> {
    // "The Friday review" does not name a Friday if another day is named.
    let named = hits.iter().find(|hit| before(tokens, hit.at) != "the").or_else(|| hits.first())?;
    let span = match named.found {
        Ok(span) => span,
        Err(wrong) => return Some(Err(trouble(wrong, &tokens[named.at..named.at + named.count]))),
    };
    let other = hits.iter().find(|hit| hit.at > named.at).and_then(|hit| {
        let joined = matches!(before(tokens, hit.at), "to" | "and" | "until" | "through" | "till");
        hit.found.ok().filter(|_| joined)
    });
    Some(Ok(bounded(before(tokens, named.at), span, other, today.map(|today| today.date))))
}

fn trouble(wrong: DayError, words: &[Token]) -> TimeError {
    match wrong {
        DayError::NoDay => TimeError::NoDay(written(words)),
        DayError::TwoDays => TimeError::TwoDays(written(words)),
    }
}

/// A day with the word before it: `by Friday`, `after Monday`, `between Monday and Wednesday`.
fn bounded(lead: &str, span: Span, other: Option<Span>, today: Option<Date>) -> Span {
    let between = |from: Date, to: Date| {
        let days = i64::from((to - from).get_days()) + 1;
        (days > 0).then_some(Span { from, days: days.min(30) })
    };
    let until = |last: Option<Date>| between(today?, last?);
    let last = span.from.checked_add((span.days - 1).days()).ok();
    let bounded = match lead {
        "before" => until(span.from.yesterday().ok()),
        "by" | "until" | "till" => until(last),
        "after" => {
            last.and_then(|last| last.tomorrow().ok()).map(|from| Span { from, days: ONWARD })
        }
        "between" | "from" => other.and_then(|other| between(span.from, other.from)),
        _ => None,
    };
    bounded.unwrap_or(span)
}

/// The hours that the words name.
fn hours(tokens: &[Token], part: Option<DayPart>) -> Option<Result<Hours, TimeError>> {
    let found = (0..tokens.len()).find_map(|at| {
        let hit = clock::hit(tokens, at, clock::announced(tokens, at))?;
        Some((at, hit))
    });
    let Some((at, hit)) = found else {
        return part.map(|part| Ok(Hours::Within(part.from, part.to)));
    };
    let Some(clock) = hit.clock else {
        return Some(Err(TimeError::NoTime(written(
            &tokens[at..(at + hit.count).min(tokens.len())],
        ))));
    };
    let end = end(tokens, at + hit.count);
    Some(Ok(bounded_hours(before(tokens, at), clock, end, part)))
}

/// The time behind "to" or "and".
fn end(tokens: &[Token], at: usize) -> Option<clock::Clock> {
    let joined = matches!(word(tokens, at), "to" | "until" | "till" | "and" | "bis");
    clock::hit(tokens, at + 1, HourHint::Yes).filter(|_| joined)?.clock
}

fn bounded_hours(
    lead: &str,
    start: clock::Clock,
    end: Option<clock::Clock>,
    part: Option<DayPart>,
) -> Hours {
    // In "2 to 4 pm", the half of the day applies to both.
    let noon = Time::constant(12, 0, 0, 0);
    let afternoon = end.filter(|end| start.open && !end.open && end.time > noon);
    let shared = afternoon.filter(|end| start.time.hour() + 12 < end.time.hour());
    let part = part.or_else(|| shared.map(|end| DayPart { from: noon, to: end.time }));
    let from = start.by_day(part);
    let to = end.map(|end| end.by_day(part)).filter(|to| *to > from);
    match (lead, to) {
        ("between", Some(to)) => Hours::Within(from, to),
        ("after", _) => Hours::Within(from, EVENING.max(later(from))),
        ("before" | "by" | "until" | "till", _) => Hours::Within(first_before(from), from),
        (_, to) => Hours::At(from, to),
    }
}

/// Three hours later, the same day.
fn later(time: Time) -> Time {
    time.checked_add(3.hours()).unwrap_or(Time::constant(23, 59, 0, 0))
}

/// The first start that is searched before a time.
fn first_before(time: Time) -> Time {
    let early = time <= Time::constant(10, 0, 0, 0);
    let earlier = || time.checked_sub(3.hours()).unwrap_or_else(|_| Time::midnight());
    if early { earlier() } else { MORNING }
}
