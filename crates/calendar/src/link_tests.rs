//! Links by a pattern.

use super::*;

#[test]
fn a_pattern_is_an_address_with_a_room() {
    assert!(LinkSource::pattern("https://meet.jit.si/{id}").is_ok());
    for wrong in
        ["https://meet.jit.si/", "meet/{id}", "ftp://meet.example.com/{id}", "https://a@b/{id}"]
    {
        assert!(LinkSource::pattern(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn a_room_is_the_same_for_the_same_event_and_does_not_tell_its_id() {
    assert_eq!(room("aileron-1"), room("aileron-1"));
    assert_ne!(room("aileron-1"), room("aileron-2"));
    assert_eq!(room("aileron-1").len(), 24);
}
