//! Replies that do not come, do not end, or are no longer wanted.

use aileron_contract::transport::FaultSubject;

use super::*;

const OVERDUE: VoiceAction = VoiceAction::CommandProvider(ProviderCommand::TurnOverdue);

fn stopped() -> ProviderEvent {
    ProviderEvent::TurnComplete(TurnEnd::Stopped("rate_limit_exceeded".into()))
}

#[test]
fn the_end_of_a_turn_is_presumed_once_its_reply_was_played() {
    let mut logic = ready(Support::No);
    logic.on_message(VoiceClientMessage::Text { text: "hi".into() }, 0);
    logic.on_provider_event(audio(3 * SECOND), 100);
    logic.on_provider_event(ProviderEvent::GenerationComplete, 110);
    logic.take_actions();
    assert_eq!(logic.due(), 5100);
    logic.on_time(5099);
    assert_eq!(logic.take_actions(), []);
    logic.on_time(5100);
    assert_eq!(logic.take_actions(), [OVERDUE]);
    logic.on_provider_event(finished(), 5101);
    assert_eq!(logic.due(), 5101 + VoiceSessionLimits::default().idle_ms);
}

#[test]
fn nothing_is_presumed_while_a_call_runs() {
    let mut logic = ready(Support::No);
    logic.on_provider_event(calls(&["call-1"]), 0);
    logic.on_provider_event(ProviderEvent::GenerationComplete, 0);
    logic.take_actions();
    logic.on_time(60_000);
    assert_eq!(logic.take_actions(), []);
    logic.on_answers(vec![result("call-1", json!(0))], 60_000);
    logic.take_actions();
    logic.on_time(62_000);
    assert_eq!(logic.take_actions(), [OVERDUE]);
}

#[test]
fn a_reply_that_the_provider_stopped_is_told_in_our_words() {
    let mut logic = ready(Support::Yes);
    logic.on_message(VoiceClientMessage::Text { text: "hi".into() }, 0);
    logic.take_actions();
    let fault = ProviderFault {
        severity: Severity::Ignore,
        code: "rate_limit_exceeded".into(),
        message: "org-secret has used all".into(),
        reason: "too much in too little time",
        about: FaultSubject::Reply,
    };
    logic.on_provider_event(ProviderEvent::Fault(fault), 1);
    logic.on_provider_event(stopped(), 2);
    let told = "the voice did not finish its reply: too much in too little time; please try again";
    let error = VoiceAction::SendMessage(VoiceServerMessage::error(ErrorCode::ReplyFailed, told));
    assert_eq!(
        logic.take_actions(),
        [error, VoiceAction::SendMessage(VoiceServerMessage::TurnComplete)]
    );
    logic.on_provider_event(stopped(), 3);
    let told = "the voice did not finish its reply; please say it again, or otherwise";
    let error = VoiceAction::SendMessage(VoiceServerMessage::error(ErrorCode::ReplyFailed, told));
    assert_eq!(logic.take_actions()[0], error);
}

#[test]
fn the_interrupt_button_mutes_a_reply_that_has_not_begun() {
    let mut logic = ready(Support::No);
    logic.on_message(VoiceClientMessage::Text { text: "hi".into() }, 0);
    logic.take_actions();
    logic.on_message(VoiceClientMessage::Interrupt {}, 10);
    assert_eq!(logic.take_actions(), pressed(0));
    logic.on_provider_event(audio(SECOND), 20);
    logic.on_provider_event(ProviderEvent::Audio { utterance: Utterance(1), pcm: vec![0; 2] }, 25);
    assert_eq!(logic.take_actions(), []);
    // The next reply is heard, but not the rest of the reply before.
    logic.on_message(VoiceClientMessage::Text { text: "again".into() }, 30);
    logic.take_actions();
    logic.on_provider_event(ProviderEvent::Audio { utterance: Utterance(1), pcm: vec![0; 2] }, 35);
    assert_eq!(logic.take_actions(), []);
    logic.on_provider_event(ProviderEvent::Audio { utterance: Utterance(2), pcm: vec![0; 2] }, 40);
    assert_eq!(logic.take_actions(), [VoiceAction::SendAudio(vec![0; 2])]);
}

#[test]
fn the_interrupt_button_means_nothing_where_nothing_is_awaited() {
    let mut logic = ready(Support::No);
    logic.on_message(VoiceClientMessage::Interrupt {}, 10);
    assert_eq!(logic.take_actions(), []);
    logic.on_message(VoiceClientMessage::Text { text: "hi".into() }, 20);
    logic.take_actions();
    logic.on_provider_event(audio(2), 30);
    assert_eq!(logic.take_actions(), [VoiceAction::SendAudio(vec![0; 2])]);
}

#[test]
fn a_turn_that_goes_on_over_another_connection_has_the_same_budget() {
    let mut logic = ready(Support::No);
    logic.on_provider_event(words(Speaker::Person, "what is atlas?"), 0);
    logic.on_provider_event(audio(SECOND), 10);
    logic.on_notice(ConnectionNotice::Interrupted { attempt: 0, delay: Default::default() }, 20);
    logic.on_provider_event(READY, 30);
    let told = logic.take_actions();
    assert!(matches!(
        &told[told.len() - 2..],
        [
            VoiceAction::SendMessage(VoiceServerMessage::Error {
                code: ErrorCode::Reconnecting,
                ..
            }),
            VoiceAction::SendMessage(VoiceServerMessage::Ready { .. })
        ]
    ));
    logic.on_provider_event(audio(SECOND), 40);
    assert_eq!(logic.take_actions(), [VoiceAction::SendAudio(vec![0; SECOND])]);
    logic.on_provider_event(finished(), 50);
    logic.take_actions();
    logic.on_provider_event(words(Speaker::Person, "and then?"), 60);
    let input = TurnInput::Spoken { text: "and then?".into(), began_ms: 50 };
    assert_eq!(logic.take_actions()[0], VoiceAction::BeginTurn(input));
}
