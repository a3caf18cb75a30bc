//! The actions that follow from inputs, in every order that matters.

use std::sync::Arc;

use aileron_contract::intent::EndAfter;
use aileron_contract::transport::{
    Cancellation, ProviderEvent, ProviderFault, Severity, Speaker, Support, TranscriptStage,
    TurnEnd, Utterance,
};
use aileron_contract::{ConversationId, Intent, Mode, Outcome, Provider, ToolResponse};
use aileron_orchestrator::state::{StateEffect, StateEvent};
use aileron_orchestrator::{ConversationEvent as Happened, LateAnswer, Resolution};
use aileron_transports::session::ConnectionNotice;
use serde_json::json;

use super::action::ClosingMessages;
use super::*;
use crate::voice::protocol::{ErrorCode, Phase, TranscriptRole, VoiceClientMessage};
use crate::voice::samples::{call, id, registry, result, success};

#[path = "session_logic_tests/opening.rs"]
mod opening;
#[path = "session_logic_tests/waiting.rs"]
mod waiting;

const READY: ProviderEvent = ProviderEvent::Ready { session: None };
const SECOND: usize = 48_000;

fn capabilities(can: Support) -> Capabilities {
    Capabilities {
        declarations: Provider::OpenaiRealtime,
        cancellation: Cancellation::TakesBack,
        interrupt: can,
        truncate: can,
        say: can,
        scheduled_results: can,
        hears: can,
    }
}

fn logic(can: Support) -> VoiceSessionLogic {
    let ready_message = ReadyMessage {
        conversation_id: ConversationId::new("c").unwrap(),
        registry_version: "1.0.1".into(),
        tools: vec!["send".into()],
        provider: "p".into(),
        notes: Vec::new(),
    };
    VoiceSessionLogic::new(
        ready_message,
        capabilities(can),
        registry(),
        Grammar::english().clone(),
        VoiceSessionLimits::default(),
        0,
    )
}

/// The logic of a session with a ready provider, without pending actions.
fn ready(can: Support) -> VoiceSessionLogic {
    let mut logic = logic(can);
    logic.on_provider_event(READY, 0);
    logic.take_actions();
    logic
}

/// The actions of the interrupt button if the provider does not support truncation.
fn pressed(played_ms: u64) -> [VoiceAction; 4] {
    let order = VoiceAction::CommandProvider(ProviderCommand::Interrupt { played_ms });
    [
        order,
        VoiceAction::ClearPlayback,
        VoiceAction::Interrupt,
        VoiceAction::SendMessage(VoiceServerMessage::Interrupted),
    ]
}

fn words(by: Speaker, text: &str) -> ProviderEvent {
    ProviderEvent::Transcript { by, text: text.into(), stage: TranscriptStage::Final }
}

fn audio(bytes: usize) -> ProviderEvent {
    ProviderEvent::Audio { utterance: Utterance(0), pcm: vec![0; bytes] }
}

fn said(role: TranscriptRole, text: &str) -> VoiceAction {
    VoiceAction::SendMessage(VoiceServerMessage::Transcript {
        role,
        text: text.into(),
        r#final: true,
        replaces: false,
    })
}

fn finished() -> ProviderEvent {
    ProviderEvent::TurnComplete(TurnEnd::Finished)
}

fn calls(ids: &[&str]) -> ProviderEvent {
    let one = |(n, id): (usize, &&str)| call(id, "send", json!({ "n": n }));
    ProviderEvent::ToolCalls(ids.iter().enumerate().map(one).collect())
}

fn answered(intents: Vec<Intent>, data: serde_json::Value) -> Happened {
    let ToolResponse::Success { meta, .. } = (*success("call-1", json!(0))).clone() else {
        unreachable!()
    };
    let answer = Arc::new(ToolResponse::Success { data, intents, meta });
    Happened::Answered { outcome: Outcome::Completed, answer }
}

