//! Sent chunks, their order and pace.

use super::*;
use crate::speech::Tones;

fn delivery(late_end: Duration) -> Delivery {
    Delivery::new(Arc::new(Tones), late_end)
}

fn say(text: &str) -> ModelAction {
    ModelAction::Say(text.to_owned())
}

fn call() -> ModelAction {
    ModelAction::Call(vec![PlannedCall {
        id: None,
        name: "echo".to_owned(),
        args: Default::default(),
    }])
}

fn shown(steps: Vec<ModelAction>, after: AfterCalls) -> String {
    shown_by(delivery(Duration::ZERO), steps, after)
}

fn shown_by(mut delivery: Delivery, steps: Vec<ModelAction>, after: AfterCalls) -> String {
    delivery.load(steps, after);
    let pieces = std::iter::from_fn(|| delivery.next());
    let words: Vec<_> = pieces
        .map(|piece| match piece {
            OutputChunk::Thought(text) => format!("({text})"),
            OutputChunk::Spoken(spoken) => spoken.text,
            OutputChunk::Calls(calls) => format!("<{}>", calls.len()),
            OutputChunk::Between => "/".to_owned(),
            OutputChunk::Generated => "|".to_owned(),
            OutputChunk::End => ".".to_owned(),
        })
        .collect();
    words.concat()
}

#[test]
fn a_turn_is_words_and_an_end() {
    assert_eq!(shown(vec![say("It is  late")], AfterCalls::Wait), "It is late|.");
    assert_eq!(shown(vec![say("Yes."), say("It is.")], AfterCalls::Wait), "Yes. It is.|.");
    assert_eq!(shown(Vec::new(), AfterCalls::Wait), "|.");
}

#[test]
fn each_sentence_can_be_a_turn() {
    let several = || delivery(Duration::ZERO).in_several_turns();
    let steps = vec![say("One. Two."), say("Three."), call()];
    assert_eq!(shown_by(several(), steps, AfterCalls::Wait), "One./ Two./ Three.<1>");
    assert_eq!(shown_by(several(), vec![say("One.")], AfterCalls::Wait), "One.|.");
}

#[test]
fn the_model_waits_for_its_first_calls() {
    let steps = || vec![say("Wait."), call(), say("Never said.")];
    assert_eq!(shown(steps(), AfterCalls::Wait), "Wait.<1>");
    assert_eq!(shown(steps(), AfterCalls::End), "Wait.<1>|.");
}

#[test]
fn an_end_can_be_late_or_held_back() {
    let late = Duration::from_millis(70);
    let mut delivery = delivery(late);
    delivery.load(Vec::new(), AfterCalls::Wait);
    delivery.hold(HoldBack::Generated);
    assert_eq!(delivery.next_in(SpeechPace::Fast), None);
    delivery.hold(HoldBack::TurnEnd);
    assert_eq!(delivery.next_in(SpeechPace::Fast), Some(Duration::ZERO));
    assert_eq!(delivery.next(), Some(OutputChunk::Generated));
    assert_eq!(delivery.next_in(SpeechPace::Fast), None);
    delivery.hold(HoldBack::Nothing);
    assert_eq!(delivery.next_in(SpeechPace::Fast), Some(late));
}

#[test]
fn in_real_time_a_piece_waits_until_the_one_before_was_heard() {
    let mut delivery = delivery(Duration::ZERO);
    delivery.load(vec![say("one two")], AfterCalls::Wait);
    delivery.next();
    delivery.sounds_for(60);
    assert_eq!(delivery.next_in(SpeechPace::RealTime), Some(Duration::from_millis(60)));
    assert_eq!(delivery.next_in(SpeechPace::Fast), Some(Duration::ZERO));
}
