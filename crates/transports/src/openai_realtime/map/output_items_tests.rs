//! Truncation of an utterance.

use super::*;

/// An utterance of 100 ms.
fn spoken(place: UtteranceOwner) -> OutputItems {
    let mut spoken = OutputItems::default();
    let (utterance, pcm) = spoken.audio(("a", 0), place, vec![0; 4_800]);
    assert_eq!((utterance, pcm.len()), (Utterance(0), 4_800));
    spoken
}

fn end(spoken: &OutputItems, played_ms: u64) -> Option<u64> {
    spoken.cut(Utterance(0), played_ms).map(|cut| cut.audio_end_ms)
}

#[test]
fn what_was_not_heard_is_cut_off() {
    let mut spoken = spoken(UtteranceOwner::Conversation);
    assert_eq!(end(&spoken, 40), Some(40));
    assert_eq!(end(&spoken, 400), Some(100));
    spoken.delivered();
    assert_eq!((end(&spoken, 0), end(&spoken, 99)), (Some(0), Some(99)));
    assert_eq!((end(&spoken, 100), end(&spoken, u64::MAX)), (None, None));
}

#[test]
fn nothing_is_cut_off_beside_the_conversation_or_of_the_unknown() {
    assert_eq!(end(&spoken(UtteranceOwner::OutOfBand), 40), None);
    assert_eq!(spoken(UtteranceOwner::Conversation).cut(Utterance(7), 1), None);
}

#[test]
fn every_item_and_part_is_an_utterance() {
    let mut spoken = spoken(UtteranceOwner::Conversation);
    let mut next =
        |item, index| spoken.audio((item, index), UtteranceOwner::Conversation, vec![0; 2]).0.0;
    assert_eq!([next("a", 0), next("a", 1), next("b", 0), next("b", 0)], [0, 1, 2, 2]);
}

#[test]
fn memory_is_bounded() {
    let mut spoken = OutputItems::default();
    for n in 0..1_000 {
        spoken.audio((&n.to_string(), 0), UtteranceOwner::Conversation, vec![0; 480]);
        spoken.words(&"word ".repeat(100));
    }
    assert_eq!(spoken.utterances.len(), MAX_UTTERANCES);
    assert!(spoken.take_words().unwrap().len() <= 64 * 1024);
    assert_eq!(spoken.cut(Utterance(999), 5).unwrap().item_id, "999");
}