#[test]
fn the_client_is_greeted_once_the_provider_is_ready() {
    let mut logic = logic(Support::Yes);
    logic.on_provider_event(READY, 0);
    let actions = logic.take_actions();
    assert!(
        matches!(
            &actions[..],
            [
                VoiceAction::SendMessage(VoiceServerMessage::Ready { .. }),
                VoiceAction::TakePendingMessage
            ]
        ),
        "{actions:?}"
    );
    logic.on_provider_event(READY, 0);
    assert_eq!(logic.take_actions(), []);
}

#[test]
fn words_of_the_person_begin_a_turn_and_are_shown() {
    let mut logic = ready(Support::Yes);
    logic.on_provider_event(ProviderEvent::SpeechStarted, 10);
    logic.on_provider_event(words(Speaker::Person, "find ada"), 20);
    let input = TurnInput::Spoken { text: "find ada".into(), began_ms: 10 };
    assert_eq!(
        logic.take_actions(),
        [VoiceAction::BeginTurn(input), said(TranscriptRole::User, "find ada")]
    );
}

#[test]
fn a_call_before_its_words_is_made_in_a_turn_of_its_own() {
    let mut logic = ready(Support::Yes);
    logic.on_audio(0);
    logic.on_provider_event(calls(&["call-1"]), 10);
    let made = vec![call("call-1", "send", json!({ "n": 0 }))];
    assert_eq!(
        logic.take_actions(),
        [VoiceAction::BeginTurn(TurnInput::Written), VoiceAction::Call(made)]
    );
    logic.on_provider_event(words(Speaker::Person, "yes"), 20);
    let heard = VoiceAction::AddTranscript { text: "yes".into(), began_ms: 0 };
    assert_eq!(logic.take_actions(), [heard, said(TranscriptRole::User, "yes")]);
}

#[test]
fn a_call_before_the_person_did_anything_is_made_in_the_turn_that_there_was() {
    let mut logic = ready(Support::Yes);
    logic.on_provider_event(calls(&["call-1"]), 10);
    let made = vec![call("call-1", "send", json!({ "n": 0 }))];
    assert_eq!(logic.take_actions(), [VoiceAction::Call(made)]);
}

#[test]
fn what_is_written_begins_a_turn_and_is_passed_on() {
    let mut logic = ready(Support::Yes);
    logic.on_message(VoiceClientMessage::Text { text: "hi".into() }, 10);
    let typed = TurnInput::Typed { text: "hi".into() };
    let actions = [
        VoiceAction::BeginTurn(typed),
        VoiceAction::CommandProvider(ProviderCommand::Text("hi".into())),
    ];
    assert_eq!(logic.take_actions(), actions);
}

#[test]
fn a_barge_in_stops_everything_once() {
    let mut logic = ready(Support::Yes);
    logic.on_message(VoiceClientMessage::Text { text: "hi".into() }, 0);
    logic.on_provider_event(audio(2 * SECOND), 1000);
    logic.take_actions();
    logic.on_provider_event(ProviderEvent::SpeechStarted, 1500);
    logic.on_provider_event(ProviderEvent::Interrupted, 1501);
    let truncate = ProviderCommand::Truncate { utterance: Utterance(0), played_ms: 500 };
    let stopped = [
        VoiceAction::ClearPlayback,
        VoiceAction::CommandProvider(truncate),
        VoiceAction::Interrupt,
        VoiceAction::SendMessage(VoiceServerMessage::Interrupted),
    ];
    assert_eq!(logic.take_actions(), stopped);
}

#[test]
fn writing_cuts_a_reply_short_before_it_says_how_much_was_heard() {
    let mut logic = ready(Support::Yes);
    logic.on_message(VoiceClientMessage::Text { text: "hi".into() }, 0);
    logic.on_provider_event(audio(2 * SECOND), 1000);
    logic.take_actions();
    logic.on_message(VoiceClientMessage::Text { text: "stop".into() }, 1500);
    let truncate = ProviderCommand::Truncate { utterance: Utterance(0), played_ms: 500 };
    let actions = [
        VoiceAction::CommandProvider(ProviderCommand::Interrupt { played_ms: u64::MAX }),
        VoiceAction::ClearPlayback,
        VoiceAction::CommandProvider(truncate),
        VoiceAction::Interrupt,
        VoiceAction::SendMessage(VoiceServerMessage::Interrupted),
        VoiceAction::BeginTurn(TurnInput::Typed { text: "stop".into() }),
        VoiceAction::CommandProvider(ProviderCommand::Text("stop".into())),
    ];
    assert_eq!(logic.take_actions(), actions);
    // Nothing is left to be cut short.
    logic.on_message(VoiceClientMessage::Text { text: "now".into() }, 1600);
    let typed = TurnInput::Typed { text: "now".into() };
    let actions = [
        VoiceAction::BeginTurn(typed),
        VoiceAction::CommandProvider(ProviderCommand::Text("now".into())),
    ];
    assert_eq!(logic.take_actions(), actions);
}

