//! Rates, channels and frames of any length.

use super::*;

fn tone(rate: u32, hertz: f32, seconds: f32) -> Vec<i16> {
    let count = (rate as f32 * seconds) as usize;
    (0..count)
        .map(|n| ((2.0 * PI * hertz * n as f32 / rate as f32).sin() * 10_000.0) as i16)
        .collect()
}

fn bytes(samples: &[i16]) -> Vec<u8> {
    samples.iter().flat_map(|sample| sample.to_le_bytes()).collect()
}

fn taken(format: Format, bytes: &[u8], frame: usize) -> Vec<f32> {
    let (mut intake, mut out) = (Intake::new(format), Vec::new());
    bytes.chunks(frame).for_each(|frame| intake.push(frame, &mut out));
    out
}

/// How strong a frequency is, by correlation.
fn strength(samples: &[f32], hertz: f32) -> f32 {
    let turn = |n: usize| 2.0 * PI * hertz * n as f32 / RATE as f32;
    let (mut re, mut im) = (0.0, 0.0);
    for (n, sample) in samples.iter().enumerate() {
        re += sample * turn(n).cos();
        im += sample * turn(n).sin();
    }
    2.0 * (re * re + im * im).sqrt() / samples.len() as f32
}

#[test]
fn frames_that_end_within_a_sample_lose_nothing() {
    let bytes = bytes(&tone(RATE, 440.0, 0.1));
    let whole = taken(Format::default(), &bytes, bytes.len());
    assert_eq!(whole.len(), 1600);
    for frame in [1, 3, 7, 641] {
        assert_eq!(taken(Format::default(), &bytes, frame), whole, "{frame}");
    }
}

#[test]
fn other_rates_keep_pitch_and_level() {
    for rate in [8_000, 24_000, 44_100, 48_000] {
        let format = Format { rate, channels: 1 };
        let out = taken(format, &bytes(&tone(rate, 440.0, 1.0)), 333);
        assert!((15_900..=16_000).contains(&out.len()), "{rate}: {}", out.len());
        let heard = strength(&out[1000..15_000], 440.0);
        assert!((heard - 10_000.0 / 32_768.0).abs() < 0.01, "{rate}: {heard}");
    }
}

#[test]
fn frequencies_that_the_lower_rate_cannot_hold_are_removed() {
    let out =
        taken(Format { rate: 48_000, channels: 1 }, &bytes(&tone(48_000, 11_000.0, 1.0)), 960);
    assert!(strength(&out[1000..15_000], 5_000.0) < 0.01);
}

#[test]
fn the_channels_of_stereo_are_mixed() {
    let left = tone(RATE, 440.0, 0.1);
    let stereo: Vec<i16> = left.iter().flat_map(|sample| [*sample, 0]).collect();
    let out = taken(Format { rate: RATE, channels: 2 }, &bytes(&stereo), 5);
    assert_eq!(out.len(), 1600);
    assert!((strength(&out, 440.0) - 5_000.0 / 32_768.0).abs() < 0.01);
}

#[test]
fn loud_samples_are_clipped_and_do_not_wrap() {
    assert_eq!(to_pcm16(&[2.0, -2.0, 0.0]), bytes(&[32_767, -32_767, 0]));
}
