//! Makes sound of the spectrum that the voice's network predicts: a train of pulses at the pitch, shaped by the
//! network, plus shaped noise, plus a part with free phases, added up over overlapping frames.

use std::f32::consts::{PI, TAU};

use crate::audio::SPOKEN_RATE;
use crate::fft::{Complex, Fft};

const FRAME: usize = 1200;
const HOP: usize = 300;
const BINS: usize = FRAME / 2 + 1;
const OVERLAP: usize = FRAME / HOP;

/// Below this pitch, in Hz, a sound has no voice.
const VOICED: f32 = 40.0;
/// The highest harmonic of the pulses, in Hz.
const HIGHEST: f32 = 11_000.0;
/// The largest exponent of a magnitude, so that a wrong prediction is not deafening.
const LOUDEST: f32 = 7.0;

/// The network's output: magnitudes and phases for each bin and frame, bins first, and the pitch of each frame.
pub(super) struct Spectrum {
    frames: usize,
    harmonic: Vec<f32>,
    harmonic_phase: Vec<f32>,
    noise: Vec<f32>,
    free: Vec<f32>,
    free_phase: Vec<f32>,
    pitch: Vec<f32>,
}

impl Spectrum {
    /// None if the sizes do not fit each other.
    pub(super) fn new(outputs: Vec<Vec<f32>>) -> Option<Self> {
        let [harmonic, harmonic_phase, noise, free, free_phase, pitch]: [Vec<f32>; 6] =
            outputs.try_into().ok()?;
        let frames = pitch.len();
        let planes = [&harmonic, &harmonic_phase, &noise, &free, &free_phase];
        let fits = frames > 0 && planes.iter().all(|plane| plane.len() == frames * BINS);
        fits.then_some(Self { frames, harmonic, harmonic_phase, noise, free, free_phase, pitch })
    }
}

/// The tables of the synthesis.
#[derive(Debug)]
pub(super) struct Vocoder {
    fft: Fft,
    window: Vec<f32>,
}

impl Default for Vocoder {
    fn default() -> Self {
        let hann = |n| 0.5 - 0.5 * (TAU * n as f32 / FRAME as f32).cos();
        Self { fft: Fft::new(FRAME), window: (0..FRAME).map(hann).collect() }
    }
}

impl Vocoder {
    /// The sound, at 24 kHz: one hop for each frame.
    pub(super) fn sound(&self, spectrum: &Spectrum) -> Vec<f32> {
        let pulses = reflected(&pulses(&spectrum.pitch));
        let mut noise = Noise(0x9E37_79B9_7F4A_7C15);
        let mut sum = vec![0.0; (spectrum.frames + OVERLAP - 1) * HOP];
        for pair in (0..spectrum.frames).step_by(2) {
            let [first, second] =
                self.fft.spectra(&self.source(&pulses, pair), &self.source(&pulses, pair + 1));
            let first = shaped(spectrum, pair, first, &mut noise);
            let second = shaped(spectrum, pair + 1, second, &mut noise);
            let frames = self.fft.frames(&first, &second);
            for (frame, samples) in (pair..spectrum.frames).zip(frames) {
                let place = sum[frame * HOP..].iter_mut();
                let windowed = samples.iter().zip(&self.window).map(|(sample, w)| sample * w);
                place.zip(windowed).for_each(|(sum, sample)| *sum += sample);
            }
        }
        self.normalised(&sum, spectrum.frames)
    }

    /// A frame of the pulses under the window, scaled so that a pulse's harmonic has the magnitude one.
    fn source(&self, pulses: &[f32], frame: usize) -> Vec<f32> {
        let scale = 4.0 / FRAME as f32;
        let from = pulses.get(frame * HOP..).unwrap_or_default();
        let mut source: Vec<f32> =
            from.iter().zip(&self.window).map(|(pulse, window)| pulse * window * scale).collect();
        source.resize(FRAME, 0.0);
        source
    }

