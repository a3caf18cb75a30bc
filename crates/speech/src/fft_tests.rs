//! The transform against the definition, and there and back again.

use super::*;

fn frame(seed: u32, size: usize) -> Vec<f32> {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as f32 / (1 << 24) as f32 - 0.5
    };
    (0..size).map(|_| next()).collect()
}

#[test]
fn spectra_are_those_of_the_definition() {
    let (size, fft) = (60, Fft::new(60));
    let (a, b) = (frame(1, size), frame(2, size));
    for (frame, spectrum) in [&a, &b].into_iter().zip(fft.spectra(&a, &b)) {
        for (bin, found) in spectrum.iter().enumerate() {
            let expected = frame.iter().enumerate().fold(Complex::default(), |sum, (n, x)| {
                sum.plus(Complex::turned(-TAU * (bin * n) as f32 / size as f32).scaled(*x))
            });
            assert!((found.re - expected.re).abs() < 1e-4 && (found.im - expected.im).abs() < 1e-4);
        }
    }
}

#[test]
fn frames_come_back_from_their_spectra() {
    let fft = Fft::new(1200);
    let (a, b) = (frame(3, 1200), frame(4, 1200));
    let [sa, sb] = fft.spectra(&a, &b);
    let [fa, fb] = fft.frames(&sa, &sb);
    let close = |x: &[f32], y: &[f32]| x.iter().zip(y).all(|(x, y)| (x - y).abs() < 1e-4);
    assert!(close(&a, &fa) && close(&b, &fb));
}
