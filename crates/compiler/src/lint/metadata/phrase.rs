//! Finds phrases in a text, word by word.
//!
//! Case, punctuation, Markdown marks, line breaks, full-width letters and
//! hidden characters make no difference. Letters of other scripts that look
//! alike do.

use std::collections::HashMap;
use std::ops::Range;

use super::words::{TextWords, Word};

/// Maximum words for a repeated slot.
const MOST_REPEATS: usize = 6;

/// Phrases, prepared for searching.
pub(super) struct Phrases<T> {
    /// By the words they may begin with.
    by_first: HashMap<&'static str, Vec<(Vec<PhraseSlot>, T)>>,
    openings: Openings,
}

/// One slot of a phrase and its allowed words.
#[derive(Debug, Clone)]
struct PhraseSlot {
    words: Vec<&'static str>,
    repeat: Repeat,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Repeat {
    Once,
    /// Written `a|b*`: a few times, or not at all.
    Any,
}

/// A phrase in a text.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Match<T> {
    pub(super) meaning: T,
    /// Bytes of the text.
    pub(super) place: Range<usize>,
}

impl<T: Copy> Phrases<T> {
    /// Phrases as patterns: words, `this|that`, `the|a*`. The first slot is never repeated.
    pub(super) fn new(patterns: impl IntoIterator<Item = (T, &'static str)>) -> Self {
        let mut by_first: HashMap<_, Vec<_>> = HashMap::new();
        for (meaning, pattern) in patterns {
            let slots: Vec<_> = pattern.split(' ').map(slot).collect();
            let first = slots.first().map(|slot| slot.words.clone()).unwrap_or_default();
            for word in first {
                by_first.entry(word).or_default().push((slots.clone(), meaning));
            }
        }
        let openings = Openings::of(by_first.keys().copied());
        Self { by_first, openings }
    }

    /// Every phrase of a text; of those that begin at one word, the first listed.
    pub(super) fn find(&self, text: &str) -> Vec<Match<T>> {
        let mut found = Vec::new();
        let mut words = TextWords::of(text);
        while let Some(word) = words.next() {
            if !self.openings.may_be(&word) {
                continue;
            }
            if let Some((end, meaning)) = self.at(&word, &words) {
                found.push(Match { meaning, place: word.place.start..end });
                words.skip_to(end);
            }
        }
        found
    }

    fn at(&self, first: &Word<'_>, rest: &TextWords<'_>) -> Option<(usize, T)> {
        let candidates = self.by_first.get(first.folded().as_ref())?;
        let end = first.place.end;
        candidates.iter().find_map(|(slots, meaning)| {
            Some((fits(slots.get(1..)?, rest.clone(), end)?, *meaning))
        })
    }
}

fn slot(pattern: &'static str) -> PhraseSlot {
    let (words, repeat) = match pattern.strip_suffix('*') {
        Some(words) => (words, Repeat::Any),
        None => (pattern, Repeat::Once),
    };
    PhraseSlot { words: words.split('|').collect(), repeat }
}

/// The end of the phrase, if the text after `end` matches its rest.
fn fits(slots: &[PhraseSlot], mut words: TextWords<'_>, end: usize) -> Option<usize> {
    let Some((slot, later)) = slots.split_first() else { return Some(end) };
    let most = if slot.repeat == Repeat::Once { 1 } else { MOST_REPEATS };
    let mut states = vec![(words.clone(), end)];
    while states.len() <= most
        && let Some(word) = words.next()
        && slot.words.contains(&word.folded().as_ref())
    {
        states.push((words.clone(), word.place.end));
    }
    let least = usize::from(slot.repeat == Repeat::Once);
    states.into_iter().skip(least).rev().find_map(|(words, end)| fits(later, words, end))
}

/// The first letters and lengths of the words that phrases begin with: most words of a text are
/// skipped by these alone.
struct Openings([u32; 26]);

impl Openings {
    fn of(words: impl Iterator<Item = &'static str>) -> Self {
        let mut lengths = [0; 26];
        for word in words {
            if let Some(entry) = letter(word).and_then(|index| lengths.get_mut(index)) {
                *entry |= bit(word.len());
            }
        }
        Self(lengths)
    }

    fn may_be(&self, word: &Word<'_>) -> bool {
        match letter(word.text).and_then(|index| self.0.get(index)) {
            Some(lengths) if word.text.is_ascii() => lengths & bit(word.text.len()) != 0,
            Some(_) => true,
            None => !word.text.is_ascii() || word.text.starts_with('\''),
        }
    }
}

fn letter(word: &str) -> Option<usize> {
    let first = word.bytes().next()?.to_ascii_lowercase();
    first.is_ascii_lowercase().then(|| usize::from(first - b'a'))
}

fn bit(length: usize) -> u32 {
    u32::try_from(length).ok().and_then(|length| 1_u32.checked_shl(length)).unwrap_or(0)
}

#[cfg(test)]
#[path = "phrase_tests.rs"]
mod tests;
