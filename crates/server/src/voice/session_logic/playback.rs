//! Estimates how much audio of the model was played. The client plays at the pace of speech, so the time since
//! the audio was sent gives the position: an estimate, never more than was sent.

use aileron_contract::transport::{RATE_OUT, Utterance};

const BYTES_PER_MS: u64 = (RATE_OUT as u64) * 2 / 1000;

#[derive(Debug, Clone, Default)]
pub(crate) struct Playback {
    /// When the client will have played everything, in microseconds.
    until_us: u64,
    current: Option<(Utterance, u64)>,
    /// The utterance whose further audio is dropped.
    muted: Option<Utterance>,
    /// Whether all audio of the awaited or current reply is dropped.
    muted_reply: bool,
}

/// How much of an interrupted utterance was played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PlayedPart {
    pub(crate) utterance: Utterance,
    pub(crate) played_ms: u64,
}

impl Playback {
    /// Whether audio of this utterance is to be played.
    pub(crate) fn is_audible(&mut self, utterance: Utterance) -> bool {
        if self.muted_reply {
            self.muted = Some(utterance);
        }
        self.muted != Some(utterance)
    }

    /// Audio was sent.
    pub(crate) fn on_sent(&mut self, utterance: Utterance, bytes: usize, now: u64) {
        let bytes = bytes as u64;
        self.until_us = self.until_us.max(now * 1000) + bytes * 1000 / BYTES_PER_MS;
        match &mut self.current {
            Some((current, sent)) if *current == utterance => *sent += bytes,
            current => *current = Some((utterance, bytes)),
        }
    }

    /// When the client will have played everything.
    pub(crate) fn plays_until(&self) -> u64 {
        self.until_us.div_ceil(1000)
    }

    pub(crate) fn is_playing(&self, now: u64) -> bool {
        self.until_us > now * 1000
    }

    /// How much of the current utterance was played.
    pub(crate) fn played_ms(&self, now: u64) -> u64 {
        let left_ms = self.until_us.saturating_sub(now * 1000) / 1000;
        let sent = self.current.map_or(0, |(_, sent)| sent);
        (sent / BYTES_PER_MS).saturating_sub(left_ms)
    }

    /// The client stops playing. Returns the utterance that was not played to its end.
    pub(crate) fn stop(&mut self, now: u64) -> Option<PlayedPart> {
        let left_ms = self.until_us.saturating_sub(now * 1000) / 1000;
        self.until_us = 0;
        let (utterance, sent) = self.current.take()?;
        let sent_ms = sent / BYTES_PER_MS;
        let heard = PlayedPart { utterance, played_ms: sent_ms.saturating_sub(left_ms) };
        (left_ms > 0).then_some(heard)
    }

    /// Drops further audio of the current utterance.
    pub(crate) fn mute(&mut self) {
        self.muted = self.current.map(|(utterance, _)| utterance).or(self.muted);
    }

    /// Drops all audio of the reply, also if none of it has come yet.
    pub(crate) fn mute_reply(&mut self) {
        self.muted_reply = true;
    }

    /// The reply is over, or another is requested. The muted utterance stays muted.
    pub(crate) fn unmute(&mut self) {
        self.muted_reply = false;
    }

    /// Another connection numbers its utterances from the start.
    pub(crate) fn on_reconnected(&mut self) {
        self.current = None;
        self.muted = None;
    }
}

#[cfg(test)]
#[path = "playback_tests.rs"]
mod tests;
