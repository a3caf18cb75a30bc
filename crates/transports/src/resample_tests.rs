//! A tone stays that tone, a cut leaves no seam, and no sample is lost.

use proptest::prelude::*;

use super::*;

fn tone(hertz: f64, rate: f64, samples: usize) -> Vec<f64> {
    (0..samples).map(|n| 12_000.0 * (2.0 * PI * hertz * n as f64 / rate).sin()).collect()
}

fn bytes(samples: &[f64]) -> Vec<u8> {
    samples.iter().flat_map(|sample| (sample.round() as i16).to_le_bytes()).collect()
}

fn samples(pcm: &[u8]) -> Vec<f64> {
    pcm.chunks(2).map(|pair| f64::from(i16::from_le_bytes([pair[0], pair[1]]))).collect()
}

fn resampled(pcm: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    Resampler::default().push(pcm, &mut out);
    out
}

/// How strong a frequency is, as the amplitude of a tone.
fn strength(samples: &[f64], hertz: f64, rate: f64) -> f64 {
    let (mut re, mut im) = (0.0, 0.0);
    for (n, sample) in samples.iter().enumerate() {
        let angle = 2.0 * PI * hertz * n as f64 / rate;
        re += sample * angle.cos();
        im += sample * angle.sin();
    }
    2.0 * re.hypot(im) / samples.len() as f64
}

/// The output of a second of a tone, without the 100 ms in which the filter fills.
fn settled(hertz: f64) -> Vec<f64> {
    samples(&resampled(&bytes(&tone(hertz, 16_000.0, 17_600))))[2_400..26_400].to_vec()
}

#[test]
fn a_tone_of_the_voice_band_comes_out_as_loud_as_it_went_in() {
    for hertz in [100.0, 440.0, 1_000.0, 3_000.0, 5_000.0, 6_000.0] {
        let heard = strength(&settled(hertz), hertz, 24_000.0);
        assert!((heard / 12_000.0 - 1.0).abs() < 0.02, "{hertz} Hz came out at {heard}");
    }
}

#[test]
fn what_the_filter_must_hold_back_is_60_db_down() {
    for hertz in [440.0, 1_000.0, 3_000.0, 5_000.0] {
        let out = settled(hertz);
        let image = strength(&out, 16_000.0 - hertz, 24_000.0);
        assert!(image < 12.0, "the image of {hertz} Hz came out at {image}");
        let power = out.iter().map(|x| x * x).sum::<f64>() / out.len() as f64;
        let noise = (power - strength(&out, hertz, 24_000.0).powi(2) / 2.0).max(0.0).sqrt();
        assert!(noise < 12.0, "{hertz} Hz has {noise} beside the tone");
    }
}

#[test]
fn a_steady_level_stays_exactly_that_level() {
    let out = samples(&resampled(&bytes(&vec![1_234.0; 200])));
    assert!(out[2 * TAPS..].iter().all(|sample| *sample == 1_234.0));
}

#[test]
fn full_scale_is_clipped_and_never_wraps() {
    let square: Vec<_> =
        (0..800).map(|n| if n / 40 % 2 == 0 { 32_767.0 } else { -32_768.0 }).collect();
    let out = samples(&resampled(&bytes(&square)));
    let jumps = out.windows(2).filter(|pair| (pair[1] - pair[0]).abs() > 60_000.0).count();
    assert_eq!(jumps, 0);
    assert!(out.contains(&32_767.0));
}

#[test]
fn twenty_milliseconds_in_are_twenty_milliseconds_out() {
    assert_eq!(resampled(&[0; 640]).len(), 960);
}

proptest! {
    #[test]
    fn a_cut_anywhere_leaves_no_seam(
        input in proptest::collection::vec(any::<i16>(), 0..600),
        cuts in proptest::collection::vec(0usize..90, 1..20),
    ) {
        let pcm: Vec<u8> = input.iter().flat_map(|sample| sample.to_le_bytes()).collect();
        let mut resampler = Resampler::default();
        let (mut rest, mut pieces) = (&pcm[..], Vec::new());
        for cut in cuts {
            let (piece, after) = rest.split_at((cut * 2).min(rest.len()));
            resampler.push(piece, &mut pieces);
            rest = after;
        }
        resampler.push(rest, &mut pieces);
        prop_assert_eq!(&pieces, &resampled(&pcm));
        prop_assert_eq!(pieces.len(), (input.len() * 3).div_ceil(2) * 2);
    }
}
