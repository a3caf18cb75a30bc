//! Speech begins where it is loud and ends when it has been quiet for long enough.

use super::*;
use crate::audio;

const PCM: Coding = Coding::Pcm { rate: 24_000 };

fn silence(ms: usize) -> Vec<u8> {
    vec![0; ms * 48]
}

#[test]
fn speech_starts_with_sound_and_stops_after_the_silence() {
    let mut ears = Ears::new(PCM, 500);
    assert_eq!(ears.hear(&silence(100)), []);
    assert_eq!(ears.hear(&audio::tone("Aileron")), [Noticed::Started { at_ms: 100 }]);
    assert_eq!(ears.hear(&silence(480)), []);
    assert_eq!(ears.hear(&silence(20)), [Noticed::Stopped { at_ms: 280, lasted_ms: 180 }]);
    assert_eq!(ears.hear(&silence(2_000)), []);
}

#[test]
fn pieces_of_any_size_are_heard_alike() {
    let mut sound = silence(40);
    sound.extend(audio::tone("Aileron"));
    sound.extend(silence(600));
    let whole = Ears::new(PCM, 500).hear(&sound);
    let mut ears = Ears::new(PCM, 500);
    let piecewise: Vec<_> = sound.chunks(77).flat_map(|piece| ears.hear(piece)).collect();
    assert_eq!(whole, piecewise);
    assert_eq!(whole.len(), 2);
}

#[test]
fn a_stream_that_ends_ends_speech() {
    let mut ears = Ears::new(PCM, 500);
    assert_eq!(ears.stop(), None);
    ears.hear(&audio::tone("yes"));
    assert_eq!(ears.stop(), Some(Noticed::Stopped { at_ms: 60, lasted_ms: 60 }));
    assert!(!ears.is_hearing());
}

#[test]
fn telephone_codings_have_their_own_silence() {
    for (coding, quiet, loud) in [(Coding::ULaw, 0xff, 0x10), (Coding::ALaw, 0xd5, 0x2a)] {
        let mut ears = Ears::new(coding, 100);
        assert_eq!(ears.hear(&[quiet; 400]), []);
        assert_eq!(ears.hear(&[loud; 160]), [Noticed::Started { at_ms: 40 }], "{coding:?}");
        assert_eq!(ears.hear(&[quiet; 1600]).len(), 1);
    }
}
