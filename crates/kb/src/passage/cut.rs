//! Where a long part of a text is cut: at the end of a paragraph, else of a sentence, else of a
//! line, else of a word, else between two characters.

use std::ops::Range;

use super::{WHOLE, sentence};

/// Minimum and maximum bytes between two cuts.
const LEAST: usize = 1000;
const MOST: usize = 1600;

/// Adds the passages of a part, each without the white space around it.
pub(super) fn cut(text: &str, part: Range<usize>, passages: &mut Vec<Range<usize>>) {
    let mut left = trimmed(text, part);
    while left.len() > WHOLE {
        let end = cut_in(text, left.clone());
        let passage = trimmed(text, left.start..end);
        if !passage.is_empty() {
            passages.push(passage);
        }
        left = trimmed(text, end..left.end);
    }
    if !left.is_empty() {
        passages.push(left);
    }
}

/// A range without the white space at its ends; the start of it if there is nothing else.
pub(super) fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let part = text.get(range.clone()).unwrap_or_default();
    let cut = part.trim_start();
    let start = range.start + (part.len() - cut.len());
    if cut.is_empty() { range.start..range.start } else { start..start + cut.trim_end().len() }
}

/// The end of the next passage in a range that is longer than the longest.
fn cut_in(text: &str, range: Range<usize>) -> usize {
    let from = text.ceil_char_boundary(range.start + LEAST);
    let to = text.floor_char_boundary(range.start + MOST);
    let window = text.get(from..to).unwrap_or_default();
    let after = text.get(to..).unwrap_or_default().chars().next();
    let found = paragraph_end(window)
        .or_else(|| sentence::last_end(text, from..to))
        .or_else(|| window.rfind('\n'))
        .or_else(|| window.rfind(char::is_whitespace))
        .or_else(|| between_characters(window, after));
    found.map_or(to, |end| from + end)
}

/// Where the last line is that a blank one follows.
fn paragraph_end(window: &str) -> Option<usize> {
    let mut ends = window.rmatch_indices('\n').map(|(end, _)| end);
    let mut after = ends.next()?;
    for end in ends {
        if window.get(end..after).is_some_and(|line| line.trim().is_empty()) {
            return Some(end);
        }
        after = end;
    }
    None
}

/// The last place where the next character does not belong to the one before.
fn between_characters(window: &str, after: Option<char>) -> Option<usize> {
    let mut next = after;
    for (at, c) in window.char_indices().rev() {
        let is_free = !next.is_some_and(is_attached) && !holds_next(c);
        if is_free {
            return Some(at + c.len_utf8());
        }
        next = Some(c);
    }
    None
}

/// Joiners, and the vowels of Thai and Lao that are written before their consonant.
fn holds_next(c: char) -> bool {
    matches!(c, JOINER | '\u{0E40}'..='\u{0E44}' | '\u{0EC0}'..='\u{0EC4}')
}

const JOINER: char = '\u{200D}';

/// Marks that are drawn on the character before them: accents, vowel and tone signs of the
/// scripts that are written without spaces, variants and skin tones of emoji.
fn is_attached(c: char) -> bool {
    matches!(c,
        '\u{0300}'..='\u{036F}' | '\u{0E31}' | '\u{0E33}'..='\u{0E3A}' | '\u{0E47}'..='\u{0E4E}'
        | '\u{0EB1}' | '\u{0EB3}'..='\u{0EBC}' | '\u{0EC8}'..='\u{0ECE}' | '\u{102B}'..='\u{103E}'
        | '\u{17B4}'..='\u{17D3}' | '\u{20D0}'..='\u{20FF}' | '\u{3099}' | '\u{309A}'
        | '\u{FE00}'..='\u{FE0F}' | '\u{FF9E}' | '\u{FF9F}' | '\u{1F3FB}'..='\u{1F3FF}' | JOINER)
}
