//! Audio is dropped if necessary, and no other message.

use super::*;

fn texts(outbox: &mut Outbox) -> Vec<String> {
    let text = |message| match message {
        QueuedMessage::Audio(text) | QueuedMessage::Control(text) => text,
        QueuedMessage::Ping => "ping".to_owned(),
    };
    std::iter::from_fn(|| outbox.next()).map(text).collect()
}

#[test]
fn old_audio_is_dropped_before_anything_else_and_counted() {
    let mut outbox = Outbox::default();
    for n in 0..400 {
        outbox.push(MessageLoad::Audio, format!("a{n:01535}"));
        outbox.push(MessageLoad::Control, format!("c{n:09999}"));
    }
    assert_eq!(outbox.dropped(), 400 - 256);
    let sent = texts(&mut outbox);
    assert_eq!(sent.iter().filter(|text| text.starts_with('c')).count(), 400);
    let audio: Vec<_> = sent.iter().filter(|text| text.starts_with('a')).collect();
    assert!(audio.len() == 256 && audio[0].ends_with("0144"), "{}", audio[0]);
    outbox.push(MessageLoad::Audio, "more".into());
    assert_eq!((outbox.dropped(), texts(&mut outbox).len()), (144, 1));
}

#[test]
fn a_large_piece_takes_the_place_of_many_small_ones() {
    let mut outbox = Outbox::default();
    (0..256).for_each(|_| outbox.push(MessageLoad::Audio, "a".repeat(1536)));
    outbox.push(MessageLoad::Audio, "b".repeat(10 * 1536));
    assert_eq!(outbox.dropped(), 10);
    outbox.push(MessageLoad::Audio, "c".repeat(2 * MAX_AUDIO_BYTES));
    assert_eq!(texts(&mut outbox).len(), 1);
    outbox.push(MessageLoad::Audio, "d".into());
    assert_eq!(texts(&mut outbox), ["d"]);
}

#[test]
fn what_is_taken_leaves_the_count() {
    let mut outbox = Outbox::default();
    outbox.push(MessageLoad::Audio, "a".into());
    outbox.drop_audio();
    assert_eq!(texts(&mut outbox.take()), ["a"]);
    assert!(outbox.is_empty() && outbox.dropped() == 1);
    outbox.push(MessageLoad::Audio, "a".into());
    outbox.push(MessageLoad::Control, "c".into());
    outbox.discard();
    assert!(outbox.is_empty() && outbox.dropped() == 2);
}
