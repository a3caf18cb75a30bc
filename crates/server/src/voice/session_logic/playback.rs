//! How much of what the model said was heard. The client plays what it is sent at the pace of speech,
//! so the time since it was sent tells how far it is: an estimate, never more than was sent.

use aileron_contract::transport::{RATE_OUT, Utterance};

const BYTES_PER_MS: u64 = (RATE_OUT as u64) * 2 / 1000;

#[derive(Debug, Clone, Default)]
pub(crate) struct Playback {
    /// When the client will have played everything, in microseconds.
    until_us: u64,
    current: Option<(Utterance, u64)>,
    /// What is left of this utterance is not wanted any more.
    muted: Option<Utterance>,
    /// Nor is anything else of the reply that is awaited or under way.
    muted_reply: bool,
}

/// What was heard of the utterance that was cut short.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PlayedPart {
    pub(crate) utterance: Utterance,
    pub(crate) played_ms: u64,
}

impl Playback {
    /// Whether audio of this utterance is still wanted.
    pub(crate) fn wants(&mut self, utterance: Utterance) -> bool {
        if self.muted_reply {
            self.muted = Some(utterance);
        }
        self.muted != Some(utterance)
    }

    /// Audio was sent.
    pub(crate) fn sent(&mut self, utterance: Utterance, bytes: usize, now: u64) {
        let bytes = bytes as u64;
        self.until_us = self.until_us.max(now * 1000) + bytes * 1000 / BYTES_PER_MS;
        match &mut self.current {
            Some((current, sent)) if *current == utterance => *sent += bytes,
            current => *current = Some((utterance, bytes)),
        }
    }

    /// When the client will have played everything.
    pub(crate) fn until(&self) -> u64 {
        self.until_us.div_ceil(1000)
    }

    pub(crate) fn is_playing(&self, now: u64) -> bool {
        self.until_us > now * 1000
    }

    /// How much of the utterance that plays was heard.
    pub(crate) fn played_ms(&self, now: u64) -> u64 {
        let left_ms = self.until_us.saturating_sub(now * 1000) / 1000;
        let sent = self.current.map_or(0, |(_, sent)| sent);
        (sent / BYTES_PER_MS).saturating_sub(left_ms)
    }

    /// The client stops playing. Says what was heard of an utterance that was not played to its end.
    pub(crate) fn stop(&mut self, now: u64) -> Option<PlayedPart> {
        let left_ms = self.until_us.saturating_sub(now * 1000) / 1000;
        self.until_us = 0;
        let (utterance, sent) = self.current.take()?;
        let sent_ms = sent / BYTES_PER_MS;
        let heard = PlayedPart { utterance, played_ms: sent_ms.saturating_sub(left_ms) };
        (left_ms > 0).then_some(heard)
    }

    /// What still comes of the utterance that plays is not wanted.
    pub(crate) fn mute(&mut self) {
        self.muted = self.current.map(|(utterance, _)| utterance).or(self.muted);
    }

    /// Nothing that comes of the reply is wanted, also where nothing of it came yet.
    pub(crate) fn mute_reply(&mut self) {
        self.muted_reply = true;
    }

    /// The reply is over, or another is asked for. What is left of an utterance stays unwanted.
    pub(crate) fn unmute(&mut self) {
        self.muted_reply = false;
    }

    /// Utterances are counted anew.
    pub(crate) fn reconnected(&mut self) {
        self.current = None;
        self.muted = None;
    }
}

#[cfg(test)]
#[path = "playback_tests.rs"]
mod tests;
