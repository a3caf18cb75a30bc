//! Limits of voice sessions.

use std::time::Duration;

use super::client::GOODBYE;

/// How long the end of a session waits for the store to save the transcript.
pub(crate) const KEEP_MS: u64 = 5000;

/// Limits of sessions and clients.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VoiceSessionLimits {
    /// Concurrent sessions; further connections are refused.
    pub connections: usize,
    /// Time from the connection to `start`.
    pub start_ms: u64,
    /// Silence after which a session ends.
    pub idle_ms: u64,
    /// Maximum length of a session.
    pub max_duration_ms: u64,
    /// Silence until a client is pinged; it is disconnected after twice as long.
    pub ping_ms: u64,
    /// How long an end waits for the farewell.
    pub farewell_ms: u64,
    /// How long running calls may take to settle when a session ends: longer than any voice call may take.
    pub settle_ms: u64,
    /// Maximum size of a client message, in bytes.
    pub message_bytes: usize,
    /// Client messages in a second, audio included.
    pub messages_per_second: u64,
    /// Audio that may be queued for a slow client, in bytes.
    pub queued_audio_bytes: usize,
    /// Invalid messages until the connection is closed.
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
    /// The maximum duration of a session's end: its calls settle, the transcript is saved, the client receives
    /// the last messages and closes.
    pub(crate) fn max_shutdown_time(&self) -> Duration {
        Duration::from_millis(self.settle_ms.saturating_add(KEEP_MS)) + GOODBYE * 2
    }
}
