//! The figures of voice.

use super::figure::{Counter, Histogram};
use crate::voice::REASONS;

/// What happened in all voice sessions.
#[derive(Debug, Default)]
pub struct VoiceFigures {
    pub sessions: Counter,
    /// Connections that found no place.
    pub turned_away: Counter,
    /// Connections that were not let in.
    pub refused: Counter,
    /// Calls of models.
    pub calls: Counter,
    /// Answers to calls, as many as calls.
    pub answers: Counter,
    pub reconnects: Counter,
    /// Frames of providers that could not be read.
    pub malformed: Counter,
    pub audio_dropped_up: Counter,
    pub audio_dropped_down: Counter,
    /// As providers count them.
    pub tokens_in: Counter,
    pub tokens_out: Counter,
    /// Instructions and declarations, estimated.
    pub start_tokens: Histogram,
    pub result_tokens: Histogram,
    pub peak_tokens: Histogram,
    /// Conversations whose window was nine tenths full.
    pub nearly_full: Counter,
    ended: [Counter; REASONS.len()],
}

impl VoiceFigures {
    pub(crate) fn ended(&self, reason: &str) {
        if let Some(at) = REASONS.iter().position(|known| *known == reason) {
            self.ended[at].add(1);
        }
    }

    /// How often sessions ended, by reason.
    pub fn endings(&self) -> impl Iterator<Item = (&'static str, u64)> {
        REASONS.into_iter().zip(&self.ended).map(|(reason, counter)| (reason, counter.count()))
    }
}
