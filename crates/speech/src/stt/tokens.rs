//! The tokens of the transcription networks, and their text.

use std::sync::OnceLock;

/// See `data/NOTICE.md`.
static TABLE: &[u8] = include_bytes!("../../data/tokens.bin");

/// The mark of a word's beginning.
const SPACE: char = '\u{2581}';

/// Tokens below this number are marks of the network, not text.
const FIRST_TEXT: i32 = 3;

/// The text of each token.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tokens(&'static [&'static [u8]]);

impl Tokens {
    pub(super) fn shared() -> Self {
        static SHARED: OnceLock<Vec<&'static [u8]>> = OnceLock::new();
        Self(SHARED.get_or_init(|| split(TABLE)))
    }

    /// The text of these tokens, on one line.
    pub(super) fn text(self, ids: &[i32]) -> String {
        let ids = ids.iter().filter(|id| **id >= FIRST_TEXT);
        let bytes = ids.filter_map(|id| self.0.get(usize::try_from(*id).ok()?));
        let bytes: Vec<u8> = bytes.flat_map(|token| token.iter().copied()).collect();
        let text = String::from_utf8_lossy(&bytes).replace(SPACE, " ");
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }
}

fn split(mut table: &'static [u8]) -> Vec<&'static [u8]> {
    let mut tokens = Vec::new();
    while let Some((first, rest)) = table.split_first() {
        let (length, rest) = match (usize::from(*first), rest.split_first()) {
            (low, Some((high, rest))) if low >= 128 => (low - 128 + usize::from(*high) * 128, rest),
            (length, _) => (length, rest),
        };
        let (token, rest) = rest.split_at(length.min(rest.len()));
        tokens.push(token);
        table = rest;
    }
    tokens
}

#[cfg(test)]
#[path = "tokens_tests.rs"]
mod tests;
