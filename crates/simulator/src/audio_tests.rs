//! A word is a tone with the length of the word.

use super::*;

#[test]
fn a_word_is_heard_for_60_ms_a_syllable() {
    assert_eq!(pcm_ms(tone("yes").len(), RATE), 60);
    assert_eq!(pcm_ms(tone("Aileron").len(), RATE), 180);
    assert_eq!(pcm_ms(tone("").len(), RATE), 60);
}

#[test]
fn a_tone_is_loud_in_the_middle_and_silent_at_its_ends() {
    let pcm = tone("Aileron");
    let sample = |at: usize| i16::from_le_bytes([pcm[at * 2], pcm[at * 2 + 1]]).unsigned_abs();
    assert_eq!((sample(0), sample(pcm.len() / 2 - 1)), (0, 0));
    assert!((0..pcm.len() / 2).map(sample).max() > Some(5_000));
}

#[test]
fn base64_is_read_in_all_its_forms() {
    for text in ["+/8=", "+/8", "-_8=", "-_8"] {
        assert_eq!(decode(text), Some(vec![0xfb, 0xff]), "{text}");
    }
    assert_eq!(decode("a*b"), None);
    assert_eq!(decode(&encode(&[1, 2, 3, 4])), Some(vec![1, 2, 3, 4]));
}