#[test]
fn a_provider_that_cannot_truncate_is_not_asked_to() {
    let mut logic = ready(Support::No);
    logic.on_provider_event(audio(SECOND), 1000);
    logic.take_actions();
    logic.on_provider_event(ProviderEvent::Interrupted, 1500);
    assert_eq!(
        logic.take_actions(),
        [
            VoiceAction::ClearPlayback,
            VoiceAction::Interrupt,
            VoiceAction::SendMessage(VoiceServerMessage::Interrupted)
        ]
    );
}

#[test]
fn a_person_who_speaks_into_silence_interrupts_nothing() {
    let mut logic = ready(Support::Yes);
    logic.on_message(VoiceClientMessage::Text { text: "hi".into() }, 0);
    logic.on_provider_event(audio(SECOND), 0);
    logic.on_provider_event(finished(), 100);
    logic.take_actions();
    logic.on_provider_event(ProviderEvent::SpeechStarted, 5000);
    assert_eq!(logic.take_actions(), []);
}

#[test]
fn a_person_who_speaks_while_a_call_runs_interrupts_it() {
    let mut logic = ready(Support::Yes);
    logic.on_message(VoiceClientMessage::Text { text: "hi".into() }, 0);
    logic.on_provider_event(calls(&["call-1"]), 0);
    logic.take_actions();
    logic.on_provider_event(ProviderEvent::SpeechStarted, 10);
    assert!(logic.take_actions().contains(&VoiceAction::Interrupt));
}

#[test]
fn the_interrupt_button_mutes_a_provider_that_talks_on() {
    let mut logic = ready(Support::No);
    logic.on_provider_event(audio(SECOND), 0);
    logic.take_actions();
    logic.on_message(VoiceClientMessage::Interrupt {}, 10);
    assert_eq!(logic.take_actions(), pressed(10));
    logic.on_provider_event(audio(SECOND), 20);
    logic.on_provider_event(ProviderEvent::Audio { utterance: Utterance(1), pcm: vec![0; 2] }, 25);
    assert_eq!(logic.take_actions(), []);
    logic.on_provider_event(finished(), 30);
    logic.on_provider_event(ProviderEvent::Audio { utterance: Utterance(2), pcm: vec![0; 2] }, 30);
    assert!(logic.take_actions().contains(&VoiceAction::SendAudio(vec![0; 2])));
}

#[test]
fn calls_that_are_taken_back_are_cancelled() {
    let mut logic = ready(Support::Yes);
    logic.on_provider_event(calls(&["call-1"]), 0);
    logic.take_actions();
    logic.on_provider_event(ProviderEvent::CallsCancelled(vec![id("call-1")]), 0);
    assert_eq!(logic.take_actions(), [VoiceAction::Cancel(vec![id("call-1")])]);
    // Its result is still sent: the transport knows how to handle it.
    logic.on_answers(vec![result("call-1", json!(0))], 0);
    let told = ProviderCommand::Results(vec![result("call-1", json!(0))]);
    assert_eq!(logic.take_actions(), [VoiceAction::CommandProvider(told)]);
}

