//! Long texts are searched by passages: parts that end at headings and sentences.
//!
//! A text of at most [`WHOLE`] bytes is one passage. A longer one is split at its headings, and a
//! part that is still too long at the end of a paragraph, a sentence, a line or a word. Every byte
//! is read a bounded number of times, so the work is linear.

mod cut;
mod heading;
mod sentence;

use std::ops::Range;

use aileron_contract::kb::Record;

use heading::{Outline, Section};
pub(crate) use heading::{headings, plain};

/// Up to how many bytes a part is left whole.
const WHOLE: usize = 2000;

/// Below how many bytes a part under a heading is joined with the next one.
const SMALL: usize = 400;

/// One part of a record's text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Passage {
    /// The headings above it, outermost first, joined; empty if there are none.
    pub(crate) heading: String,
    /// Its bytes in the record's text.
    pub(crate) range: Range<usize>,
}

impl Passage {
    /// The text that is searched and embedded: the record's title, the headings, the passage.
    pub(crate) fn indexed_text(&self, record: &Record) -> String {
        let passage = record.text.get(self.range.clone()).unwrap_or_default();
        let parts = [record.title.as_str(), self.heading.as_str(), passage];
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n")
    }
}

/// The passages of a text, in order. A text of any kind has at least one; only the passage of
/// a text without words is empty.
pub(crate) fn split(text: &str) -> Vec<Passage> {
    let outline = Outline::of(text);
    let ranges = ranges(text, &outline);
    if ranges.is_empty() {
        return vec![Passage { heading: String::new(), range: 0..0 }];
    }
    let mut trails = outline.trails();
    let passage = |range: Range<usize>| Passage { heading: trails.over(&range), range };
    ranges.into_iter().map(passage).collect()
}

fn ranges(text: &str, outline: &Outline<'_>) -> Vec<Range<usize>> {
    let whole = cut::trimmed(text, 0..text.len());
    if whole.len() <= WHOLE {
        return if whole.is_empty() { Vec::new() } else { vec![whole] };
    }
    let mut ranges = Vec::new();
    for part in joined(&outline.sections, text.len()) {
        cut::cut(text, part, &mut ranges);
    }
    ranges
}

/// The parts under headings, small ones joined with the next part.
fn joined(sections: &[Section<'_>], end: usize) -> Vec<Range<usize>> {
    let mut parts = Vec::new();
    let mut start = 0;
    for section in sections {
        if section.start >= start + SMALL {
            parts.push(start..section.start);
            start = section.start;
        }
    }
    parts.push(start..end);
    parts
}

#[cfg(test)]
#[path = "passage_tests.rs"]
mod tests;
