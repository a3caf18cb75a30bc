//! How full the model's window is, as far as it can be told from here: four characters are taken for
//! a token. The provider's own figures, where it gives them, count more.

use serde::Serialize;

/// From which part of the window on somebody should know.
const WARN_PERCENT: u64 = 90;

/// About how many tokens so many characters are.
pub(crate) fn tokens(chars: usize) -> u64 {
    aileron_contract::tokens::of_characters(chars) as u64
}

/// How many characters a value has in JSON.
pub(crate) fn json_chars(value: &impl Serialize) -> usize {
    let mut counter = Counter(0);
    // Counting cannot fail; a value that is no JSON has no characters.
    let _ = serde_json::to_writer(&mut counter, value);
    counter.0
}

/// Counts characters, not bytes: every byte that does not continue one.
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

/// The window of one conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ContextWindow {
    window: u64,
    start: u64,
    used: u64,
    peak: u64,
    warned: bool,
}

/// Whether somebody should know.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WindowAlert {
    Fine,
    /// Said once.
    NearlyFull,
}

impl ContextWindow {
    /// A window of this many tokens that begins with so many.
    pub(crate) fn new(window: u64, start: u64) -> Self {
        Self { window, start, used: start, peak: start, warned: false }
    }

    pub(crate) fn start(&self) -> u64 {
        self.start
    }

    pub(crate) fn peak(&self) -> u64 {
        self.peak
    }

    /// So many tokens more.
    pub(crate) fn add(&mut self, tokens: u64) -> WindowAlert {
        self.used = self.used.saturating_add(tokens);
        self.look()
    }

    /// The provider says how many a reply took. One that took far less than the conversation began
    /// with was made outside of it, like a sentence said while a tool runs.
    pub(crate) fn measured(&mut self, tokens: u64) -> WindowAlert {
        if tokens > self.start / 2 {
            self.used = tokens;
        }
        self.look()
    }

    pub(crate) fn look(&mut self) -> WindowAlert {
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
