//! Recorded people, through the whole path of the microphone.

use super::*;

#[test]
fn recordings_are_understood() {
    let (mut wrong, mut all) = (0, 0);
    for (samples, text) in recordings() {
        let sound = [silence(0.5), samples, silence(1.5)].concat();
        let found = finals(&heard(&sound)).join(" ");
        let (expected, found) = (words(&text), words(&found));
        wrong += errors(&expected, &found);
        all += expected.len();
        eprintln!("{}\n  {}", expected.join(" "), found.join(" "));
    }
    eprintln!("{wrong} of {all} words");
    assert!(wrong * 10 <= all, "{wrong} of {all} words are wrong");
}

#[test]
fn an_utterance_has_its_events_in_order() {
    let sound =
        [silence(0.6), said("What is the refund policy for customers in Europe?"), silence(1.5)];
    let heard = heard(&sound.concat());
    assert_eq!(heard.first(), Some(&Heard::SpeechStarted));
    assert!(heard.iter().any(|heard| matches!(heard, Heard::Interim(_))), "{heard:?}");
    let end = heard.iter().position(|heard| *heard == Heard::SpeechEnded).unwrap();
    assert!(matches!(&heard[end + 1..], [Heard::Final(_)]), "{heard:?}");
}

/// The network may end before the first word on clear speech; a short answer must come through.
#[test]
fn short_answers_are_heard() {
    for (sentence, word) in
        [("Yes.", "yes"), ("No.", "no"), ("Yes, please.", "yes"), ("No, wait.", "no")]
    {
        let heard = heard(&[silence(0.5), said(sentence), silence(1.6)].concat());
        let text = finals(&heard).join(" ").to_lowercase();
        assert!(text.contains(word), "{sentence}: {heard:?}");
    }
}

#[test]
fn a_pause_inside_a_sentence_does_not_end_it() {
    let sound = [
        silence(0.5),
        said("I would like to meet with"),
        silence(0.3),
        said("the people from sales."),
        silence(1.6),
    ];
    let heard = heard(&sound.concat());
    assert_eq!(finals(&heard).len(), 1, "{heard:?}");
}

#[test]
fn two_sentences_with_a_long_pause_are_two_utterances() {
    let sound =
        [silence(0.5), said("Good morning."), silence(1.6), said("What time is it?"), silence(1.6)];
    assert_eq!(finals(&heard(&sound.concat())).len(), 2);
}

#[test]
fn turning_the_microphone_off_ends_the_utterance() {
    let mut listener = Listener::new(engine(), Format::default());
    let mut heard = Vec::new();
    let sound = [silence(0.4), said("Where is the spare key?")].concat();
    listener.push(&to_pcm16(&sound), &mut heard).unwrap();
    listener.end(&mut heard).unwrap();
    assert!(matches!(heard.last(), Some(Heard::Final(_))), "{heard:?}");
}

#[test]
fn eight_kilohertz_and_stereo_are_understood() {
    let sentence = "The meeting begins at noon.";
    let sound = [silence(0.4), said(sentence), silence(1.6)].concat();
    let mut narrow = Vec::new();
    Resampler::new(16_000, 8_000).push(&sound, &mut narrow);
    let stereo: Vec<f32> = narrow.iter().flat_map(|sample| [*sample, *sample]).collect();
    let mut listener = Listener::new(engine(), Format { rate: 8_000, channels: 2 });
    let mut heard = Vec::new();
    for frame in to_pcm16(&stereo).chunks(333) {
        listener.push(frame, &mut heard).unwrap();
    }
    let found = words(&finals(&heard).join(" "));
    assert!(errors(&words(sentence), &found) <= 1, "{heard:?}");
}