#[test]
fn a_call_made_again_after_a_drop_is_answered_and_not_made() {
    let mut logic = ready(Support::Yes);
    logic.on_provider_event(calls(&["call-1"]), 0);
    logic.on_answers(vec![result("call-1", json!("sent"))], 0);
    logic.on_notice(ConnectionNotice::Interrupted { attempt: 1, delay: Default::default() }, 5);
    logic.on_provider_event(READY, 6);
    logic.take_actions();
    logic.on_provider_event(calls(&["call-2"]), 7);
    let actions = logic.take_actions();
    let [VoiceAction::CommandProvider(ProviderCommand::Results(results))] = &actions[..] else {
        panic!("{actions:?}")
    };
    assert!(results[0].call_id == id("call-2") && results[0].response.meta().replayed);
    assert!(!logic.calls.has_open());
}

#[test]
fn a_lost_connection_is_told_and_so_is_its_return() {
    let mut logic = ready(Support::Yes);
    let lost = ConnectionNotice::Interrupted { attempt: 1, delay: Default::default() };
    logic.on_notice(lost.clone(), 0);
    logic.on_notice(lost, 0);
    let actions = logic.take_actions();
    assert!(
        matches!(
            &actions[..],
            [VoiceAction::SendMessage(VoiceServerMessage::Error {
                code: ErrorCode::Reconnecting,
                ..
            })]
        ),
        "{actions:?}"
    );
    logic.on_provider_event(READY, 0);
    logic.on_notice(ConnectionNotice::Restored, 0);
    assert!(matches!(
        &logic.take_actions()[..],
        [VoiceAction::SendMessage(VoiceServerMessage::Ready { .. })]
    ));
}

#[test]
fn a_first_connection_that_fails_is_told_once_and_so_is_the_one_that_holds() {
    let mut logic = logic(Support::Yes);
    for attempt in 0..3 {
        logic.on_notice(ConnectionNotice::Interrupted { attempt, delay: Default::default() }, 0);
    }
    logic.on_provider_event(READY, 0);
    let actions = logic.take_actions();
    let [
        VoiceAction::SendMessage(VoiceServerMessage::Error { code, message }),
        VoiceAction::SendMessage(VoiceServerMessage::Ready { .. }),
        _,
    ] = &actions[..]
    else {
        panic!("{actions:?}")
    };
    assert_eq!(*code, ErrorCode::Reconnecting);
    assert_eq!(message, "the voice cannot be reached yet; it is tried again; please wait");
}

#[test]
fn a_provider_that_is_lost_for_good_ends_the_session_in_our_words() {
    let mut logic = ready(Support::Yes);
    logic.on_notice(
        ConnectionNotice::Lost(ProviderFault {
            severity: Severity::Fatal,
            code: "1008".into(),
            message: "your key sk-secret is wrong".into(),
            reason: "the key was refused",
            about: aileron_contract::transport::FaultSubject::Connection,
        }),
        0,
    );
    let message = "the connection to the voice was refused: the key was refused";
    let error = VoiceServerMessage::error(ErrorCode::UpstreamLost, message);
    assert_eq!(
        logic.take_actions(),
        [VoiceAction::SendMessage(error), VoiceAction::End(SessionEndReason::UpstreamLost.into())]
    );
}

#[test]
fn a_slow_tool_is_spoken_for_where_the_provider_can() {
    let started = || Happened::Started { call_id: id("call-1"), tool: "send".into() };
    let shown = VoiceServerMessage::Tool {
        call_id: id("call-1"),
        tool_id: "send".into(),
        phase: Phase::Started,
    };
    let mut mute = ready(Support::No);
    mute.on_conversation_event(started(), 0);
    assert_eq!(mute.take_actions(), [VoiceAction::SendMessage(shown.clone())]);

    let mut logic = ready(Support::Yes);
    logic.on_conversation_event(started(), 0);
    let say = |text: &str| VoiceAction::CommandProvider(ProviderCommand::Say(text.into()));
    assert_eq!(logic.take_actions(), [say("Sending."), VoiceAction::SendMessage(shown)]);
    assert_eq!(logic.due(), 300);
    logic.on_time(300);
    assert_eq!(logic.take_actions(), [say("One moment.")]);
}

