//! The excerpt of a passage that shows why it was found.

mod window;

use std::collections::HashSet;
use std::ops::Range;

use serde::Serialize;

use crate::words;
use window::{WIDTH, forward, window};

/// Marks an end of the snippet where the passage continues.
const CUT: char = '…';

/// A part of a passage.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Snippet {
    pub text: String,
    /// The bytes of `text` that match the query, in order.
    pub matches: Vec<Range<usize>>,
}

/// The words that a snippet marks as found.
#[derive(Debug, Default)]
pub(crate) struct SoughtWords {
    pub(crate) stems: HashSet<String>,
    /// As written, without case and accents.
    pub(crate) words: HashSet<String>,
}

/// A word that was sought.
struct Match {
    bytes: Range<usize>,
    /// The term it was found as: the same for all forms of a word.
    term: String,
}

/// The part of a passage where most of the sought words are closest together; its beginning if none
/// of them occurs.
pub(crate) fn around(passage: &str, sought: &SoughtWords) -> Snippet {
    let matches = matches(passage, sought);
    let window = window(passage, densest(passage, &matches));
    render(passage, window, &matches)
}

fn matches(passage: &str, sought: &SoughtWords) -> Vec<Match> {
    let first = |word: &String| word.chars().next();
    let firsts: HashSet<char> = sought.stems.iter().filter_map(first).collect();
    let found = |word: words::Word| {
        // Stemming is most of the work, and a stem begins as its word does.
        let stem = first(&word.text).filter(|first| firsts.contains(first));
        let stem = stem.map(|_| words::stem(&word.text));
        let term = match stem.filter(|stem| sought.stems.contains(stem)) {
            Some(stem) => stem,
            None if sought.words.contains(&word.text) => word.text,
            None => return None,
        };
        Some(Match { bytes: word.range, term })
    };
    words::words(passage).into_iter().filter_map(found).collect()
}

/// The bytes from the first to the last match of the best stretch: most different words,
/// then most words, then first.
fn densest(passage: &str, matches: &[Match]) -> Range<usize> {
    let mut best = (0, 0, 0..0);
    let mut last = 0;
    for (first, begin) in matches.iter().enumerate() {
        let reach = forward(passage, begin.bytes.start, WIDTH);
        last = last.max(first);
        while matches.get(last + 1).is_some_and(|next| next.bytes.end <= reach) {
            last += 1;
        }
        let inside = &matches[first..=last];
        let different = inside.iter().map(|found| &found.term).collect::<HashSet<_>>().len();
        if (different, inside.len()) > (best.0, best.1) {
            best = (different, inside.len(), begin.bytes.start..matches[last].bytes.end);
        }
    }
    best.2
}

/// The text of a window: white space collapsed, ends marked where the passage continues.
fn render(passage: &str, window: Range<usize>, matches: &[Match]) -> Snippet {
    let mut snippet = Snippet::default();
    if !passage[..window.start].trim().is_empty() {
        snippet.text.push(CUT);
    }
    let mut marks = marks(matches, &window).into_iter().peekable();
    let (mut gap, mut begun, mut from) = (false, false, 0);
    for (at, c) in passage[window.clone()].char_indices().map(|(at, c)| (window.start + at, c)) {
        if c.is_whitespace() || c.is_control() {
            gap = begun;
            continue;
        }
        if std::mem::take(&mut gap) {
            snippet.text.push(' ');
        }
        if marks.peek().is_some_and(|mark| mark.start == at) {
            from = snippet.text.len();
        }
        snippet.text.push(c);
        begun = true;
        if marks.next_if(|mark| mark.end == at + c.len_utf8()).is_some() {
            snippet.matches.push(from..snippet.text.len());
        }
    }
    if !passage[window.end..].trim().is_empty() {
        snippet.text.push(CUT);
    }
    snippet
}

/// The matches in a window; those that overlap are one.
fn marks(matches: &[Match], window: &Range<usize>) -> Vec<Range<usize>> {
    let mut marks: Vec<Range<usize>> = Vec::new();
    for bytes in matches.iter().map(|found| &found.bytes) {
        if bytes.start < window.start || window.end < bytes.end {
            continue;
        }
        match marks.last_mut() {
            Some(last) if bytes.start < last.end => last.end = last.end.max(bytes.end),
            _ => marks.push(bytes.clone()),
        }
    }
    marks
}

#[cfg(test)]
#[path = "snippet_tests.rs"]
mod tests;
