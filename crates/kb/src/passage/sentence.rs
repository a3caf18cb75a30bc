//! Finds sentence ends in any script, by punctuation, without a dictionary.

use std::ops::Range;

/// Words that end in a full stop without ending a sentence.
const ABBREVIATIONS: [&str; 47] = [
    "approx", "apr", "aug", "bzw", "ca", "capt", "cf", "col", "dec", "dept", "dr", "ed", "est",
    "feb", "fig", "gen", "hon", "inc", "jan", "jr", "jul", "jun", "lt", "ltd", "mar", "mme", "mr",
    "mrs", "ms", "mt", "no", "nov", "nr", "oct", "pp", "prof", "rev", "sen", "sep", "sgt", "sr",
    "st", "str", "usw", "vgl", "vol", "vs",
];

/// No abbreviation is longer, dots included.
const LONGEST: usize = 16;

/// The end of the last sentence in a range, counted from the range's start. The characters between
/// that end and the next word belong to neither sentence.
pub(super) fn last_end(text: &str, range: Range<usize>) -> Option<usize> {
    let window = text.get(range.clone())?;
    let marks = window.char_indices().rev().filter(|(_, c)| is_mark(*c));
    let end = |(at, mark): (usize, char)| end_after(text, range.start + at, mark);
    marks.filter_map(end).find(|end| *end < range.end).map(|end| end - range.start)
}

/// Where the sentence ends that a mark closes, if it does: quotes and brackets after it belong to it.
fn end_after(text: &str, at: usize, mark: char) -> Option<usize> {
    let rest = text.get(at + mark.len_utf8()..)?;
    let closed = rest.trim_start_matches(is_closing);
    let end = at + mark.len_utf8() + (rest.len() - closed.len());
    if needs_no_space(mark) {
        return Some(end);
    }
    let is_followed_by_space = closed.starts_with(char::is_whitespace);
    let next = closed.chars().take(LONGEST).find(|c| !c.is_whitespace());
    let goes_on = next.is_none_or(char::is_lowercase) || (mark == '.' && is_short(text, at));
    (is_followed_by_space && !goes_on).then_some(end)
}

fn is_mark(c: char) -> bool {
    matches!(c, '.' | '!' | '?' | '…') || needs_no_space(c)
}

/// Full stops of scripts that put no space after them, or that mean nothing else.
fn needs_no_space(c: char) -> bool {
    matches!(c, '。' | '！' | '？' | '｡' | '．' | '।' | '॥' | '؟' | '۔' | '։' | '።' | '။' | '។')
}

fn is_closing(c: char) -> bool {
    matches!(c, '"' | '\'' | ')' | ']' | '”' | '’' | '»' | '」' | '』' | '）' | '】' | '》')
}

/// Whether the full stop at this place ends an abbreviation: `e.g.`, `Dr.`, `J.`
fn is_short(text: &str, stop: usize) -> bool {
    let start = text.floor_char_boundary(stop.saturating_sub(LONGEST));
    let before = text.get(start..stop).unwrap_or_default();
    let is_edge = |c: char| c.is_whitespace() || matches!(c, '(' | '[' | '"' | '“' | '„');
    let word = before.rsplit(is_edge).next().unwrap_or_default();
    let mut letters = word.chars();
    let is_initial = letters.next().is_some_and(char::is_alphabetic) && letters.next().is_none();
    let has_dot_inside = word.contains('.') && word.chars().all(|c| c.is_alphabetic() || c == '.');
    is_initial || has_dot_inside || ABBREVIATIONS.contains(&word.to_lowercase().as_str())
}