    /// Divides by the sum of the squared windows, and leaves out half a frame before the first frame's middle.
    fn normalised(&self, sum: &[f32], frames: usize) -> Vec<f32> {
        let weight = |at: usize| -> f32 {
            let newest = at / HOP;
            let part = (0..OVERLAP).filter_map(|back| {
                let frame = newest.checked_sub(back).filter(|frame| *frame < frames)?;
                self.window.get(at - frame * HOP).map(|window| window * window)
            });
            part.sum()
        };
        let begin = FRAME / 2;
        let end = (begin + frames * HOP).min(sum.len());
        (begin..end).map(|at| sum[at] / weight(at).max(1e-4)).collect()
    }
}

/// The spectrum of one frame: shaped pulses, noise and the free part. A frame past the end is silent.
fn shaped(
    spectrum: &Spectrum,
    frame: usize,
    mut source: Vec<Complex>,
    noise: &mut Noise,
) -> Vec<Complex> {
    if frame >= spectrum.frames {
        return vec![Complex::default(); BINS];
    }
    for (bin, value) in source.iter_mut().enumerate() {
        let at = bin * spectrum.frames + frame;
        let magnitude = |plane: &[f32]| plane[at].min(LOUDEST).exp();
        let turn = Complex::turned(PI * spectrum.harmonic_phase[at].tanh());
        let harmonic = value.times(turn).scaled(magnitude(&spectrum.harmonic));
        let breath = noise.pair().scaled(magnitude(&spectrum.noise));
        let free = Complex::turned(spectrum.free_phase[at]).scaled(magnitude(&spectrum.free));
        *value = harmonic.plus(breath).plus(free);
    }
    source
}

/// A train of pulses with all harmonics below the highest, at the pitch between the frames' middles.
fn pulses(pitch: &[f32]) -> Vec<f32> {
    let mut phase = 0.0_f64;
    let at = |frame: isize| pitch[frame.clamp(0, pitch.len() as isize - 1) as usize];
    let sample = |n: usize| {
        let place = (n as f32 + 0.5) / HOP as f32 - 0.5;
        let (before, between) = (place.floor(), place - place.floor());
        let before = before as isize;
        let hertz = at(before) * (1.0 - between) + at(before + 1) * between;
        phase = (phase + f64::from(hertz.max(VOICED)) / f64::from(SPOKEN_RATE)).fract();
        if hertz > VOICED { pulse(phase as f32 * TAU, hertz) } else { 0.0 }
    };
    (0..pitch.len() * HOP).map(sample).collect()
}

/// The sum of the cosines of all harmonics, in closed form.
fn pulse(phase: f32, hertz: f32) -> f32 {
    let harmonics = (HIGHEST / hertz).floor() + 0.5;
    let below = 2.0 * (phase * 0.5).sin();
    if below.abs() <= 2e-3 { harmonics - 0.5 } else { (harmonics * phase).sin() / below - 0.5 }
}

/// With half a frame before and after that mirrors the sound, so that the first frame's middle is its begin.
fn reflected(samples: &[f32]) -> Vec<f32> {
    let half = FRAME / 2;
    let at = |n: usize| samples.get(n).copied().unwrap_or_default();
    let before = (1..=half).rev().map(at);
    let after = (0..half).map(|n| samples.len().checked_sub(n + 2).map_or(0.0, at));
    before.chain(samples.iter().copied()).chain(after).collect()
}

/// Noise that is the same in every run, so that a sentence always sounds the same.
struct Noise(u64);

impl Noise {
    fn uniform(&mut self) -> f32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 40) as f32 / (1 << 24) as f32
    }

    /// Two independent normal numbers.
    fn pair(&mut self) -> Complex {
        let (length, angle) = (self.uniform().max(1e-7), self.uniform());
        Complex::turned(TAU * angle).scaled((-2.0 * length.ln()).sqrt())
    }
}
