//! The days of one event, from a few of its lines.

use std::borrow::Cow;

use super::super::LONGEST_DAYS;
use super::super::days::Days;
use super::lines::{ContentLine, Property};

/// The effect of a line on an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LineEffect {
    More,
    End,
    /// The end of the event is unclear.
    Odd,
}

/// An event whose lines were read up to some point.
#[derive(Debug)]
pub(super) struct PartialEvent<'a> {
    pub(super) start: usize,
    /// Whether it changes all occurrences from some point on.
    pub(super) moves_others: bool,
    /// The components inside that have not ended.
    inside: Vec<&'a str>,
    days: Option<Days>,
    duration: u32,
    /// The last day of the rules.
    until: Option<u32>,
    unclear: bool,
}

impl<'a> PartialEvent<'a> {
    pub(super) fn at(start: usize) -> Self {
        Self {
            start,
            moves_others: false,
            inside: Vec::new(),
            days: None,
            duration: 0,
            until: None,
            unclear: false,
        }
    }

    pub(super) fn see(&mut self, line: &ContentLine<'a>) -> LineEffect {
        self.unclear |= line.may_go_on();
        let Ok(property) = line.property() else {
            self.unclear = true;
            return LineEffect::More;
        };
        let Some(property) = property else { return LineEffect::More };
        let is = |name: &str| property.name.eq_ignore_ascii_case(name);
        if is("BEGIN") || is("END") {
            return self.nest(line, &property);
        }
        if self.inside.is_empty() {
            self.note(line, &property);
        }
        LineEffect::More
    }

    fn nest(&mut self, line: &ContentLine<'a>, property: &Property<'a>) -> LineEffect {
        if property.parameters {
            return LineEffect::Odd;
        }
        let Cow::Borrowed(component) = line.value() else { return LineEffect::Odd };
        if !component.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-') {
            return LineEffect::Odd;
        }
        if property.name.eq_ignore_ascii_case("BEGIN") {
            self.inside.push(component);
            return if component.eq_ignore_ascii_case("VEVENT") {
                LineEffect::Odd
            } else {
                LineEffect::More
            };
        }
        match self.inside.pop() {
            None if component.eq_ignore_ascii_case("VEVENT") => LineEffect::End,
            Some(begun) if begun.eq_ignore_ascii_case(component) => LineEffect::More,
            _ => LineEffect::Odd,
        }
    }

    fn note(&mut self, line: &ContentLine<'a>, property: &Property<'a>) {
        let name = property.name;
        let is = |other: &str| name.eq_ignore_ascii_case(other);
        if is("DTSTART") || is("DTEND") {
            match Days::written(&line.value()) {
                Some(day) => self.days = Some(self.days.unwrap_or(Days::NONE).and(&day)),
                None => self.unclear = true,
            }
        } else if is("DURATION") {
            match days_of(&line.value()) {
                Some(days) => self.duration = self.duration.max(days),
                None => self.unclear = true,
            }
        } else if is("RRULE") {
            self.until = Some(self.until.unwrap_or_default().max(until(&line.value())));
        } else if is("RDATE") {
            self.unclear = true;
        } else if is("RECURRENCE-ID") {
            self.unclear = true;
            self.moves_others |= line.text().to_ascii_uppercase().contains("RANGE");
        }
    }

    /// `None` if unknown.
    pub(super) fn days(&self) -> Option<Days> {
        let days = self.days.filter(|_| !self.unclear)?.longer_by(self.duration);
        let until = self.until.map(|until| Days { first: days.first, last: until });
        Some(until.map_or(days, |until| days.and(&until.longer_by(LONGEST_DAYS))))
    }
}

/// The last day of a rule, or the end of all days.
fn until(rule: &str) -> u32 {
    let rule = rule.to_ascii_uppercase();
    let value = rule.split(';').find_map(|part| part.trim().strip_prefix("UNTIL="));
    value.and_then(Days::written).map_or(Days::ALL.last, |day| day.last)
}

/// A duration in days, rounded up.
fn days_of(duration: &str) -> Option<u32> {
    let text = duration.trim_start_matches(['+', '-']).to_ascii_uppercase();
    let mut seconds = 0_u64;
    let mut number = String::new();
    for letter in text.strip_prefix('P')?.chars() {
        let unit = match letter {
            '0'..='9' => {
                number.push(letter);
                continue;
            }
            'T' if number.is_empty() => continue,
            'W' => 7 * 86_400,
            'D' => 86_400,
            'H' => 3600,
            'M' => 60,
            'S' => 1,
            _ => return None,
        };
        seconds = seconds.checked_add(number.parse::<u64>().ok()?.checked_mul(unit)?)?;
        number.clear();
    }
    u32::try_from(seconds.div_ceil(86_400)).ok().filter(|_| number.is_empty())
}
