//! The numbers of voice sessions.

use std::time::Duration;

use super::client::GOODBYE;

/// How long the end of a session waits for the store to keep what was said.
pub(crate) const KEEP_MS: u64 = 5000;

/// What a session and a client may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VoiceSessionLimits {
    /// Sessions at once; more are refused at the door.
    pub connections: usize,
    /// From the connection to `start`.
    pub start_ms: u64,
    /// Nobody said anything for this long: the session ends.
    pub idle_ms: u64,
    /// No session is longer.
    pub max_duration_ms: u64,
    /// A client that was silent for this long is asked whether it is there, and given up after
    /// twice as long.
    pub ping_ms: u64,
    /// How long an end waits for the farewell.
    pub farewell_ms: u64,
    /// How long running calls may take to settle when a session ends: longer than any call of
    /// voice may take.
    pub settle_ms: u64,
    /// The largest message of a client, in bytes.
    pub message_bytes: usize,
    /// Messages of a client in a second, audio included.
    pub messages_per_second: u64,
    /// Audio that may wait for a slow client, in bytes.
    pub queued_audio_bytes: usize,
    /// Messages that cannot be read, until the connection is closed.
    pub faults: u32,
}

impl Default for VoiceSessionLimits {
    fn default() -> Self {
        Self {
            connections: 1000,
            start_ms: 10_000,
            idle_ms: 5 * 60_000,
            max_duration_ms: 60 * 60_000,
            ping_ms: 20_000,
            farewell_ms: 20_000,
            settle_ms: 25_000,
            message_bytes: 64 << 10,
            messages_per_second: 200,
            queued_audio_bytes: 2 << 20,
            faults: 20,
        }
    }
}

impl VoiceSessionLimits {
    /// The longest that the end of a session takes: its calls settle, what was said is kept, and the
    /// client has time to take the last words and to hang up.
    pub(crate) fn max_shutdown_time(&self) -> Duration {
        Duration::from_millis(self.settle_ms.saturating_add(KEEP_MS)) + GOODBYE * 2
    }
}
