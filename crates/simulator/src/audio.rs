//! Sound: a tone for every word, and base64 around it. PCM16 little-endian, mono.

use std::f64::consts::TAU;

/// Sample rate of the model's audio.
pub(crate) const RATE: u32 = 24_000;

/// Duration of a syllable.
const SYLLABLE_MS: u64 = 60;

/// Amplitude of the tone; the maximum of a sample is 32,767.
const LOUDNESS: f64 = 6_000.0;

/// Samples of the fade in and out of a tone, so that words do not click.
const EDGE_SAMPLES: u64 = 120;

/// A word as a tone. The pitch depends on the word, so that words can be distinguished.
pub(crate) fn tone(word: &str) -> Vec<u8> {
    let samples = word_ms(word) * u64::from(RATE) / 1000;
    let hertz = pitch(word);
    let mut pcm = Vec::with_capacity(usize::try_from(samples * 2).unwrap_or_default());
    for at in 0..samples {
        let edge = at.min(samples - 1 - at).min(EDGE_SAMPLES) as f64 / EDGE_SAMPLES as f64;
        let wave = (at as f64 * hertz * TAU / f64::from(RATE)).sin();
        pcm.extend(((wave * edge * LOUDNESS) as i16).to_le_bytes());
    }
    pcm
}

/// The duration of a word.
pub(crate) fn word_ms(word: &str) -> u64 {
    SYLLABLE_MS * syllables(word)
}

/// Groups of vowels, at least one. Good enough for a tone.
fn syllables(word: &str) -> u64 {
    let vowel = |c: char| "aeiouyäöüáéíóúàèìòùâêîôû".contains(c.to_ascii_lowercase());
    let mut before = false;
    let mut count = 0;
    for c in word.chars() {
        let is = vowel(c);
        count += u64::from(is && !before);
        before = is;
    }
    count.clamp(1, 20)
}

fn pitch(word: &str) -> f64 {
    let sum: u32 = word.bytes().map(u32::from).sum();
    f64::from(180 + sum % 12 * 20)
}

/// The duration of PCM16 data.
pub(crate) fn pcm_ms(bytes: usize, rate: u32) -> u64 {
    (bytes as u64 / 2) * 1000 / u64::from(rate.max(1))
}

pub(crate) fn encode(bytes: &[u8]) -> String {
    base64_simd::STANDARD.encode_to_string(bytes)
}

/// Base64 with or without padding, in either alphabet.
pub(crate) fn decode(text: &str) -> Option<Vec<u8>> {
    let text = text.trim_end_matches('=').as_bytes();
    let plain = base64_simd::STANDARD_NO_PAD.decode_to_vec(text);
    plain.or_else(|_| base64_simd::URL_SAFE_NO_PAD.decode_to_vec(text)).ok()
}

#[cfg(test)]
#[path = "audio_tests.rs"]
mod tests;
