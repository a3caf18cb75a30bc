//! The part of a text around the first matching word.

use std::collections::BTreeSet;

use super::words;

/// The maximum length of a snippet without its ellipses.
const LENGTH: usize = 200;

/// The part of that before the match.
const LEAD: usize = 60;

const CUT: &str = "…";

/// A snippet of the text; its beginning, if the text has none of the words.
pub(super) fn around(text: &str, wanted: &BTreeSet<String>) -> String {
    let found = words::placed(text).find(|(_, word)| wanted.contains(word));
    let start = found.map_or(0, |(place, _)| begin(text, place));
    let end = end(text, start);
    let mark = |cut: bool| if cut { CUT } else { "" };
    let part = text.get(start..end).unwrap_or(text).trim();
    format!("{}{part}{}", mark(start > 0), mark(end < text.trim_end().len()))
}

/// The first word that begins at most `LEAD` characters before the place.
fn begin(text: &str, place: usize) -> usize {
    let before = text.get(..place).unwrap_or_default();
    let Some((earliest, _)) = before.char_indices().rev().nth(LEAD) else {
        return 0;
    };
    let word = words::placed(before).find(|(start, _)| *start > earliest);
    word.map_or(place, |(start, _)| start)
}

/// The last space that is at most `LENGTH` characters after the start, else just there.
fn end(text: &str, start: usize) -> usize {
    let rest = text.get(start..).unwrap_or_default();
    let Some((latest, _)) = rest.char_indices().nth(LENGTH) else {
        return text.len();
    };
    let part = rest.get(..latest).unwrap_or(rest);
    start + part.rfind(char::is_whitespace).unwrap_or(latest)
}

#[cfg(test)]
#[path = "snippet_tests.rs"]
mod tests;
