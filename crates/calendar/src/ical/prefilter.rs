//! Skips the events of a text that lie outside the requested days, by a few lines of each, so that
//! a calendar of many years costs little more than its relevant part. An unusual event is not
//! skipped; the parser reads it.

mod event;
mod lines;

use std::borrow::Cow;
use std::ops::Range;

use self::event::PartialEvent;
use self::lines::Lines;
use super::busy::is_whole;
use super::days::Days;

/// The positions of events that may be skipped.
#[derive(Debug)]
pub(crate) struct Outline<'a> {
    text: &'a str,
    events: Vec<(Range<usize>, Days)>,
    /// Whether a changed occurrence moves others, so that none can be skipped.
    entangled: bool,
}

impl<'a> Outline<'a> {
    pub(crate) fn of(text: &'a str) -> Self {
        let mut outline = Self { text, events: Vec::new(), entangled: false };
        let mut open: Option<PartialEvent<'_>> = None;
        let mut glued = false;
        for line in Lines::of(text) {
            // This apparent beginning may be the rest of an encoded value.
            let begins = !glued && line.is("BEGIN:VEVENT");
            glued = line.may_go_on();
            if begins {
                open = Some(PartialEvent::at(line.start));
                continue;
            }
            let Some(event) = &mut open else { continue };
            match event.see(&line) {
                event::LineEffect::More => {}
                event::LineEffect::Odd => open = None,
                event::LineEffect::End => {
                    outline.entangled |= event.moves_others;
                    let days = event.days();
                    outline.events.extend(days.map(|days| (event.start..line.end, days)));
                    open = None;
                }
            }
        }
        outline
    }

    /// The text without the events outside these days.
    pub(crate) fn within(&self, asked: &Days) -> Cow<'a, str> {
        self.without(|days| !days.meet(asked))
    }

    /// A range that contains the days of all events of the text.
    pub(crate) fn days(&self) -> Days {
        let rest = self.without(|_| true);
        let upper = rest.to_ascii_uppercase();
        let says_nothing = !upper.contains("VEVENT") && !upper.contains("FREEBUSY");
        match says_nothing && is_whole(&rest) {
            true => self.events.iter().fold(Days::NONE, |all, (_, days)| all.and(days)),
            false => Days::ALL,
        }
    }

    fn without(&self, left_out: impl Fn(&Days) -> bool) -> Cow<'a, str> {
        if self.entangled || self.events.is_empty() {
            return Cow::Borrowed(self.text);
        }
        let mut rest = String::with_capacity(self.text.len() / 8);
        let mut from = 0;
        for (range, _) in self.events.iter().filter(|(_, days)| left_out(days)) {
            rest.push_str(self.text.get(from..range.start).unwrap_or_default());
            from = range.end;
        }
        rest.push_str(self.text.get(from..).unwrap_or_default());
        Cow::Owned(rest)
    }
}

#[cfg(test)]
#[path = "prefilter_tests.rs"]
mod tests;
