//! Audio gives way, nothing else does.

use super::*;

fn texts(outbox: &mut Outbox) -> Vec<String> {
    std::iter::from_fn(|| outbox.next())
        .map(|message| message.into_text().unwrap().to_string())
        .collect()
}

#[test]
fn old_audio_is_dropped_before_anything_else_and_counted() {
    let mut outbox = Outbox::default();
    for n in 0..400 {
        outbox.push(Load::Audio, format!("a{n}"));
        outbox.push(Load::Control, format!("c{n}"));
    }
    assert_eq!(outbox.dropped(), 150);
    let sent = texts(&mut outbox);
    assert_eq!(sent.iter().filter(|text| text.starts_with('c')).count(), 400);
    let audio: Vec<_> = sent.iter().filter(|text| text.starts_with('a')).collect();
    assert_eq!((audio.len(), audio[0].as_str()), (250, "a150"));
    outbox.push(Load::Audio, "more".into());
    assert_eq!((outbox.dropped(), texts(&mut outbox).len()), (150, 1));
}

#[test]
fn what_is_taken_leaves_the_count() {
    let mut outbox = Outbox::default();
    outbox.push(Load::Audio, "a".into());
    outbox.drop_audio();
    assert_eq!(texts(&mut outbox.take()), ["a"]);
    assert!(outbox.is_empty() && outbox.dropped() == 1);
}
