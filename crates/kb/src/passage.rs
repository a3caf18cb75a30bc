//! Long texts are searched by passages: parts that end at headings and sentences.

use std::ops::Range;

use aileron_contract::kb::Record;

/// One part of a record's text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Passage {
    /// The headings it stands under, outermost first, joined; empty for none.
    pub(crate) heading: String,
    /// Its bytes in the record's text.
    pub(crate) range: Range<usize>,
}

/// The passages of a text, in order. A text of any kind has at least one.
pub(crate) fn split(text: &str) -> Vec<Passage> {
    vec![Passage { heading: String::new(), range: 0..text.len() }]
}

impl Passage {
    /// What is searched of it: the record's title, its headings, its text.
    pub(crate) fn indexed_text(&self, record: &Record) -> String {
        let text = record.text.get(self.range.clone()).unwrap_or_default();
        let parts = [record.title.as_str(), &self.heading, text];
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n")
    }
}
