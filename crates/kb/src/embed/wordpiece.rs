//! Splits texts into the tokens of BERT's vocabulary: words are normalised by
//! `letters`, then cut into the longest pieces that the vocabulary has.

mod letters;

use std::sync::OnceLock;

use rustc_hash::FxHashMap;

use letters::WordIter;

const VOCABULARY: &str = include_str!("../../data/vocab.txt");

/// How many tokens there are.
pub(super) const TOKENS: usize = 30_522;

/// Stands for a word that has no pieces.
const UNKNOWN: u32 = 100;

/// Longer words are unknown.
const LONGEST_WORD: usize = 100;

/// The pieces of words by their text.
#[derive(Debug)]
pub(super) struct WordPiece {
    starts: Pieces,
    /// Pieces inside a word, without the mark `##`.
    inner: Pieces,
}

#[derive(Debug, Default)]
struct Pieces {
    tokens: FxHashMap<&'static str, u32>,
    /// In bytes.
    longest: usize,
}

impl WordPiece {
    /// The one of the vocabulary that the crate carries.
    pub(super) fn shared() -> &'static Self {
        static SHARED: OnceLock<WordPiece> = OnceLock::new();
        SHARED.get_or_init(|| Self::new(VOCABULARY))
    }

    fn new(vocabulary: &'static str) -> Self {
        let (mut starts, mut inner) = (Pieces::default(), Pieces::default());
        for (token, piece) in (0..).zip(vocabulary.lines()) {
            match piece.strip_prefix("##").filter(|rest| !rest.is_empty()) {
                Some(rest) => inner.insert(rest, token),
                None => starts.insert(piece, token),
            }
        }
        Self { starts, inner }
    }

    /// The tokens of a text, in order.
    pub(super) fn tokens(&self, text: &str) -> Vec<u32> {
        let mut tokens = Vec::with_capacity(text.len() / 4);
        WordIter::new(|word| self.word(word, &mut tokens)).read(text);
        tokens
    }

    fn word(&self, word: &str, tokens: &mut Vec<u32>) {
        let before = tokens.len();
        let known = (word.len() <= LONGEST_WORD || word.chars().nth(LONGEST_WORD).is_none())
            && self.pieces(word, tokens).is_some();
        if !known {
            tokens.truncate(before);
            tokens.push(UNKNOWN);
        }
    }

    fn pieces(&self, word: &str, tokens: &mut Vec<u32>) -> Option<()> {
        let mut rest = word;
        let mut pieces = &self.starts;
        while !rest.is_empty() {
            let (token, length) = pieces.longest_of(rest)?;
            tokens.push(token);
            rest = &rest[length..];
            pieces = &self.inner;
        }
        Some(())
    }
}

impl Pieces {
    fn insert(&mut self, piece: &'static str, token: u32) {
        self.longest = self.longest.max(piece.len());
        self.tokens.insert(piece, token);
    }

    /// The longest piece that a text begins with, and how many bytes it has.
    fn longest_of(&self, text: &str) -> Option<(u32, usize)> {
        let most = text.len().min(self.longest);
        let ends = (1..=most).rev().filter(|end| text.is_char_boundary(*end));
        ends.map(|end| &text[..end]).find_map(|piece| Some((*self.tokens.get(piece)?, piece.len())))
    }
}

#[cfg(test)]
#[path = "wordpiece_tests.rs"]
mod tests;
