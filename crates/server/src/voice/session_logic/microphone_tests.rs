//! A microphone without audio for a while counts as off, and that is reported once.

use super::*;

#[test]
fn a_pause_is_told_once_and_when_it_was_long_enough() {
    let mut microphone = Microphone::default();
    assert_eq!(microphone.due(), None);
    assert!(!microphone.take_switched_off(5000));
    microphone.on_audio(5000);
    microphone.on_audio(5900);
    assert_eq!(microphone.due(), Some(6000));
    assert!(!microphone.take_switched_off(5999));
    assert!(!microphone.take_switched_off(6000));
    assert_eq!(microphone.due(), Some(6900));
    assert!(microphone.take_switched_off(6900));
    assert!(!microphone.take_switched_off(9000));
    microphone.on_audio(9000);
    assert_eq!(microphone.due(), Some(10_000));
}
