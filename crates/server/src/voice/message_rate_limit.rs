//! How many messages a client may send: as many as a second has room for, saved up over a few. One
//! that is long counts as several: what a client sends is passed on, and paid for by how long it is.

/// As many bytes are one message more: a tenth of a second of speech.
const BYTES: usize = 3200;

/// A bucket that fills by itself and gives one message at a time.
#[derive(Debug, Clone)]
pub(crate) struct MessageRateLimit {
    per_second: u64,
    /// Thousandths of a message.
    left: u64,
    at: u64,
}

/// How many seconds of silence can be made up for.
const SAVED_SECONDS: u64 = 3;

impl MessageRateLimit {
    pub(crate) fn new(per_second: u64, now: u64) -> Self {
        Self { per_second, left: per_second * 1000 * SAVED_SECONDS, at: now }
    }

    /// Takes a message of so many bytes; says whether there was room for it.
    pub(crate) fn takes(&mut self, bytes: usize, now: u64) -> bool {
        let passed = now.saturating_sub(self.at);
        let most = self.per_second * 1000 * SAVED_SECONDS;
        self.left = self.left.saturating_add(passed.saturating_mul(self.per_second)).min(most);
        self.at = now;
        // No message is more than a second has room for, however few that are.
        let messages = (1 + (bytes / BYTES) as u64).min(self.per_second);
        let taken = self.left.checked_sub(messages * 1000);
        self.left = taken.unwrap_or(self.left);
        taken.is_some()
    }
}

#[cfg(test)]
#[path = "message_rate_limit_tests.rs"]
mod tests;
