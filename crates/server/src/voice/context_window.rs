//! Estimates how full the model's context window is, at four characters a token. Token counts of the provider
//! replace the estimate where it reports them.

use serde::Serialize;

/// The part of the window from which on a warning is given.
const WARN_PERCENT: u64 = 90;

/// Estimates the tokens of so many characters.
pub(crate) fn tokens(chars: usize) -> u64 {
    aileron_contract::tokens::of_characters(chars) as u64
}

/// The number of characters of a value as JSON.
pub(crate) fn json_chars(value: &impl Serialize) -> usize {
    let mut counter = Counter(0);
    // Counting cannot fail; a value that cannot be serialised counts as empty.
    let _ = serde_json::to_writer(&mut counter, value);
    counter.0
}

/// Counts characters, not bytes: every byte that does not continue a character.
struct Counter(usize);

impl std::io::Write for Counter {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0 += bytes.iter().filter(|byte| **byte & 0xC0 != 0x80).count();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// The context window of one conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ContextWindow {
    window: u64,
    start: u64,
    used: u64,
    peak: u64,
    warned: bool,
}

/// Whether to warn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WindowAlert {
    Fine,
    /// Returned once.
    NearlyFull,
}

impl ContextWindow {
    /// A window of `window` tokens, of which `start` are used.
    pub(crate) fn new(window: u64, start: u64) -> Self {
        Self { window, start, used: start, peak: start, warned: false }
    }

    pub(crate) fn peak(&self) -> u64 {
        self.peak
    }

    /// Adds tokens.
    pub(crate) fn add(&mut self, tokens: u64) -> WindowAlert {
        self.used = self.used.saturating_add(tokens);
        self.check()
    }

    /// Takes the token count of a reply from the provider. A count far below the start of the conversation
    /// belongs to a reply outside of it, like a filler, and is ignored.
    pub(crate) fn measured(&mut self, tokens: u64) -> WindowAlert {
        if tokens > self.start / 2 {
            self.used = tokens;
        }
        self.check()
    }

    pub(crate) fn check(&mut self) -> WindowAlert {
        self.peak = self.peak.max(self.used);
        let full = self.used.saturating_mul(100) >= self.window.saturating_mul(WARN_PERCENT);
        if !full || std::mem::replace(&mut self.warned, true) {
            return WindowAlert::Fine;
        }
        WindowAlert::NearlyFull
    }
}

#[cfg(test)]
#[path = "context_window_tests.rs"]
mod tests;
