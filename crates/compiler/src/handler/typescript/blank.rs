//! Blanks ranges of a text out: one space per character, line ends kept.

use std::collections::BTreeMap;

use crate::source::Span;

/// Why a blanked range may need a semicolon in its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Guard {
    /// It never does.
    None,
    /// A statement or its beginning was removed.
    Statement,
    /// A class member or its beginning was removed.
    Member,
    /// The end of an expression was removed.
    Expression,
    /// The type of a field went whose name alone reads as a keyword.
    FieldName,
}

/// A range to blank.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct BlankRange {
    pub(super) start: u32,
    pub(super) end: u32,
    pub(super) guard: Guard,
}

/// The edits of a text.
#[derive(Debug, Default)]
pub(super) struct Edits {
    pub(super) blanks: Vec<BlankRange>,
    /// Characters to insert in blanked places.
    pub(super) puts: BTreeMap<u32, char>,
}

impl Edits {
    /// The blanked ranges, sorted and without overlap.
    pub(super) fn ranges(&self) -> Vec<(u32, u32)> {
        let mut all: Vec<_> = self.blanks.iter().map(|blank| (blank.start, blank.end)).collect();
        all.sort_unstable();
        let mut ranges: Vec<(u32, u32)> = Vec::with_capacity(all.len());
        for (start, end) in all {
            match ranges.last_mut() {
                Some(last) if start <= last.1 => last.1 = last.1.max(end),
                _ => ranges.push((start, end)),
            }
        }
        ranges
    }
}

/// Applies edits to a text.
pub(super) fn apply(text: &str, edits: &Edits) -> (String, Offsets) {
    let mut code = String::with_capacity(text.len());
    let mut offsets = Offsets::default();
    let mut done = 0;
    for (start, end) in edits.ranges() {
        let (start, end) = (start as usize, end as usize);
        code.push_str(text.get(done..start).unwrap_or_default());
        for (at, c) in text.get(start..end).unwrap_or_default().char_indices() {
            let put = u32::try_from(start + at).ok().and_then(|at| edits.puts.get(&at));
            code.push(put.copied().unwrap_or(blank(c)));
            offsets.lose(code.len(), c, put.is_none());
        }
        done = end;
    }
    code.push_str(text.get(done..).unwrap_or_default());
    (code, offsets)
}

/// The replacement of a blanked character.
fn blank(c: char) -> char {
    match c {
        '\n' | '\r' | '\u{2028}' | '\u{2029}' | '\t' => c,
        _ => ' ',
    }
}

/// Maps positions of the blanked text to the source: multi-byte characters became single spaces.
#[derive(Debug, Default)]
pub(crate) struct Offsets(Vec<(usize, usize)>);

impl Offsets {
    /// The range in the original text.
    pub(crate) fn original(&self, span: Span) -> Span {
        self.place(span.start)..self.place(span.end)
    }

    fn place(&self, at: usize) -> usize {
        let passed = self.0.partition_point(|(place, _)| *place <= at);
        let lost = passed.checked_sub(1).and_then(|last| self.0.get(last)).map_or(0, |(_, n)| *n);
        at + lost
    }

    /// Notes that the character before `place` was shortened.
    fn lose(&mut self, place: usize, c: char, blanked: bool) {
        let written = if blanked { blank(c).len_utf8() } else { 1 };
        let lost = c.len_utf8() - written;
        if lost > 0 {
            let total = self.0.last().map_or(0, |(_, total)| *total) + lost;
            self.0.push((place, total));
        }
    }
}
