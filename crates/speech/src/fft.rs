//! The Fourier transform of the synthesis, whose frames have 1,200 samples: mixed radix, because that is no power
//! of two. Two real frames are transformed at once, as the two parts of one complex frame.

use std::f32::consts::TAU;

/// A complex number.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Complex {
    pub(crate) re: f32,
    pub(crate) im: f32,
}

impl Complex {
    pub(crate) fn new(re: f32, im: f32) -> Self {
        Self { re, im }
    }

    /// A number of length one at this angle.
    pub(crate) fn turned(angle: f32) -> Self {
        let (im, re) = angle.sin_cos();
        Self { re, im }
    }

    pub(crate) fn times(self, other: Self) -> Self {
        Self {
            re: self.re * other.re - self.im * other.im,
            im: self.re * other.im + self.im * other.re,
        }
    }

    pub(crate) fn plus(self, other: Self) -> Self {
        Self { re: self.re + other.re, im: self.im + other.im }
    }

    pub(crate) fn scaled(self, by: f32) -> Self {
        Self { re: self.re * by, im: self.im * by }
    }

    fn conjugate(self) -> Self {
        Self { re: self.re, im: -self.im }
    }
}

/// A transform of one length, with its factors and its table of turns.
#[derive(Debug)]
pub(crate) struct Fft {
    size: usize,
    factors: Vec<usize>,
    turns: Vec<Complex>,
}

impl Fft {
    /// For a length whose only prime factors are 2, 3 and 5.
    pub(crate) fn new(size: usize) -> Self {
        let (mut left, mut factors) = (size, Vec::new());
        for factor in [4, 2, 3, 5] {
            while left % factor == 0 && left > 1 {
                factors.push(factor);
                left /= factor;
            }
        }
        debug_assert_eq!(left, 1, "{size} has other prime factors");
        let turn = |at| Complex::turned(-TAU * at as f32 / size as f32);
        Self { size, factors, turns: (0..size).map(turn).collect() }
    }

    /// The spectra of two real frames, each with `size / 2 + 1` bins.
    pub(crate) fn spectra(&self, a: &[f32], b: &[f32]) -> [Vec<Complex>; 2] {
        let both: Vec<_> = a.iter().zip(b).map(|(a, b)| Complex::new(*a, *b)).collect();
        let mixed = self.forward(&both);
        let bins = self.size / 2 + 1;
        let pair = |bin: usize| (mixed[bin], mixed[(self.size - bin) % self.size].conjugate());
        let first = (0..bins).map(|bin| {
            let (x, y) = pair(bin);
            x.plus(y).scaled(0.5)
        });
        let second = (0..bins).map(|bin| {
            let (x, y) = pair(bin);
            let difference = Complex::new(x.re - y.re, x.im - y.im);
            Complex::new(difference.im * 0.5, -difference.re * 0.5)
        });
        [first.collect(), second.collect()]
    }

    /// The two real frames of these spectra.
    pub(crate) fn frames(&self, a: &[Complex], b: &[Complex]) -> [Vec<f32>; 2] {
        // The inverse transform of z is the conjugate of the transform of the conjugate of z.
        let mut both = vec![Complex::default(); self.size];
        let half = self.size / 2;
        for (bin, (x, y)) in a.iter().zip(b).enumerate() {
            let (mut x, mut y) = (*x, *y);
            if bin == 0 || bin == half {
                (x.im, y.im) = (0.0, 0.0);
            }
            both[bin] = Complex::new(x.re - y.im, x.im + y.re).conjugate();
            if bin > 0 && bin < half {
                both[self.size - bin] = Complex::new(x.re + y.im, y.re - x.im).conjugate();
            }
        }
        let scale = 1.0 / self.size as f32;
        let made = self.forward(&both);
        let first = made.iter().map(|z| z.re * scale);
        let second = made.iter().map(|z| -z.im * scale);
        [first.collect(), second.collect()]
    }

    fn forward(&self, input: &[Complex]) -> Vec<Complex> {
        let mut output = vec![Complex::default(); self.size];
        self.part(input, 1, &mut output, &self.factors);
        output
    }

    /// Transforms every `stride`th input into the output, one factor after another.
    fn part(&self, input: &[Complex], stride: usize, output: &mut [Complex], factors: &[usize]) {
        let Some((factor, rest)) = factors.split_first() else {
            output[0] = input[0];
            return;
        };
        let (factor, length) = (*factor, output.len() / *factor);
        for (at, part) in output.chunks_exact_mut(length).enumerate() {
            self.part(&input[at * stride..], stride * factor, part, rest);
        }
        let mut column = [Complex::default(); 5];
        for bin in 0..length {
            for (at, value) in column.iter_mut().enumerate().take(factor) {
                let turn = self.turns[at * bin * stride % self.size];
                *value = output[at * length + bin].times(turn);
            }
            for row in 0..factor {
                let mut sum = column[0];
                for (at, value) in column.iter().enumerate().take(factor).skip(1) {
                    let turn = self.turns[at * row * (self.size / factor) % self.size];
                    sum = sum.plus(value.times(turn));
                }
                output[row * length + bin] = sum;
            }
        }
    }
}

#[cfg(test)]
#[path = "fft_tests.rs"]
mod tests;
