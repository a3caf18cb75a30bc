//! The transcript of a model utterance, each piece with the amount of audio before it, so that text that
//! was not played can be removed.

use aileron_contract::transport::RATE_OUT;

/// Maximum number of bytes of the transcript.
const MAX_BYTES: usize = 64 * 1024;

/// 16 bits a sample, one channel.
const BYTES_PER_MS: u64 = (RATE_OUT as u64) * 2 / 1000;

/// A transcript that is not final.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct SpokenWords {
    text: String,
    /// Where each piece of the text ends, and after how many bytes of audio it came.
    pieces: Vec<(usize, u64)>,
    /// The bytes of audio of the utterance.
    audio: u64,
}

impl SpokenWords {
    /// More audio of the utterance.
    pub(crate) fn audio(&mut self, bytes: usize) {
        self.audio = self.audio.saturating_add(bytes as u64);
    }

    /// Another utterance begins.
    pub(crate) fn restart_audio(&mut self) {
        self.audio = 0;
    }

    /// More text. Text beyond the maximum is dropped.
    pub(crate) fn push(&mut self, words: &str) {
        if self.text.len() + words.len() <= MAX_BYTES {
            self.text.push_str(words);
            self.pieces.push((self.text.len(), self.audio));
        }
    }

    /// Removes the text of which no audio was played.
    pub(crate) fn truncate(&mut self, played_ms: u64) {
        let played = played_ms.saturating_mul(BYTES_PER_MS);
        let heard = |(_, audio): &&(usize, u64)| played > 0 && *audio <= played;
        let end = self.pieces.iter().take_while(heard).last().map_or(0, |(end, _)| *end);
        self.text.truncate(end);
        self.pieces.retain(|(piece_end, _)| *piece_end <= end);
    }

    /// Takes the text, because the utterance is over.
    pub(crate) fn take(&mut self) -> String {
        self.pieces.clear();
        std::mem::take(&mut self.text)
    }
}

#[cfg(test)]
#[path = "spoken_words_tests.rs"]
mod tests;
