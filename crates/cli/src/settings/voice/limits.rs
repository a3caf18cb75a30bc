//! `[voice.limits]`: limits of sessions and clients.

use std::num::NonZeroU32;

use aileron_server::voice::VoiceSessionLimits;
use serde::{Deserialize, Serialize};

use crate::settings::server::at_least_one;

#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct VoiceLimits {
    connections: NonZeroU32,
    idle_seconds: NonZeroU32,
    max_minutes: NonZeroU32,
    ping_seconds: NonZeroU32,
    farewell_seconds: u32,
    settle_seconds: u32,
    message_kb: NonZeroU32,
    messages_per_second: NonZeroU32,
    queued_audio_kb: NonZeroU32,
}

impl Default for VoiceLimits {
    fn default() -> Self {
        let limits = VoiceSessionLimits::default();
        let whole = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
        let small = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        Self {
            connections: at_least_one(small(limits.connections)),
            idle_seconds: at_least_one(whole(limits.idle_ms / 1000)),
            max_minutes: at_least_one(whole(limits.max_duration_ms / 60_000)),
            ping_seconds: at_least_one(whole(limits.ping_ms / 1000)),
            farewell_seconds: whole(limits.farewell_ms / 1000),
            settle_seconds: whole(limits.settle_ms / 1000),
            message_kb: at_least_one(small(limits.message_bytes >> 10)),
            messages_per_second: at_least_one(whole(limits.messages_per_second)),
            queued_audio_kb: at_least_one(small(limits.queued_audio_bytes >> 10)),
        }
    }
}

impl VoiceLimits {
    pub(super) fn limits(&self) -> VoiceSessionLimits {
        let large = |number: NonZeroU32| usize::try_from(number.get()).unwrap_or(usize::MAX);
        let bytes = |kb: NonZeroU32| large(kb).saturating_mul(1 << 10);
        let ms = |seconds: u32| u64::from(seconds) * 1000;
        VoiceSessionLimits {
            connections: large(self.connections),
            idle_ms: ms(self.idle_seconds.get()),
            max_duration_ms: u64::from(self.max_minutes.get()) * 60_000,
            ping_ms: ms(self.ping_seconds.get()),
            farewell_ms: ms(self.farewell_seconds),
            settle_ms: ms(self.settle_seconds),
            message_bytes: bytes(self.message_kb),
            messages_per_second: self.messages_per_second.get().into(),
            queued_audio_bytes: bytes(self.queued_audio_kb),
            ..VoiceSessionLimits::default()
        }
    }
}
