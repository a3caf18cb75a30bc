//! Speech synthesis and recognition: a sentence in, sound out ([`Synthesizer`]); the sound of an
//! utterance in, words out
//! ([`SimulatedModel::words_for_sound`](crate::SimulatedModel::transcribe)). The protocols do
//! neither.

use std::fmt;

use crate::audio;
use crate::vad::AudioCoding;

/// Maximum length of a kept utterance; older audio is dropped.
const LONGEST_MS: u64 = 60_000;

/// Audio kept from before the detected start of speech.
const BEFORE_MS: u64 = 500;

/// Synthesises speech.
pub trait Synthesizer: fmt::Debug + Send + Sync {
    /// The audio of a sentence, in pieces between which the model can be interrupted.
    fn speak(&self, sentence: &str) -> Vec<SpokenPiece>;
}

/// A piece of a sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpokenPiece {
    /// Its words; those of all pieces, joined by spaces, are the sentence.
    pub text: String,
    /// PCM16, mono, 24 kHz.
    pub pcm: Vec<u8>,
}

/// A plain tone for each word.
#[derive(Debug, Clone, Copy, Default)]
pub struct Tones;

impl Synthesizer for Tones {
    fn speak(&self, sentence: &str) -> Vec<SpokenPiece> {
        let tone = |word: &str| SpokenPiece { text: word.to_owned(), pcm: audio::tone(word) };
        sentence.split_whitespace().map(tone).collect()
    }
}

/// The sound of one utterance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UtteranceAudio {
    pub bytes: Vec<u8>,
    pub coding: AudioCoding,
    /// The detected length of the speech.
    pub lasted_ms: u64,
}

/// Buffers the audio of an utterance.
#[derive(Debug, Default)]
pub(crate) struct HeardAudio {
    bytes: Vec<u8>,
}

impl HeardAudio {
    pub(crate) fn add(&mut self, bytes: &[u8], coding: AudioCoding) {
        self.bytes.extend_from_slice(bytes);
        self.keep_last(LONGEST_MS, coding);
    }

    /// Drops all but the last moment, because no speech is detected.
    pub(crate) fn trim(&mut self, coding: AudioCoding) {
        self.keep_last(BEFORE_MS, coding);
    }

    pub(crate) fn clear(&mut self) {
        self.bytes = Vec::new();
    }

    pub(crate) fn take(&mut self, coding: AudioCoding, lasted_ms: u64) -> UtteranceAudio {
        UtteranceAudio { bytes: std::mem::take(&mut self.bytes), coding, lasted_ms }
    }

    fn keep_last(&mut self, ms: u64, coding: AudioCoding) {
        let most = usize::try_from(ms * coding.bytes_per_ms()).unwrap_or(usize::MAX);
        self.bytes.drain(..self.bytes.len().saturating_sub(most));
    }
}

#[cfg(test)]
#[path = "speech_tests.rs"]
mod tests;
