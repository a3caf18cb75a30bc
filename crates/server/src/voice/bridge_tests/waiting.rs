//! Replies that do not come, do not end, or are not wanted any more.

use aileron_contract::transport::About;

use super::*;

const OVERDUE: Act = Act::Order(Order::TurnOverdue);

fn stopped() -> Event {
    Event::TurnComplete(TurnEnd::Stopped("rate_limit_exceeded".into()))
}

#[test]
fn the_end_of_a_turn_is_presumed_once_its_reply_was_played() {
    let mut bridge = ready(Support::No);
    bridge.on_message(Up::Text { text: "hi".into() }, 0);
    bridge.on_event(audio(3 * SECOND), 100);
    bridge.on_event(Event::GenerationComplete, 110);
    bridge.take_acts();
    assert_eq!(bridge.due(), 5100);
    bridge.on_time(5099);
    assert_eq!(bridge.take_acts(), []);
    bridge.on_time(5100);
    assert_eq!(bridge.take_acts(), [OVERDUE]);
    bridge.on_event(finished(), 5101);
    assert_eq!(bridge.due(), 5101 + Limits::default().idle_ms);
}

#[test]
fn nothing_is_presumed_while_a_call_runs() {
    let mut bridge = ready(Support::No);
    bridge.on_event(calls(&["call-1"]), 0);
    bridge.on_event(Event::GenerationComplete, 0);
    bridge.take_acts();
    bridge.on_time(60_000);
    assert_eq!(bridge.take_acts(), []);
    bridge.on_answers(vec![result("call-1", json!(0))], 60_000);
    bridge.take_acts();
    bridge.on_time(62_000);
    assert_eq!(bridge.take_acts(), [OVERDUE]);
}

#[test]
fn a_reply_that_the_provider_stopped_is_told_in_our_words() {
    let mut bridge = ready(Support::Yes);
    bridge.on_message(Up::Text { text: "hi".into() }, 0);
    bridge.take_acts();
    let fault = Fault {
        severity: Severity::Ignore,
        code: "rate_limit_exceeded".into(),
        message: "org-secret has used all".into(),
        reason: "too much in too little time",
        about: About::Reply,
    };
    bridge.on_event(Event::Fault(fault), 1);
    bridge.on_event(stopped(), 2);
    let told = "the voice did not finish its reply: too much in too little time; please try again";
    let error = Act::Tell(Down::error(ErrorCode::ReplyFailed, told));
    assert_eq!(bridge.take_acts(), [error, Act::Tell(Down::TurnComplete)]);
    bridge.on_event(stopped(), 3);
    let told = "the voice did not finish its reply; please say it again, or otherwise";
    let error = Act::Tell(Down::error(ErrorCode::ReplyFailed, told));
    assert_eq!(bridge.take_acts()[0], error);
}

#[test]
fn the_interrupt_button_mutes_a_reply_that_has_not_begun() {
    let mut bridge = ready(Support::No);
    bridge.on_message(Up::Text { text: "hi".into() }, 0);
    bridge.take_acts();
    bridge.on_message(Up::Interrupt {}, 10);
    assert_eq!(bridge.take_acts(), pressed(0));
    bridge.on_event(audio(SECOND), 20);
    bridge.on_event(Event::Audio { utterance: Utterance(1), pcm: vec![0; 2] }, 25);
    assert_eq!(bridge.take_acts(), []);
    // What is asked next is heard, but not what is left of the reply before.
    bridge.on_message(Up::Text { text: "again".into() }, 30);
    bridge.take_acts();
    bridge.on_event(Event::Audio { utterance: Utterance(1), pcm: vec![0; 2] }, 35);
    assert_eq!(bridge.take_acts(), []);
    bridge.on_event(Event::Audio { utterance: Utterance(2), pcm: vec![0; 2] }, 40);
    assert_eq!(bridge.take_acts(), [Act::Play(vec![0; 2])]);
}

#[test]
fn the_interrupt_button_means_nothing_where_nothing_is_awaited() {
    let mut bridge = ready(Support::No);
    bridge.on_message(Up::Interrupt {}, 10);
    assert_eq!(bridge.take_acts(), []);
    bridge.on_message(Up::Text { text: "hi".into() }, 20);
    bridge.take_acts();
    bridge.on_event(audio(2), 30);
    assert_eq!(bridge.take_acts(), [Act::Play(vec![0; 2])]);
}

#[test]
fn a_turn_that_goes_on_over_another_connection_has_the_same_budget() {
    let mut bridge = ready(Support::No);
    bridge.on_event(words(Speaker::Person, "what is atlas?"), 0);
    bridge.on_event(audio(SECOND), 10);
    bridge.on_notice(ConnectionNotice::Interrupted { attempt: 0, delay: Default::default() }, 20);
    bridge.on_event(READY, 30);
    let told = bridge.take_acts();
    assert!(matches!(
        &told[told.len() - 2..],
        [
            Act::Tell(Down::Error { code: ErrorCode::Reconnecting, .. }),
            Act::Tell(Down::Ready { .. })
        ]
    ));
    bridge.on_event(audio(SECOND), 40);
    assert_eq!(bridge.take_acts(), [Act::Play(vec![0; SECOND])]);
    bridge.on_event(finished(), 50);
    bridge.take_acts();
    bridge.on_event(words(Speaker::Person, "and then?"), 60);
    let input = TurnInput::Spoken { text: "and then?".into(), began_ms: 50 };
    assert_eq!(bridge.take_acts()[0], Act::Turn(input));
}
