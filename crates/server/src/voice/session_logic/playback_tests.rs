//! Which audio counts as played.

use super::*;

const ONE: Utterance = Utterance(1);
const SECOND: usize = 48_000;

#[test]
fn what_was_sent_plays_at_the_pace_of_speech() {
    let mut playback = Playback::default();
    playback.on_sent(ONE, SECOND, 1000);
    playback.on_sent(ONE, SECOND, 1010);
    assert!(playback.is_playing(2999) && !playback.is_playing(3000));
    assert_eq!(playback.stop(1700), Some(PlayedPart { utterance: ONE, played_ms: 700 }));
    assert!(!playback.is_playing(1700));
}

#[test]
fn a_pause_between_pieces_is_not_heard() {
    let mut playback = Playback::default();
    playback.on_sent(ONE, SECOND, 1000);
    playback.on_sent(ONE, SECOND, 5000);
    assert_eq!(playback.stop(5500), Some(PlayedPart { utterance: ONE, played_ms: 1500 }));
}

#[test]
fn an_utterance_that_was_played_to_its_end_is_not_cut() {
    let mut playback = Playback::default();
    playback.on_sent(ONE, SECOND, 1000);
    assert_eq!(playback.stop(2000), None);
    assert_eq!(playback.stop(2000), None);
}

#[test]
fn what_was_heard_is_never_less_than_nothing() {
    let mut playback = Playback::default();
    playback.on_sent(ONE, SECOND, 1000);
    playback.on_sent(Utterance(2), SECOND, 1000);
    assert_eq!(playback.stop(1500), Some(PlayedPart { utterance: Utterance(2), played_ms: 0 }));
}

#[test]
fn the_rest_of_a_muted_utterance_is_not_wanted() {
    let mut playback = Playback::default();
    playback.on_sent(ONE, SECOND, 1000);
    playback.mute();
    assert!(!playback.is_audible(ONE) && playback.is_audible(Utterance(2)));
    playback.stop(1000);
    playback.mute();
    assert!(!playback.is_audible(ONE));
    playback.on_reconnected();
    assert!(playback.is_audible(ONE));
}

#[test]
fn twenty_millisecond_pieces_add_up() {
    let mut playback = Playback::default();
    (0..50).for_each(|_| playback.on_sent(ONE, 960, 1000));
    assert!(playback.is_playing(1999) && !playback.is_playing(2000));
}
