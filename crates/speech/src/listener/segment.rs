//! Tells speech from silence by how likely each window is speech. A single loud window starts nothing, and a
//! single quiet one ends nothing.

/// The length of a window.
pub(super) const WINDOW_MS: u64 = 32;

/// A pause after which the words are transcribed, in case it is the last.
pub(super) const EARLY_MS: u64 = 192;

/// Less speech than this, without words that can be made out, counts as a noise.
pub(super) const LEAST_SPEECH_MS: u64 = 500;

/// At least this likely is speech.
const SPEECH: f32 = 0.5;
/// Less likely than this is silence; between the two the last state goes on.
const SILENCE: f32 = 0.35;
/// So many windows of speech in a row are a start.
const START_WINDOWS: u32 = 4;

/// Tells speech from silence.
#[derive(Debug, Clone, Default)]
pub(super) struct Detector {
    is_speaking: bool,
    speech_windows: u32,
    silent_windows: u64,
}

/// The change that a window made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Change {
    Quiet,
    Started,
    Speaking,
    Pausing { silent_ms: u64 },
}

impl Detector {
    pub(super) fn is_speaking(&self) -> bool {
        self.is_speaking
    }

    pub(super) fn on(&mut self, likely: f32) -> Change {
        if !self.is_speaking {
            self.speech_windows = if likely >= SPEECH { self.speech_windows + 1 } else { 0 };
            if self.speech_windows < START_WINDOWS {
                return Change::Quiet;
            }
            *self = Self { is_speaking: true, ..Self::default() };
            return Change::Started;
        }
        let is_silent = likely < SILENCE || (self.silent_windows > 0 && likely < SPEECH);
        if is_silent {
            self.silent_windows += 1;
            return Change::Pausing { silent_ms: self.silent_windows * WINDOW_MS };
        }
        self.silent_windows = 0;
        Change::Speaking
    }
}

#[cfg(test)]
#[path = "segment_tests.rs"]
mod tests;
