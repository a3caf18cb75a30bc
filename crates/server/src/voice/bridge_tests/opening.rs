//! A message that was kept for the model to say, questions that are answered in writing, and words that
//! are not asked again.

use aileron_contract::envelope::ConfirmationRequest;

use super::*;

#[test]
fn a_kept_message_is_looked_for_once_when_the_provider_is_ready() {
    let mut bridge = bridge(Support::No);
    bridge.on_event(READY, 0);
    assert_eq!(bridge.take_acts()[1..], [Act::TakeOpening]);
    bridge.on_notice(ConnectionNotice::Interrupted { attempt: 1, delay: Default::default() }, 1);
    bridge.on_event(READY, 2);
    assert!(!bridge.take_acts().contains(&Act::TakeOpening));
}

#[test]
fn an_opening_is_asked_for_at_once_and_begins_no_turn() {
    let mut bridge = ready(Support::No);
    // The microphone is open already.
    bridge.on_audio(5);
    bridge.on_pending_message("Here I am.".into(), 10);
    assert_eq!(bridge.take_acts(), [Act::Order(Order::Open("Here I am.".into()))]);
    bridge.on_event(audio(SECOND), 20);
    assert_eq!(bridge.take_acts(), [Act::Play(vec![0; SECOND])]);
    bridge.on_event(finished(), 30);
    bridge.take_acts();
    bridge.on_event(words(Speaker::Person, "hello"), 40);
    let input = TurnInput::Spoken { text: "hello".into(), began_ms: 30 };
    assert_eq!(bridge.take_acts()[0], Act::Turn(input));
}

#[test]
fn a_message_that_is_kept_while_a_reply_is_awaited_is_said_after_it() {
    let mut bridge = ready(Support::Yes);
    bridge.on_message(Up::Text { text: "hi".into() }, 0);
    bridge.take_acts();
    bridge.on_pending_message("One thing.".into(), 1);
    assert_eq!(bridge.take_acts(), []);
    bridge.on_event(audio(2), 2);
    bridge.on_event(Event::TurnComplete(TurnEnd::Interrupted), 3);
    assert!(!bridge.take_acts().contains(&Act::Order(Order::Open("One thing.".into()))));
    bridge.on_event(finished(), 4);
    let acts = bridge.take_acts();
    assert_eq!(acts.last(), Some(&Act::Order(Order::Open("One thing.".into()))));
}

#[test]
fn words_that_are_not_asked_again_are_told_and_end_the_turn() {
    let mut bridge = ready(Support::No);
    bridge.on_message(Up::Text { text: "hi".into() }, 0);
    bridge.take_acts();
    bridge.on_notice(ConnectionNotice::Interrupted { attempt: 3, delay: Default::default() }, 1);
    bridge.take_acts();
    bridge.on_notice(ConnectionNotice::Unanswered, 1);
    let told = "the voice did not finish its reply: several connections to it were lost before it \
                replied; please try again";
    let error = Act::Tell(Down::error(ErrorCode::ReplyFailed, told));
    assert_eq!(bridge.take_acts(), [error, Act::Tell(Down::TurnComplete)]);
}

fn question() -> Happened {
    let request = json!({
        "token": "v1.abc.def", "expires": 1, "tool": "send", "args": {}, "preview": "Send it",
    });
    let request: ConfirmationRequest = serde_json::from_value(request).unwrap();
    Happened::ConfirmationRequested(Box::new(request))
}

/// How often the question is shown again and the person is told how to answer it.
fn reminded(text: &str) -> (usize, usize) {
    let mut bridge = ready(Support::No);
    bridge.on_happening(question(), 0);
    bridge.take_acts();
    bridge.on_message(Up::Text { text: text.into() }, 1);
    let acts = bridge.take_acts();
    let again =
        |act: &&Act| matches!(act, Act::Tell(Down::ConfirmationRequest(shown)) if shown.again);
    let told = |act: &&Act| {
        matches!(act, Act::Tell(Down::Error { code: ErrorCode::ConfirmationPending, .. }))
    };
    assert!(acts.contains(&Act::Order(Order::Text(text.into()))), "the model is told all the same");
    (acts.iter().filter(again).count(), acts.iter().filter(told).count())
}

#[test]
fn a_yes_in_writing_approves_nothing_and_is_told_so() {
    assert_eq!(reminded("yes"), (1, 1));
    assert_eq!(reminded("no, stop"), (0, 0));
    assert_eq!(reminded("what would it cost?"), (0, 0));
    let mut bridge = ready(Support::No);
    bridge.on_message(Up::Text { text: "yes".into() }, 1);
    let typed = TurnInput::Typed { text: "yes".into() };
    let acts = [Act::Turn(typed), Act::Order(Order::Text("yes".into()))];
    assert_eq!(bridge.take_acts(), acts);
}
