//! Limits the messages of a client with a token bucket that holds a few seconds' worth. A long message counts
//! as several, because the provider charges for its length.

/// Each further 3,200 bytes (a tenth of a second of speech) count as one more message.
const BYTES: usize = 3200;

/// A token bucket.
#[derive(Debug, Clone)]
pub(crate) struct MessageRateLimit {
    per_second: u64,
    /// Thousandths of a message.
    left: u64,
    at: u64,
}

/// How many seconds of unused messages the bucket holds.
const SAVED_SECONDS: u64 = 3;

impl MessageRateLimit {
    pub(crate) fn new(per_second: u64, now: u64) -> Self {
        Self { per_second, left: per_second * 1000 * SAVED_SECONDS, at: now }
    }

    /// Takes the tokens for a message of so many bytes. Returns false if there are too few.
    pub(crate) fn takes(&mut self, bytes: usize, now: u64) -> bool {
        let passed = now.saturating_sub(self.at);
        let most = self.per_second * 1000 * SAVED_SECONDS;
        self.left = self.left.saturating_add(passed.saturating_mul(self.per_second)).min(most);
        self.at = now;
        // A message never counts as more than one second's worth.
        let messages = (1 + (bytes / BYTES) as u64).min(self.per_second);
        let taken = self.left.checked_sub(messages * 1000);
        self.left = taken.unwrap_or(self.left);
        taken.is_some()
    }
}

#[cfg(test)]
#[path = "message_rate_limit_tests.rs"]
mod tests;
