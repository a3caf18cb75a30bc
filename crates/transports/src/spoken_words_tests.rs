//! Which words were heard.

use super::*;

/// Three words, each after a tenth of a second of audio.
fn three_words() -> SpokenWords {
    let mut words = SpokenWords::default();
    for word in ["one", " two", " three"] {
        words.audio(4800);
        words.push(word);
    }
    words
}

#[track_caller]
fn check(played_ms: u64, heard: &str) {
    let mut words = three_words();
    words.truncate(played_ms);
    assert_eq!(words.take(), heard, "{played_ms} ms");
}

#[test]
fn words_whose_audio_was_not_played_are_left_out() {
    check(0, "");
    check(99, "");
    check(100, "one");
    check(250, "one two");
    check(300, "one two three");
    check(u64::MAX, "one two three");
}

#[test]
fn words_before_any_audio_count_once_something_was_played() {
    let mut words = SpokenWords::default();
    words.push("one");
    words.audio(4800);
    words.push(" two");
    words.truncate(1);
    assert_eq!(words.take(), "one");
}

#[test]
fn another_utterance_begins_at_its_own_beginning() {
    let mut words = three_words();
    words.take();
    words.restart_audio();
    words.audio(4800);
    words.push("four");
    words.truncate(100);
    assert_eq!(words.take(), "four");
}
