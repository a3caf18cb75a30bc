//! Resamples 16 kHz to 24 kHz, three samples for every two, frame by frame without a seam. A polyphase low-pass
//! filter: its delay is a millisecond, and frequencies above the voice band are attenuated by 60 dB.

use std::f64::consts::PI;
use std::sync::LazyLock;

/// Upsamples by three; every second sample is kept.
const UP: usize = 3;
const DOWN: usize = 2;

/// Input samples that contribute to one output sample.
const TAPS: usize = 32;

/// The cutoff of the filter, relative to the threefold rate: 7.2 kHz of 48 kHz.
const EDGE: f64 = 7_200.0 / 48_000.0;

/// The steepness of the window: about 70 dB in the stop band.
const BETA: f64 = 6.76;

/// The filter, one row for each position of an output sample between two input samples.
static PHASES: LazyLock<[[f32; TAPS]; UP]> = LazyLock::new(phases);

/// A resampler with the samples of earlier frames.
#[derive(Debug, Clone, PartialEq)]
pub struct Resampler {
    /// The last inputs, oldest first, followed by those of the current frame.
    window: Vec<f32>,
    /// The position of the next output after the first input of the next frame, in thirds of a sample.
    ahead: usize,
}

impl Default for Resampler {
    fn default() -> Self {
        Self { window: vec![0.0; TAPS - 1], ahead: 0 }
    }
}

impl Resampler {
    /// Appends a frame at 24 kHz. After `n` samples in total, three for every two have come out, rounded
    /// up. Half a sample at the end is dropped.
    pub fn push(&mut self, pcm: &[u8], out: &mut Vec<u8>) {
        let (samples, _) = pcm.as_chunks::<2>();
        self.window.extend(samples.iter().map(|sample| f32::from(i16::from_le_bytes(*sample))));
        out.reserve(samples.len() * UP / DOWN * 2 + 4);
        let end = samples.len() * UP;
        let mut at = self.ahead;
        while at < end {
            out.extend_from_slice(&self.sample(at).to_le_bytes());
            at += DOWN;
        }
        self.ahead = at - end;
        self.window.drain(..samples.len());
    }

    fn sample(&self, at: usize) -> i16 {
        let newest = at / UP;
        let inputs = self.window.get(newest..newest + TAPS).unwrap_or_default();
        let taps = PHASES.get(at % UP).map(<[f32; TAPS]>::as_slice).unwrap_or_default();
        let sum: f32 = inputs.iter().zip(taps).map(|(input, tap)| input * tap).sum();
        // A cast from a float saturates, so a loud passage is clipped and does not wrap.
        sum.round() as i16
    }
}

/// The rows of the filter, each with the oldest input first and a gain of exactly one.
fn phases() -> [[f32; TAPS]; UP] {
    std::array::from_fn(|phase| {
        let row: [f64; TAPS] = std::array::from_fn(|tap| kernel((TAPS - 1 - tap) * UP + phase));
        let gain: f64 = row.iter().sum();
        row.map(|tap| (tap / gain) as f32)
    })
}

/// A sinc under a Kaiser window.
fn kernel(at: usize) -> f64 {
    let middle = (TAPS * UP - 1) as f64 / 2.0;
    let x = at as f64 - middle;
    let window = bessel(BETA * (1.0 - (x / (middle + 0.5)).powi(2)).max(0.0).sqrt()) / bessel(BETA);
    sinc(2.0 * EDGE * x) * window
}

fn sinc(x: f64) -> f64 {
    if x.abs() < 1e-9 { 1.0 } else { (PI * x).sin() / (PI * x) }
}

/// The modified Bessel function of order zero, by its series.
fn bessel(x: f64) -> f64 {
    let mut term = 1.0;
    let mut sum = 1.0;
    for k in 1..30 {
        term *= (x / (2.0 * f64::from(k))).powi(2);
        sum += term;
    }
    sum
}

#[cfg(test)]
#[path = "resample_tests.rs"]
mod tests;