#[test]
fn late_answers_are_told_and_begin_no_turn() {
    let mut logic = ready(Support::Yes);
    logic.on_message(VoiceClientMessage::Text { text: "send it".into() }, 0);
    logic.on_provider_event(audio(2), 0);
    logic.on_provider_event(finished(), 10);
    logic.take_actions();
    let late = LateAnswer { call_id: id("call-1"), answer: success("q", json!("sent")) };
    logic.on_resolutions(vec![Resolution::Approved(vec![late])]);
    let actions = logic.take_actions();
    assert!(
        matches!(&actions[..], [VoiceAction::CommandProvider(ProviderCommand::LateResult(_))]),
        "{actions:?}"
    );
    logic.on_provider_event(audio(2), 20);
    assert_eq!(logic.take_actions(), [VoiceAction::SendAudio(vec![0; 2])]);
}

#[test]
fn a_farewell_is_spoken_to_its_end_before_the_session_closes() {
    let mut logic = ready(Support::Yes);
    logic.on_message(VoiceClientMessage::Text { text: "bye".into() }, 0);
    logic.on_provider_event(calls(&["call-1"]), 0);
    let after = EndAfter::FarewellSpoken;
    let data = json!({"reason": "user_requested", "closingMessage": "Bye."});
    logic.on_conversation_event(answered(vec![Intent::EndVoiceSession { after }], data), 0);
    logic.on_conversation_event(Happened::Effect(StateEffect::EndVoice { after }), 0);
    logic.on_provider_event(finished(), 1);
    assert!(
        !logic
            .take_actions()
            .iter()
            .any(|act| matches!(act, VoiceAction::ApplyStateEventWhenSent(_)))
    );
    logic.on_answers(vec![result("call-1", json!(0))], 0);
    logic.on_provider_event(audio(SECOND), 2);
    logic.on_provider_event(finished(), 3);
    let actions = logic.take_actions();
    assert_eq!(
        actions.last(),
        Some(&VoiceAction::ApplyStateEventWhenSent(StateEvent::FarewellSpoken))
    );
    let now = StateEffect::EndVoice { after: EndAfter::Immediate };
    logic.on_conversation_event(Happened::Effect(now), 4);
    let closing_messages = ClosingMessages {
        reason: Some("user_requested".into()),
        closing_message: Some("Bye.".into()),
        text_response: None,
    };
    assert_eq!(
        logic.take_actions(),
        [VoiceAction::End(SessionEnd { reason: SessionEndReason::Tool, closing_messages })]
    );
}

#[test]
fn a_farewell_that_does_not_come_is_not_waited_for_without_end() {
    let mut logic = ready(Support::Yes);
    let effect = StateEffect::EndVoice { after: EndAfter::FarewellSpoken };
    logic.on_conversation_event(Happened::Effect(effect), 1000);
    let due = 1000 + VoiceSessionLimits::default().farewell_ms;
    assert_eq!(logic.due(), due);
    logic.on_time(due);
    assert_eq!(logic.take_actions(), [VoiceAction::ApplyStateEvent(StateEvent::EndOverdue)]);
}

#[test]
fn an_end_at_once_still_gives_the_model_its_answer() {
    let mut logic = ready(Support::Yes);
    logic.on_provider_event(calls(&["call-1"]), 0);
    logic.take_actions();
    let effect = StateEffect::EndVoice { after: EndAfter::Immediate };
    logic.on_conversation_event(Happened::Effect(effect), 0);
    assert_eq!(logic.take_actions(), []);
    logic.on_answers(vec![result("call-1", json!(0))], 0);
    let told =
        VoiceAction::CommandProvider(ProviderCommand::Results(vec![result("call-1", json!(0))]));
    assert_eq!(logic.take_actions(), [told, VoiceAction::End(SessionEndReason::Tool.into())]);
}

#[test]
fn an_end_after_the_turn_comes_with_the_turns_end() {
    let mut logic = ready(Support::Yes);
    let effect = StateEffect::EndVoice { after: EndAfter::CurrentTurn };
    logic.on_conversation_event(Happened::Effect(effect), 0);
    logic.on_provider_event(finished(), 1);
    let follow = VoiceAction::ApplyStateEvent(StateEvent::TurnComplete);
    assert_eq!(
        logic.take_actions(),
        [VoiceAction::SendMessage(VoiceServerMessage::TurnComplete), follow]
    );
}

