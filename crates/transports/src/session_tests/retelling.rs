//! The inputs that the next connection receives again: questions without a complete answer, once,
//! and the results of tools.

use aileron_contract::transport::Speaker::{Model, Person};

use super::*;

fn said(by: Speaker, text: &str, stage: TranscriptStage) -> ProviderEvent {
    ProviderEvent::Transcript { by, text: text.into(), stage }
}

fn asked(text: &str) -> ProviderEvent {
    said(Person, text, TranscriptStage::Final)
}

/// Loses the connection and makes another one ready; returns its inputs and its initial history.
#[track_caller]
fn reconnect(life: &mut Life) -> (Vec<String>, Vec<String>) {
    life.session.on(SessionInput::Event(&closed()), jitter());
    over(life)
}

/// The next connection is ready.
#[track_caller]
fn over(life: &mut Life) -> (Vec<String>, Vec<String>) {
    life.session.connect();
    let history = life.session.setup().history.into_iter().map(|said| said.text).collect();
    let told = life.session.on(SessionInput::Event(&ready_event()), jitter()).into_iter();
    let told = told.flat_map(|action| match action {
        Action::Deliver(held) => held.into_iter().map(|held| word(&held)).collect(),
        _ => Vec::new(),
    });
    (told.collect(), history)
}

fn word(held: &DeferredInput) -> String {
    match held {
        DeferredInput::Text(text) => text.clone(),
        DeferredInput::Result(result) => format!("result {}", result.call_id),
        DeferredInput::Opening(sentence) => format!("opening {sentence}"),
    }
}

#[test]
fn a_spoken_question_whose_answer_was_cut_off_is_told_in_words() {
    let mut life = Life::ready();
    life.event(&asked("hello"), "", Ready);
    life.event(&said(Model, "Hi.", TranscriptStage::Final), "", Ready);
    life.event(&turn_complete(), "", Ready);
    life.event(&asked("what is Atlas?"), "", Ready);
    life.event(&audio(), "", Ready);
    life.event(&said(Model, "Atlas is", TranscriptStage::Final), "", Ready);
    let (told, history) = reconnect(&mut life);
    assert_eq!(
        (told, history),
        (vec!["what is Atlas?".into()], vec!["hello".into(), "Hi.".into()])
    );
    // Once the answer is complete, it is history.
    life.event(&audio(), "", Ready);
    life.event(&said(Model, "Atlas is a film.", TranscriptStage::Final), "", Ready);
    life.event(&turn_complete(), "", Ready);
    let (told, history) = reconnect(&mut life);
    assert_eq!(told, [""; 0]);
    assert_eq!(history, ["hello", "Hi.", "what is Atlas?", "Atlas is a film."]);
}

#[test]
fn a_question_that_the_person_talked_over_is_not_answered_anew() {
    let mut life = Life::ready();
    for event in [
        asked("what is Atlas?"),
        audio(),
        said(Model, "Atlas is", TranscriptStage::Final),
        ProviderEvent::Interrupted,
        ProviderEvent::TurnComplete(TurnEnd::Interrupted),
        asked("never mind, what is Kite?"),
    ] {
        life.event(&event, "", Ready);
    }
    let (told, history) = reconnect(&mut life);
    assert_eq!(told, ["never mind, what is Kite?"]);
    assert_eq!(history, ["what is Atlas?", "Atlas is"]);
}

#[test]
fn a_text_that_cut_the_model_short_is_told_although_its_turn_ended() {
    let mut life = Life::ready();
    life.check(SessionInput::Hold(&[DeferredInput::Text("one".into())]), "deliver 1", Ready);
    life.event(&audio(), "", Ready);
    life.check(SessionInput::Hold(&[DeferredInput::Text("two".into())]), "deliver 1", Ready);
    // The part of the first reply that was in flight.
    life.event(&audio(), "", Ready);
    life.event(&ProviderEvent::Interrupted, "", Ready);
    life.event(&ProviderEvent::TurnComplete(TurnEnd::Interrupted), "", Ready);
    assert_eq!(reconnect(&mut life).0, ["two"]);
}

