//! An excerpt of a record's text, and how several excerpts share the size limit of one answer.

use aileron_contract::kb::Record;
use serde_json::Value;

/// A part of a text, in characters.
pub(super) struct Excerpt<'a> {
    pub(super) text: &'a str,
    pub(super) offset: usize,
    /// The offset of the rest; none at the end.
    pub(super) next_offset: Option<usize>,
    pub(super) total_chars: usize,
}

impl<'a> Excerpt<'a> {
    /// The text of a record from an offset on: limited in characters, and in JSON characters, where
    /// a line end or a quotation mark counts two.
    pub(super) fn of(record: &'a Record, offset: usize, chars: usize, json_chars: usize) -> Self {
        let text = record.text.as_str();
        let total_chars = text.chars().count();
        let offset = offset.min(total_chars);
        let start = text.char_indices().nth(offset).map_or(text.len(), |(start, _)| start);
        let rest = text.get(start..).unwrap_or_default();
        let (mut width, mut count) = (0, 0);
        let end = rest.char_indices().find(|(_, c)| {
            width += escaped(*c);
            let is_full = count == chars || width > json_chars;
            count += 1;
            is_full
        });
        let end = end.map_or(rest.len(), |(end, _)| end);
        let text = rest.get(..end).unwrap_or(rest);
        let next = offset + text.chars().count();
        let next_offset = (next < total_chars).then_some(next);
        Self { text, offset, next_offset, total_chars }
    }
}

/// How many characters JSON needs for one.
fn escaped(c: char) -> usize {
    match c {
        '"' | '\\' | '\n' | '\r' | '\t' | '\u{8}' | '\u{c}' => 2,
        '\0'..='\u{1f}' => 6,
        _ => 1,
    }
}

/// How many characters a value has as JSON.
pub(super) fn json_chars(value: &Value) -> usize {
    value.to_string().chars().count()
}

/// The maximum for each, so that all together fit: those that need less leave their share to the
/// others.
pub(super) fn fair_share(wanted: &[usize], room: usize) -> usize {
    let mut sorted = wanted.to_vec();
    sorted.sort_unstable();
    let mut left = room;
    for (place, wanted) in sorted.iter().enumerate() {
        let each = left / (sorted.len() - place);
        if *wanted > each {
            return each;
        }
        left -= wanted;
    }
    usize::MAX
}
