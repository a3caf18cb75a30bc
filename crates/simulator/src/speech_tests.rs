//! The audio of a sentence, and the buffered part of an utterance.

use super::*;

const PCM: AudioCoding = AudioCoding::Pcm { rate: 16_000 };

fn ms(ms: usize) -> Vec<u8> {
    vec![1; ms * 32]
}

#[test]
fn a_sentence_is_spoken_word_by_word() {
    let spoken = Tones.speak("It is  late.");
    let words: Vec<_> = spoken.iter().map(|piece| piece.text.as_str()).collect();
    assert_eq!(words, ["It", "is", "late."]);
    assert!(spoken.iter().all(|piece| !piece.pcm.is_empty()));
}

#[test]
fn an_utterance_has_its_last_minute_and_the_moment_before_it() {
    let mut recording = HeardAudio::default();
    recording.add(&ms(5_000), PCM);
    recording.trim(PCM);
    recording.add(&ms(300), PCM);
    assert_eq!(recording.take(PCM, 300).bytes.len(), 800 * 32);
    recording.add(&ms(61_000), PCM);
    assert_eq!(recording.take(PCM, 61_000).bytes.len(), 60_000 * 32);
    assert_eq!(recording.take(PCM, 0).bytes, Vec::<u8>::new());
}