#[test]
fn what_was_written_over_a_sentence_is_history_after_it() {
    let mut life = Life::ready();
    life.event(&said(Model, "Atlas", TranscriptStage::Delta), "", Ready);
    life.check(SessionInput::Hold(&[DeferredInput::Text("stop".into())]), "deliver 1", Ready);
    life.event(&asked("what is Atlas?"), "", Ready);
    life.event(&said(Model, "Atlas is", TranscriptStage::Final), "", Ready);
    life.event(&ProviderEvent::Interrupted, "", Ready);
    life.event(&said(Model, "As", TranscriptStage::Delta), "", Ready);
    life.event(&asked("please"), "", Ready);
    life.event(&said(Model, "As you wish.", TranscriptStage::Final), "", Ready);
    life.event(&turn_complete(), "", Ready);
    let history = reconnect(&mut life).1;
    assert_eq!(history, ["Atlas is", "stop", "what is Atlas?", "please", "As you wish."]);
}

#[test]
fn words_that_come_after_their_answer_are_not_asked_again() {
    let mut life = Life::ready();
    for event in [ProviderEvent::SpeechStarted, audio(), turn_complete(), asked("what is Atlas?")] {
        life.event(&event, "", Ready);
    }
    let (told, history) = reconnect(&mut life);
    assert_eq!((told, history), (vec![], vec!["what is Atlas?".into()]));
}

#[test]
fn answers_of_tools_are_part_of_what_was_said() {
    let mut life = Life::ready();
    life.event(&asked("is it warm?"), "", Ready);
    life.event(&called("call_1"), "", Ready);
    life.check(SessionInput::Hold(&[DeferredInput::Result(sunny("call_1"))]), "deliver 1", Ready);
    life.event(&said(Model, "It is.", TranscriptStage::Final), "", Ready);
    life.event(&turn_complete(), "", Ready);
    let (told, history) = reconnect(&mut life);
    assert_eq!((told.len(), history.len()), (0, 3), "{history:?}");
    assert!(history[1].contains("Earlier") && history[1].contains("21"), "{history:?}");
}

#[test]
fn an_answer_that_may_be_lost_is_told_after_the_question_and_is_no_history() {
    let mut life = Life::ready();
    life.event(&asked("is it warm?"), "", Ready);
    life.event(&called("call_1"), "", Ready);
    life.check(SessionInput::Hold(&[DeferredInput::Result(sunny("call_1"))]), "deliver 1", Ready);
    let (told, history) = reconnect(&mut life);
    assert_eq!((told, history), (vec!["is it warm?".into(), "result call_1".into()], vec![]));
}

#[test]
fn of_many_texts_to_a_provider_that_never_ends_a_turn_the_last_are_told_again() {
    let mut life = Life::ready();
    for n in 0..100 {
        life.check(SessionInput::Hold(&[DeferredInput::Text(n.to_string())]), "deliver 1", Ready);
        life.event(&ProviderEvent::Interrupted, "", Ready);
    }
    let wanted: Vec<_> = (68..100).map(|n| n.to_string()).collect();
    assert_eq!(reconnect(&mut life).0, wanted);
}

#[test]
fn an_answer_that_was_refused_is_told_once_more() {
    let mut life = Life::ready();
    life.event(&called("call_1"), "", Ready);
    life.check(SessionInput::Hold(&[DeferredInput::Result(sunny("call_1"))]), "deliver 1", Ready);
    let about = |id: &str| {
        let about = FaultSubject::Result(CallId::new(id).unwrap());
        ProviderEvent::Fault(ProviderFault { about, ..fault(Severity::Ignore) })
    };
    life.event(&about("call_1"), "deliver 1", Ready);
    life.event(&about("call_2"), "", Ready);
}

#[test]
fn a_provider_that_leaves_in_mid_reply_is_left_with_a_notice_and_asked_again() {
    let mut life = Life::ready();
    life.event(&asked("what is Atlas?"), "", Ready);
    life.event(&going_away(5), "wait 3000 ms", Draining);
    life.event(&audio(), "", Draining);
    life.waited("disconnect, interrupted 0, connect", Connecting);
    assert_eq!(over(&mut life).0, ["what is Atlas?"]);
}

#[test]
fn a_text_under_way_is_waited_for_before_the_provider_is_left() {
    let mut life = Life::ready();
    life.check(SessionInput::Hold(&[DeferredInput::Text("hi".into())]), "deliver 1", Ready);
    life.event(&going_away(5), "wait 3000 ms", Draining);
    life.event(&audio(), "", Draining);
    life.event(&turn_complete(), "disconnect, connect", Connecting);
    assert_eq!(over(&mut life).0, [""; 0]);
}
