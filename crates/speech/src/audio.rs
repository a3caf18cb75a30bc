//! Sound as the networks take it: mono samples from -1 to 1 at 16 kHz, made of PCM16 at other rates, of stereo,
//! and of frames that end within a sample.

use std::f32::consts::PI;

/// The sample rate of what is heard.
pub const RATE: u32 = 16_000;

/// The sample rate of what is spoken.
pub const SPOKEN_RATE: u32 = 24_000;

/// Input samples on each side that contribute to one output sample.
const REACH: isize = 12;

/// The format of a microphone's sound: PCM16, little-endian, channels interleaved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Format {
    pub rate: u32,
    pub channels: u16,
}

impl Default for Format {
    fn default() -> Self {
        Self { rate: RATE, channels: 1 }
    }
}

/// Turns frames of bytes into samples at 16 kHz, without a seam between frames.
#[derive(Debug, Clone)]
pub struct Intake {
    format: Format,
    /// The bytes of a sample that the last frame began.
    rest: Vec<u8>,
    resampler: Option<Resampler>,
}

impl Intake {
    pub fn new(format: Format) -> Self {
        let resampler = (format.rate != RATE).then(|| Resampler::new(format.rate, RATE));
        Self { format, rest: Vec::new(), resampler }
    }

    /// Appends the samples of a frame, which may end anywhere.
    pub fn push(&mut self, bytes: &[u8], out: &mut Vec<f32>) {
        self.rest.extend_from_slice(bytes);
        let step = 2 * usize::from(self.format.channels.max(1));
        let whole = self.rest.len() / step * step;
        let channels = f32::from(self.format.channels.max(1));
        let mono = self.rest[..whole].chunks_exact(step).map(|sample| {
            let (values, _) = sample.as_chunks::<2>();
            let sum: f32 = values.iter().map(|value| f32::from(i16::from_le_bytes(*value))).sum();
            sum / channels / 32_768.0
        });
        match &mut self.resampler {
            None => out.extend(mono),
            Some(resampler) => {
                let mono: Vec<f32> = mono.collect();
                resampler.push(&mono, out);
            }
        }
        self.rest.drain(..whole);
    }
}

/// Changes the sample rate, frame by frame, with a low-pass filter at the lower of both rates.
#[derive(Debug, Clone)]
pub struct Resampler {
    /// Input samples per output sample.
    step: f64,
    /// The filter's cutoff relative to the input rate, at most 1.
    cutoff: f32,
    window: Vec<f32>,
    /// The position of the next output in the window.
    at: f64,
}

impl Resampler {
    pub fn new(from: u32, to: u32) -> Self {
        let (from, to) = (from.max(1), to.max(1));
        let cutoff = (to as f32 / from as f32).min(1.0) * 0.95;
        let reach = Self::reach(cutoff);
        Self {
            step: f64::from(from) / f64::from(to),
            cutoff,
            window: vec![0.0; reach as usize],
            at: reach as f64,
        }
    }

    fn reach(cutoff: f32) -> isize {
        (REACH as f32 / cutoff).ceil() as isize
    }

    pub fn push(&mut self, samples: &[f32], out: &mut Vec<f32>) {
        self.window.extend_from_slice(samples);
        let reach = Self::reach(self.cutoff);
        while self.at + reach as f64 + 1.0 < self.window.len() as f64 {
            out.push(self.sample(reach));
            self.at += self.step;
        }
        let used = (self.at as usize).saturating_sub(reach as usize).min(self.window.len());
        self.window.drain(..used);
        self.at -= used as f64;
    }

    fn sample(&self, reach: isize) -> f32 {
        let middle = self.at.floor();
        let offset = (self.at - middle) as f32;
        let (mut sum, mut gain) = (0.0, 0.0);
        for tap in -reach + 1..=reach {
            let x = tap as f32 - offset;
            let weight = sinc(x * self.cutoff) * hann(x / (reach as f32 + 1.0));
            let at = middle as isize + tap;
            let value = usize::try_from(at).ok().and_then(|at| self.window.get(at));
            sum += weight * value.copied().unwrap_or_default();
            gain += weight;
        }
        sum / gain
    }
}

fn sinc(x: f32) -> f32 {
    if x.abs() < 1e-6 { 1.0 } else { (PI * x).sin() / (PI * x) }
}

fn hann(x: f32) -> f32 {
    0.5 + 0.5 * (PI * x.clamp(-1.0, 1.0)).cos()
}

/// Samples as PCM16 bytes. Loud passages are clipped.
pub fn to_pcm16(samples: &[f32]) -> Vec<u8> {
    let pcm = samples.iter().map(|sample| (sample.clamp(-1.0, 1.0) * 32_767.0) as i16);
    pcm.flat_map(i16::to_le_bytes).collect()
}

#[cfg(test)]
#[path = "audio_tests.rs"]
mod tests;
