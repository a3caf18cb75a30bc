//! Where a snippet begins and ends: at sentences, else between words.

use std::ops::Range;

use crate::words;

/// Letters that a snippet has, more or less.
pub(super) const WIDTH: usize = 200;

/// Widens a stretch to the width of a snippet, from a sentence or word to one.
pub(super) fn window(passage: &str, core: Range<usize>) -> Range<usize> {
    let left = WIDTH.saturating_sub(passage[core.clone()].chars().count());
    let far = backward(passage, core.start, left / 3);
    let start = begin_of_sentence(passage, far, core.start)
        .unwrap_or_else(|| begin_of_word(passage, far, core.start));
    let before = passage[start..core.start].chars().count();
    let far = forward(passage, core.end, left.saturating_sub(before));
    let end = end_of_sentence(passage, core.end, far);
    start..end.unwrap_or_else(|| end_of_word(passage, core.end, far))
}

/// The byte position this many letters further on.
pub(super) fn forward(text: &str, from: usize, letters: usize) -> usize {
    text[from..].char_indices().nth(letters).map_or(text.len(), |(at, _)| from + at)
}

/// The byte position this many letters back.
fn backward(text: &str, from: usize, letters: usize) -> usize {
    let mut back = text[..from].char_indices().rev().map(|(at, _)| at);
    letters.checked_sub(1).map_or(from, |letters| back.nth(letters).unwrap_or(0))
}

fn ends_sentence(c: char) -> bool {
    matches!(c, '.' | '!' | '?' | '。' | '！' | '？' | '\n')
}

/// The last beginning of a sentence between two places; the passage begins with one.
fn begin_of_sentence(text: &str, from: usize, to: usize) -> Option<usize> {
    if from == 0 {
        return Some(0);
    }
    let mut ends = text[from..to].char_indices().rev();
    let (at, c) = ends.find(|(at, c)| {
        let after = &text[from + at + c.len_utf8()..];
        ends_sentence(*c) && (*c > '\u{7f}' || *c == '\n' || after.starts_with(char::is_whitespace))
    })?;
    let after = from + at + c.len_utf8();
    Some(to - text[after..to].trim_start().len())
}

/// The first word that begins between two places.
fn begin_of_word(text: &str, from: usize, to: usize) -> usize {
    let space = text[from..to].find(char::is_whitespace).map(|at| from + at);
    let spaced = text[..from].ends_with(char::is_whitespace);
    match space {
        _ if spaced => from,
        Some(space) => to - text[space..to].trim_start().len(),
        None if spaceless(&text[from..to]) => from,
        None => to,
    }
}

/// The last end of a sentence in the later part of a stretch.
fn end_of_sentence(text: &str, from: usize, to: usize) -> Option<usize> {
    if to == text.len() {
        return Some(to);
    }
    let late = forward(text, from, text[from..to].chars().count() / 2);
    let mut ends = text[late..to].char_indices().rev();
    let (at, c) = ends.find(|(at, c)| {
        let after = &text[late + at + c.len_utf8()..];
        ends_sentence(*c) && (*c > '\u{7f}' || after.starts_with(char::is_whitespace))
    })?;
    Some(late + at + c.len_utf8())
}

/// The last word that ends between two places.
fn end_of_word(text: &str, from: usize, to: usize) -> usize {
    if text[to..].starts_with(char::is_whitespace) {
        return to;
    }
    let space = text[from..to].rfind(char::is_whitespace).map(|at| from + at);
    match space {
        Some(space) => space,
        None if from == 0 || spaceless(&text[from..to]) => to,
        None => from,
    }
}

/// Whether a text may be cut between any two letters.
fn spaceless(text: &str) -> bool {
    text.chars().any(|c| words::is_lone(c.encode_utf8(&mut [0; 4])))
}
