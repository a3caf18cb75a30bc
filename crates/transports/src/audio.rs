//! Audio in JSON frames: base64, with whole samples.

use aileron_contract::transport::{CommandError, FrameError};
use base64_simd::STANDARD;

/// Decodes base64 straight from the frame.
pub(crate) fn decode(base64: impl AsRef<[u8]>) -> Result<Vec<u8>, FrameError> {
    let decoded = STANDARD.decode_to_vec(base64.as_ref());
    decoded.map_err(|_| FrameError::new("audio in base64", "other characters or a wrong length"))
}

/// A frame with audio. Base64 needs no escaping, so it is written between the two parts.
pub(crate) fn frame(prefix: &str, pcm: &[u8], suffix: &str) -> String {
    let room = prefix.len() + STANDARD.encoded_length(pcm.len()) + suffix.len();
    let mut frame = String::with_capacity(room);
    frame.push_str(prefix);
    STANDARD.encode_append(pcm, &mut frame);
    frame.push_str(suffix);
    frame
}

/// Refuses audio that ends within a sample.
pub(crate) fn check_samples(pcm: &[u8]) -> Result<(), CommandError> {
    match pcm.len().is_multiple_of(2) {
        true => Ok(()),
        false => Err(CommandError::OddAudio { bytes: pcm.len() }),
    }
}

/// Keeps samples whole where a provider splits audio within one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct WholeSamples {
    half: Option<u8>,
}

impl WholeSamples {
    /// The whole samples, beginning with the rest of the previous frame.
    pub(crate) fn take(&mut self, mut pcm: Vec<u8>) -> Vec<u8> {
        if let Some(half) = self.half.take() {
            pcm.insert(0, half);
        }
        if !pcm.len().is_multiple_of(2) {
            self.half = pcm.pop();
        }
        pcm
    }

    /// Another utterance begins.
    pub(crate) fn reset(&mut self) {
        self.half = None;
    }
}

#[cfg(test)]
#[path = "audio_tests.rs"]
mod tests;
