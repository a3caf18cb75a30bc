//! Which messages are dropped, in which order, and which never are.

use super::*;

fn drain(outbox: &mut Outbox) -> Vec<String> {
    let shown = |message| match message {
        QueuedMessage::Words(text) => text,
        QueuedMessage::Audio(pcm) => format!("audio {}", pcm[0]),
        QueuedMessage::Ping => "ping".into(),
        QueuedMessage::Close(code, _) => format!("close {code}"),
    };
    std::iter::from_fn(|| outbox.next()).map(shown).collect()
}

const INTERRUPTED: &str = r#"{"type":"interrupted"}"#;

#[test]
fn what_goes_in_comes_out_in_order() {
    let mut outbox = Outbox::new(100);
    outbox.play(vec![1; 10]);
    assert_eq!(outbox.push_message(&VoiceServerMessage::Interrupted), OutboxRoom::Left);
    outbox.ping();
    outbox.play(vec![2; 10]);
    outbox.close(1000, "");
    assert_eq!(drain(&mut outbox), [INTERRUPTED, "ping", "close 1000"]);
    assert!(outbox.is_empty());
}

#[test]
fn a_slow_client_loses_the_oldest_audio_and_no_words() {
    let mut outbox = Outbox::new(30);
    for n in 0..5 {
        outbox.play(vec![n; 10]);
        outbox.push_message(&VoiceServerMessage::Interrupted);
    }
    let left = [INTERRUPTED, INTERRUPTED, "audio 2", INTERRUPTED, "audio 3", INTERRUPTED];
    let left = left.into_iter().chain(["audio 4", INTERRUPTED]);
    assert_eq!(drain(&mut outbox), left.collect::<Vec<_>>());
    assert_eq!((outbox.dropped(), outbox.audio, outbox.words), (2, 0, 0));
}

#[test]
fn stale_audio_is_forgotten_at_once_and_does_not_count_as_dropped() {
    let mut outbox = Outbox::new(30);
    outbox.play(vec![1; 10]);
    outbox.push_message(&VoiceServerMessage::TurnComplete);
    outbox.play(vec![2; 12]);
    assert_eq!((outbox.clear_audio(), outbox.clear_audio()), (22, 0));
    assert_eq!(drain(&mut outbox), [r#"{"type":"turn_complete"}"#]);
    assert_eq!(outbox.dropped(), 0);
}

#[test]
fn a_client_that_takes_no_words_has_no_room_left() {
    let mut outbox = Outbox::new(30);
    let message =
        VoiceServerMessage::error(super::super::protocol::ErrorCode::BadMessage, "x".repeat(1000));
    let taken =
        (0..10_000).take_while(|_| outbox.push_message(&message) == OutboxRoom::Left).count();
    assert!((900..1100).contains(&taken), "{taken}");
}

#[test]
fn a_piece_larger_than_the_room_is_dropped_alone() {
    let mut outbox = Outbox::new(5);
    outbox.play(vec![1; 10]);
    assert_eq!((outbox.dropped(), outbox.is_empty()), (1, true));
}
