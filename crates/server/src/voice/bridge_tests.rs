//! What follows from what, in every order that matters.

use aileron_contract::intent::EndAfter;
use aileron_contract::transport::{
    Cancellation, Event, Fault, Severity, Speaker, Stage, Support, TurnEnd,
};
use aileron_contract::{ConversationId, Intent, Mode, Outcome, Provider, ToolResponse};
use aileron_orchestrator::state::StateEffect;
use aileron_orchestrator::{ConversationEvent as Happened, LateAnswer, Resolution};
use aileron_transports::session::ConnectionNotice;
use serde_json::json;

use super::*;
use crate::voice::protocol::{ErrorCode, Phase, Role, Up};
use crate::voice::samples::{call, id, registry, result, success};

#[path = "bridge_tests/opening.rs"]
mod opening;
#[path = "bridge_tests/waiting.rs"]
mod waiting;

const READY: Event = Event::Ready { session: None };
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

fn bridge(can: Support) -> Bridge {
    let greeting = Greeting {
        conversation_id: ConversationId::new("c").unwrap(),
        registry_version: "1.0.1".into(),
        tools: vec!["send".into()],
        provider: "p".into(),
        notes: Vec::new(),
    };
    Bridge::new(
        greeting,
        capabilities(can),
        registry(),
        Grammar::english().clone(),
        Limits::default(),
        0,
    )
}

/// A bridge with a provider that is ready, and nothing to be done.
fn ready(can: Support) -> Bridge {
    let mut bridge = bridge(can);
    bridge.on_event(READY, 0);
    bridge.take_acts();
    bridge
}

/// What follows from the interrupt button where the provider cannot be told how much was heard.
fn pressed(played_ms: u64) -> [Act; 4] {
    let order = Act::Order(Order::Interrupt { played_ms });
    [order, Act::Hush, Act::Interrupt, Act::Tell(Down::Interrupted)]
}

fn words(by: Speaker, text: &str) -> Event {
    Event::Transcript { by, text: text.into(), stage: Stage::Final }
}

fn audio(bytes: usize) -> Event {
    Event::Audio { utterance: Utterance(0), pcm: vec![0; bytes] }
}

