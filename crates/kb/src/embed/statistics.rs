//! Counts in how many passages tokens occur.

use super::TokenStatistics;
use super::wordpiece::{TOKENS, WordPiece};

impl TokenStatistics {
    /// Counts a passage: each of its tokens once.
    pub fn count(&mut self, text: &str) {
        let mut tokens = WordPiece::shared().tokens(text);
        tokens.sort_unstable();
        tokens.dedup();
        self.reserve(TOKENS);
        for token in tokens {
            self.frequencies[token as usize] += 1;
        }
        self.passages += 1;
    }

    /// Adds the counts of another part.
    pub fn merge(&mut self, other: &Self) {
        self.reserve(other.frequencies.len());
        for (sum, frequency) in self.frequencies.iter_mut().zip(&other.frequencies) {
            *sum = sum.saturating_add(*frequency);
        }
        self.passages = self.passages.saturating_add(other.passages);
    }

    fn reserve(&mut self, tokens: usize) {
        let tokens = tokens.max(self.frequencies.len());
        self.frequencies.resize(tokens, 0);
    }

    /// The inverse document frequency of a token: above zero, also for a token that is
    /// in all passages or in none, and in an index without passages.
    pub(super) fn rarity(&self, token: u32) -> f32 {
        let frequency = self.frequencies.get(token as usize).copied().unwrap_or(0);
        let frequency = f64::from(frequency).min(self.passages as f64);
        ((self.passages as f64 - frequency + 0.5) / (frequency + 0.5)).ln_1p() as f32
    }
}

#[cfg(test)]
#[path = "statistics_tests.rs"]
mod tests;
