//! Speech begins where it is loud and ends when it has been quiet for long enough.

use super::*;
use crate::audio;

const PCM: AudioCoding = AudioCoding::Pcm { rate: 24_000 };

fn silence(ms: usize) -> Vec<u8> {
    vec![0; ms * 48]
}

#[test]
fn speech_starts_with_sound_and_stops_after_the_silence() {
    let mut vad = Vad::new(PCM, 500);
    assert_eq!(vad.hear(&silence(100)), []);
    assert_eq!(vad.hear(&audio::tone("Aileron")), [VadEvent::Started { at_ms: 100 }]);
    assert_eq!(vad.hear(&silence(480)), []);
    assert_eq!(vad.hear(&silence(20)), [VadEvent::Stopped { at_ms: 280, lasted_ms: 180 }]);
    assert_eq!(vad.hear(&silence(2_000)), []);
}

#[test]
fn pieces_of_any_size_are_heard_alike() {
    let mut sound = silence(40);
    sound.extend(audio::tone("Aileron"));
    sound.extend(silence(600));
    let whole = Vad::new(PCM, 500).hear(&sound);
    let mut vad = Vad::new(PCM, 500);
    let piecewise: Vec<_> = sound.chunks(77).flat_map(|piece| vad.hear(piece)).collect();
    assert_eq!(whole, piecewise);
    assert_eq!(whole.len(), 2);
}

#[test]
fn a_stream_that_ends_ends_speech() {
    let mut vad = Vad::new(PCM, 500);
    assert_eq!(vad.stop(), None);
    vad.hear(&audio::tone("yes"));
    assert_eq!(vad.stop(), Some(VadEvent::Stopped { at_ms: 60, lasted_ms: 60 }));
    assert!(!vad.is_hearing());
}

#[test]
fn telephone_codings_have_their_own_silence() {
    for (coding, quiet, loud) in [(AudioCoding::ULaw, 0xff, 0x10), (AudioCoding::ALaw, 0xd5, 0x2a)]
    {
        let mut vad = Vad::new(coding, 100);
        assert_eq!(vad.hear(&[quiet; 400]), []);
        assert_eq!(vad.hear(&[loud; 160]), [VadEvent::Started { at_ms: 40 }], "{coding:?}");
        assert_eq!(vad.hear(&[quiet; 1600]).len(), 1);
    }
}