fn said(role: Role, text: &str) -> Act {
    Act::Tell(Down::Transcript { role, text: text.into(), r#final: true, replaces: false })
}

fn finished() -> Event {
    Event::TurnComplete(TurnEnd::Finished)
}

fn calls(ids: &[&str]) -> Event {
    let one = |(n, id): (usize, &&str)| call(id, "send", json!({ "n": n }));
    Event::ToolCalls(ids.iter().enumerate().map(one).collect())
}

fn answered(intents: Vec<Intent>, data: serde_json::Value) -> Happened {
    let ToolResponse::Success { meta, .. } = (*success("call-1", json!(0))).clone() else {
        unreachable!()
    };
    let answer = Box::new(ToolResponse::Success { data, intents, meta });
    Happened::Answered { outcome: Outcome::Completed, answer }
}

#[test]
fn the_client_is_greeted_once_the_provider_is_ready() {
    let mut bridge = bridge(Support::Yes);
    bridge.on_event(READY, 0);
    let acts = bridge.take_acts();
    assert!(matches!(&acts[..], [Act::Tell(Down::Ready { .. }), Act::TakeOpening]), "{acts:?}");
    bridge.on_event(READY, 0);
    assert_eq!(bridge.take_acts(), []);
}

#[test]
fn words_of_the_person_begin_a_turn_and_are_shown() {
    let mut bridge = ready(Support::Yes);
    bridge.on_event(Event::SpeechStarted, 10);
    bridge.on_event(words(Speaker::Person, "find ada"), 20);
    let input = TurnInput::Spoken { text: "find ada".into(), began_ms: 10 };
    assert_eq!(bridge.take_acts(), [Act::Turn(input), said(Role::User, "find ada")]);
}

#[test]
fn a_call_before_its_words_is_made_in_a_turn_of_its_own() {
    let mut bridge = ready(Support::Yes);
    bridge.on_audio(0);
    bridge.on_event(calls(&["call-1"]), 10);
    let made = vec![call("call-1", "send", json!({ "n": 0 }))];
    assert_eq!(bridge.take_acts(), [Act::Turn(TurnInput::Written), Act::Call(made)]);
    bridge.on_event(words(Speaker::Person, "yes"), 20);
    let heard = Act::Hear { text: "yes".into(), began_ms: 0 };
    assert_eq!(bridge.take_acts(), [heard, said(Role::User, "yes")]);
}

#[test]
fn a_call_before_the_person_did_anything_is_made_in_the_turn_that_there_was() {
    let mut bridge = ready(Support::Yes);
    bridge.on_event(calls(&["call-1"]), 10);
    let made = vec![call("call-1", "send", json!({ "n": 0 }))];
    assert_eq!(bridge.take_acts(), [Act::Call(made)]);
}

#[test]
fn what_is_written_begins_a_turn_and_is_passed_on() {
    let mut bridge = ready(Support::Yes);
    bridge.on_message(Up::Text { text: "hi".into() }, 10);
    let typed = TurnInput::Typed { text: "hi".into() };
    let acts = [Act::Turn(typed), Act::Order(Order::Text("hi".into()))];
    assert_eq!(bridge.take_acts(), acts);
}

#[test]
fn a_barge_in_stops_everything_once() {
    let mut bridge = ready(Support::Yes);
    bridge.on_message(Up::Text { text: "hi".into() }, 0);
    bridge.on_event(audio(2 * SECOND), 1000);
    bridge.take_acts();
    bridge.on_event(Event::SpeechStarted, 1500);
    bridge.on_event(Event::Interrupted, 1501);
    let truncate = Order::Truncate { utterance: Utterance(0), played_ms: 500 };
    let stopped = [Act::Hush, Act::Order(truncate), Act::Interrupt, Act::Tell(Down::Interrupted)];
    assert_eq!(bridge.take_acts(), stopped);
}

#[test]
fn writing_cuts_a_reply_short_before_it_says_how_much_was_heard() {
    let mut bridge = ready(Support::Yes);
    bridge.on_message(Up::Text { text: "hi".into() }, 0);
    bridge.on_event(audio(2 * SECOND), 1000);
    bridge.take_acts();
    bridge.on_message(Up::Text { text: "stop".into() }, 1500);
    let truncate = Order::Truncate { utterance: Utterance(0), played_ms: 500 };
    let acts = [
        Act::Order(Order::Interrupt { played_ms: u64::MAX }),
        Act::Hush,
        Act::Order(truncate),
        Act::Interrupt,
        Act::Tell(Down::Interrupted),
        Act::Turn(TurnInput::Typed { text: "stop".into() }),
        Act::Order(Order::Text("stop".into())),
    ];
    assert_eq!(bridge.take_acts(), acts);
    // Nothing is left to be cut short.
    bridge.on_message(Up::Text { text: "now".into() }, 1600);
    let typed = TurnInput::Typed { text: "now".into() };
    let acts = [Act::Turn(typed), Act::Order(Order::Text("now".into()))];
    assert_eq!(bridge.take_acts(), acts);
}

#[test]
fn a_provider_that_cannot_truncate_is_not_asked_to() {
    let mut bridge = ready(Support::No);
    bridge.on_event(audio(SECOND), 1000);
    bridge.take_acts();
    bridge.on_event(Event::Interrupted, 1500);
    assert_eq!(bridge.take_acts(), [Act::Hush, Act::Interrupt, Act::Tell(Down::Interrupted)]);
}

#[test]
fn a_person_who_speaks_into_silence_interrupts_nothing() {
    let mut bridge = ready(Support::Yes);
    bridge.on_message(Up::Text { text: "hi".into() }, 0);
    bridge.on_event(audio(SECOND), 0);
    bridge.on_event(finished(), 100);
    bridge.take_acts();
    bridge.on_event(Event::SpeechStarted, 5000);
    assert_eq!(bridge.take_acts(), []);
}

#[test]
fn a_person_who_speaks_while_a_call_runs_interrupts_it() {
    let mut bridge = ready(Support::Yes);
    bridge.on_message(Up::Text { text: "hi".into() }, 0);
    bridge.on_event(calls(&["call-1"]), 0);
    bridge.take_acts();
    bridge.on_event(Event::SpeechStarted, 10);
    assert!(bridge.take_acts().contains(&Act::Interrupt));
}

#[test]
fn the_interrupt_button_mutes_a_provider_that_talks_on() {
    let mut bridge = ready(Support::No);
    bridge.on_event(audio(SECOND), 0);
    bridge.take_acts();
    bridge.on_message(Up::Interrupt {}, 10);
    assert_eq!(bridge.take_acts(), pressed(10));
    bridge.on_event(audio(SECOND), 20);
    bridge.on_event(Event::Audio { utterance: Utterance(1), pcm: vec![0; 2] }, 25);
    assert_eq!(bridge.take_acts(), []);
    bridge.on_event(finished(), 30);
    bridge.on_event(Event::Audio { utterance: Utterance(2), pcm: vec![0; 2] }, 30);
    assert!(bridge.take_acts().contains(&Act::Play(vec![0; 2])));
}

#[test]
fn calls_that_are_taken_back_are_cancelled() {
    let mut bridge = ready(Support::Yes);
    bridge.on_event(calls(&["call-1"]), 0);
    bridge.take_acts();
    bridge.on_event(Event::CallsCancelled(vec![id("call-1")]), 0);
    assert_eq!(bridge.take_acts(), [Act::Cancel(vec![id("call-1")])]);
    // What comes of it is still told: the transport knows what to do with it.
    bridge.on_answers(vec![result("call-1", json!(0))], 0);
    let told = Order::Results(vec![result("call-1", json!(0))]);
    assert_eq!(bridge.take_acts(), [Act::Order(told)]);
}

#[test]
fn a_call_made_again_after_a_drop_is_answered_and_not_made() {
    let mut bridge = ready(Support::Yes);
    bridge.on_event(calls(&["call-1"]), 0);
    bridge.on_answers(vec![result("call-1", json!("sent"))], 0);
    bridge.on_notice(ConnectionNotice::Interrupted { attempt: 1, delay: Default::default() }, 5);
    bridge.on_event(READY, 6);
    bridge.take_acts();
    bridge.on_event(calls(&["call-2"]), 7);
    let acts = bridge.take_acts();
    let [Act::Order(Order::Results(results))] = &acts[..] else { panic!("{acts:?}") };
    assert!(results[0].call_id == id("call-2") && results[0].response.meta().replayed);
    assert!(!bridge.has_open_calls());
}

#[test]
fn a_lost_connection_is_told_and_so_is_its_return() {
    let mut bridge = ready(Support::Yes);
    let lost = ConnectionNotice::Interrupted { attempt: 1, delay: Default::default() };
    bridge.on_notice(lost.clone(), 0);
    bridge.on_notice(lost, 0);
    let acts = bridge.take_acts();
    assert!(
        matches!(&acts[..], [Act::Tell(Down::Error { code: ErrorCode::Reconnecting, .. })]),
        "{acts:?}"
    );
    bridge.on_event(READY, 0);
    bridge.on_notice(ConnectionNotice::Restored, 0);
    assert!(matches!(&bridge.take_acts()[..], [Act::Tell(Down::Ready { .. })]));
}

#[test]
fn a_first_connection_that_fails_is_told_once_and_so_is_the_one_that_holds() {
    let mut bridge = bridge(Support::Yes);
    for attempt in 0..3 {
        bridge.on_notice(ConnectionNotice::Interrupted { attempt, delay: Default::default() }, 0);
    }
    bridge.on_event(READY, 0);
    let acts = bridge.take_acts();
    let [Act::Tell(Down::Error { code, message }), Act::Tell(Down::Ready { .. }), _] = &acts[..]
    else {
        panic!("{acts:?}")
    };
    assert_eq!(*code, ErrorCode::Reconnecting);
    assert_eq!(message, "the voice cannot be reached yet; it is tried again; please wait");
}

#[test]
fn a_provider_that_is_lost_for_good_ends_the_session_in_our_words() {
    let mut bridge = ready(Support::Yes);
    bridge.on_notice(
        ConnectionNotice::Lost(Fault {
            severity: Severity::Fatal,
            code: "1008".into(),
            message: "your key sk-secret is wrong".into(),
            reason: "the key was refused",
            about: aileron_contract::transport::About::Connection,
        }),
        0,
    );
    let message = "the connection to the voice was refused: the key was refused";
    let error = Down::error(ErrorCode::UpstreamLost, message);
    assert_eq!(bridge.take_acts(), [Act::Tell(error), Act::End(Reason::UpstreamLost.into())]);
}

#[test]
fn a_slow_tool_is_spoken_for_where_the_provider_can() {
    let started = || Happened::Started { call_id: id("call-1"), tool: "send".into() };
    let shown = Down::Tool { call_id: id("call-1"), tool_id: "send".into(), phase: Phase::Started };
    let mut mute = ready(Support::No);
    mute.on_happening(started(), 0);
    assert_eq!(mute.take_acts(), [Act::Tell(shown.clone())]);

    let mut bridge = ready(Support::Yes);
    bridge.on_happening(started(), 0);
    let say = |text: &str| Act::Order(Order::Say(text.into()));
    assert_eq!(bridge.take_acts(), [say("Sending."), Act::Tell(shown)]);
    assert_eq!(bridge.due(), 300);
    bridge.on_time(300);
    assert_eq!(bridge.take_acts(), [say("One moment.")]);
}

#[test]
fn late_answers_are_told_and_begin_no_turn() {
    let mut bridge = ready(Support::Yes);
    bridge.on_message(Up::Text { text: "send it".into() }, 0);
    bridge.on_event(audio(2), 0);
    bridge.on_event(finished(), 10);
    bridge.take_acts();
    let late = LateAnswer { call_id: id("call-1"), answer: success("q", json!("sent")) };
    bridge.on_resolutions(vec![Resolution::Approved(vec![late])]);
    let acts = bridge.take_acts();
    assert!(matches!(&acts[..], [Act::Order(Order::LateResult(_))]), "{acts:?}");
    bridge.on_event(audio(2), 20);
    assert_eq!(bridge.take_acts(), [Act::Play(vec![0; 2])]);
}

#[test]
fn a_farewell_is_spoken_to_its_end_before_the_session_closes() {
    let mut bridge = ready(Support::Yes);
    bridge.on_message(Up::Text { text: "bye".into() }, 0);
    bridge.on_event(calls(&["call-1"]), 0);
    let after = EndAfter::FarewellSpoken;
    let data = json!({"reason": "user_requested", "closingMessage": "Bye."});
    bridge.on_happening(answered(vec![Intent::EndVoiceSession { after }], data), 0);
    bridge.on_happening(Happened::Effect(StateEffect::EndVoice { after }), 0);
    bridge.on_event(finished(), 1);
    assert!(!bridge.take_acts().iter().any(|act| matches!(act, Act::FollowWhenSent(_))));
    bridge.on_answers(vec![result("call-1", json!(0))], 0);
    bridge.on_event(audio(SECOND), 2);
    bridge.on_event(finished(), 3);
    let acts = bridge.take_acts();
    assert_eq!(acts.last(), Some(&Act::FollowWhenSent(StateEvent::FarewellSpoken)));
    let now = StateEffect::EndVoice { after: EndAfter::Immediate };
    bridge.on_happening(Happened::Effect(now), 4);
    let last_words = LastWords {
        reason: Some("user_requested".into()),
        closing_message: Some("Bye.".into()),
        text_response: None,
    };
    assert_eq!(bridge.take_acts(), [Act::End(End { reason: Reason::Tool, last_words })]);
}

#[test]
fn a_farewell_that_does_not_come_is_not_waited_for_without_end() {
    let mut bridge = ready(Support::Yes);
    let effect = StateEffect::EndVoice { after: EndAfter::FarewellSpoken };
    bridge.on_happening(Happened::Effect(effect), 1000);
    let due = 1000 + Limits::default().farewell_ms;
    assert_eq!(bridge.due(), due);
    bridge.on_time(due);
    assert_eq!(bridge.take_acts(), [Act::Follow(StateEvent::EndOverdue)]);
}

#[test]
fn an_end_at_once_still_gives_the_model_its_answer() {
    let mut bridge = ready(Support::Yes);
    bridge.on_event(calls(&["call-1"]), 0);
    bridge.take_acts();
    let effect = StateEffect::EndVoice { after: EndAfter::Immediate };
    bridge.on_happening(Happened::Effect(effect), 0);
    assert_eq!(bridge.take_acts(), []);
    bridge.on_answers(vec![result("call-1", json!(0))], 0);
    let told = Act::Order(Order::Results(vec![result("call-1", json!(0))]));
    assert_eq!(bridge.take_acts(), [told, Act::End(Reason::Tool.into())]);
}

#[test]
fn an_end_after_the_turn_comes_with_the_turns_end() {
    let mut bridge = ready(Support::Yes);
    let effect = StateEffect::EndVoice { after: EndAfter::CurrentTurn };
    bridge.on_happening(Happened::Effect(effect), 0);
    bridge.on_event(finished(), 1);
    let follow = Act::Follow(StateEvent::TurnComplete);
    assert_eq!(bridge.take_acts(), [Act::Tell(Down::TurnComplete), follow]);
}

#[test]
fn a_blocked_person_is_told_once_and_not_listened_to() {
    let mut bridge = ready(Support::Yes);
    bridge.on_event(calls(&["call-1"]), 0);
    bridge.take_acts();
    let announced = json!({"type": "timeout", "farewellMessage": "See you."});
    bridge.on_happening(Happened::Message { call_id: id("call-1"), message: announced }, 0);
    bridge.on_happening(Happened::Effect(StateEffect::BlockUser { until: 61_000 }), 1000);
    let timeout = Down::Timeout {
        duration_seconds: 60,
        timeout_until: 61_000,
        farewell_message: "See you.".into(),
    };
    assert_eq!(bridge.take_acts(), [Act::Tell(timeout)]);
    assert!(!bridge.listens());
    bridge.on_message(Up::Text { text: "but".into() }, 1001);
    bridge.on_event(words(Speaker::Person, "but"), 1001);
    assert_eq!(bridge.take_acts(), []);
    bridge.on_answers(vec![result("call-1", json!(0))], 0);
    assert_eq!(bridge.take_acts().last(), Some(&Act::End(Reason::Blocked.into())));
}

#[test]
fn what_is_suppressed_does_not_reach_the_person() {
    let mut bridge = ready(Support::Yes);
    bridge.on_message(Up::Text { text: "hush".into() }, 0);
    bridge.take_acts();
    let mut state = ConversationState::new(Mode::Voice);
    state.apply(&Intent::SuppressAudio { value: true }, 0).unwrap();
    state.apply(&Intent::SuppressTranscript { value: true }, 0).unwrap();
    bridge.on_state(&state);
    bridge.on_event(audio(SECOND), 0);
    bridge.on_event(words(Speaker::Model, "secret"), 0);
    assert_eq!(bridge.take_acts(), []);
    // A farewell that is awaited is heard all the same.
    state.apply(&Intent::EndVoiceSession { after: EndAfter::FarewellSpoken }, 0).unwrap();
    bridge.on_state(&state);
    bridge.on_event(audio(2), 0);
    assert_eq!(bridge.take_acts(), [Act::Play(vec![0; 2])]);
}

#[test]
fn a_session_in_which_nobody_speaks_ends() {
    let mut bridge = ready(Support::Yes);
    let idle = Limits::default().idle_ms;
    bridge.on_time(idle - 1);
    assert_eq!(bridge.take_acts(), []);
    bridge.on_time(idle);
    assert_eq!(bridge.take_acts(), [Act::End(Reason::Idle.into())]);
}

#[test]
fn a_session_whose_call_runs_is_not_idle_but_ends_at_last() {
    let mut bridge = ready(Support::Yes);
    bridge.on_event(calls(&["call-1"]), 0);
    bridge.take_acts();
    bridge.on_time(Limits::default().idle_ms);
    assert_eq!(bridge.take_acts(), []);
    bridge.on_time(Limits::default().max_duration_ms);
    assert_eq!(bridge.take_acts(), [Act::End(Reason::MaxDuration.into())]);
}

#[test]
fn a_microphone_that_was_turned_off_is_told_once() {
    let mut bridge = ready(Support::Yes);
    bridge.on_audio(5000);
    assert_eq!(bridge.due(), 6000);
    bridge.on_time(6000);
    bridge.on_time(7000);
    assert_eq!(bridge.take_acts(), [Act::Order(Order::AudioEnd)]);
}

#[test]
fn a_session_ends_once() {
    let mut bridge = ready(Support::Yes);
    bridge.on_message(Up::Stop {}, 0);
    bridge.on_message(Up::Stop {}, 0);
    bridge.on_time(Limits::default().idle_ms);
    assert_eq!(bridge.take_acts(), [Act::End(Reason::Stopped.into())]);
}