#[test]
fn a_blocked_person_is_told_once_and_not_listened_to() {
    let mut logic = ready(Support::Yes);
    logic.on_provider_event(calls(&["call-1"]), 0);
    logic.take_actions();
    let announced = json!({"type": "timeout", "farewellMessage": "See you."});
    logic.on_conversation_event(Happened::Message { call_id: id("call-1"), message: announced }, 0);
    logic.on_conversation_event(Happened::Effect(StateEffect::BlockUser { until: 61_000 }), 1000);
    let timeout = VoiceServerMessage::Timeout {
        duration_seconds: 60,
        timeout_until: 61_000,
        farewell_message: "See you.".into(),
    };
    assert_eq!(logic.take_actions(), [VoiceAction::SendMessage(timeout)]);
    assert!(!logic.accepts_input());
    logic.on_message(VoiceClientMessage::Text { text: "but".into() }, 1001);
    logic.on_provider_event(words(Speaker::Person, "but"), 1001);
    assert_eq!(logic.take_actions(), []);
    logic.on_answers(vec![result("call-1", json!(0))], 0);
    assert_eq!(
        logic.take_actions().last(),
        Some(&VoiceAction::End(SessionEndReason::Blocked.into()))
    );
}

#[test]
fn what_is_suppressed_does_not_reach_the_person() {
    let mut logic = ready(Support::Yes);
    logic.on_message(VoiceClientMessage::Text { text: "hush".into() }, 0);
    logic.take_actions();
    let mut state = ConversationState::new(Mode::Voice);
    state.apply(&Intent::SuppressAudio { value: true }, 0).unwrap();
    state.apply(&Intent::SuppressTranscript { value: true }, 0).unwrap();
    logic.on_state(&state);
    logic.on_provider_event(audio(SECOND), 0);
    logic.on_provider_event(words(Speaker::Model, "secret"), 0);
    assert_eq!(logic.take_actions(), []);
    // A farewell that is awaited is heard all the same.
    state.apply(&Intent::EndVoiceSession { after: EndAfter::FarewellSpoken }, 0).unwrap();
    logic.on_state(&state);
    logic.on_provider_event(audio(2), 0);
    assert_eq!(logic.take_actions(), [VoiceAction::SendAudio(vec![0; 2])]);
}

#[test]
fn a_session_in_which_nobody_speaks_ends() {
    let mut logic = ready(Support::Yes);
    let idle = VoiceSessionLimits::default().idle_ms;
    logic.on_time(idle - 1);
    assert_eq!(logic.take_actions(), []);
    logic.on_time(idle);
    assert_eq!(logic.take_actions(), [VoiceAction::End(SessionEndReason::Idle.into())]);
}

#[test]
fn a_session_whose_call_runs_is_not_idle_but_ends_at_last() {
    let mut logic = ready(Support::Yes);
    logic.on_provider_event(calls(&["call-1"]), 0);
    logic.take_actions();
    logic.on_time(VoiceSessionLimits::default().idle_ms);
    assert_eq!(logic.take_actions(), []);
    logic.on_time(VoiceSessionLimits::default().max_duration_ms);
    assert_eq!(logic.take_actions(), [VoiceAction::End(SessionEndReason::MaxDuration.into())]);
}

#[test]
fn a_microphone_that_was_turned_off_is_told_once() {
    let mut logic = ready(Support::Yes);
    logic.on_audio(5000);
    assert_eq!(logic.due(), 6000);
    logic.on_time(6000);
    logic.on_time(7000);
    assert_eq!(logic.take_actions(), [VoiceAction::CommandProvider(ProviderCommand::AudioEnd)]);
}

#[test]
fn a_session_ends_once() {
    let mut logic = ready(Support::Yes);
    logic.on_message(VoiceClientMessage::Stop {}, 0);
    logic.on_message(VoiceClientMessage::Stop {}, 0);
    logic.on_time(VoiceSessionLimits::default().idle_ms);
    assert_eq!(logic.take_actions(), [VoiceAction::End(SessionEndReason::Stopped.into())]);
}
