//! The life of a conversation over several connections, as a table.

use aileron_contract::transport::{FaultSubject, TurnEnd, Utterance};
use aileron_contract::{Arguments, ToolCall};
use std::collections::VecDeque;

use proptest::prelude::*;

use super::*;
use crate::samples::sunny;

#[path = "session_tests/retelling.rs"]
mod retelling;
#[path = "session_tests/storms.rs"]
mod storms;

fn jitter() -> Jitter {
    Jitter::new(0.5)
}

fn fault(severity: Severity) -> ProviderFault {
    ProviderFault {
        severity,
        code: "close 1011".into(),
        message: String::new(),
        reason: "why",
        about: FaultSubject::Connection,
    }
}

fn closed() -> ProviderEvent {
    ProviderEvent::Closed(fault(Severity::Retry))
}

fn ready_event() -> ProviderEvent {
    ProviderEvent::Ready { session: None }
}

fn going_away(seconds: u64) -> ProviderEvent {
    ProviderEvent::GoingAway { time_left: Some(Duration::from_secs(seconds)) }
}

fn called(id: &str) -> ProviderEvent {
    let call_id = CallId::new(id).unwrap();
    ProviderEvent::ToolCalls(vec![ToolCall {
        call_id,
        tool_id: "get_weather".into(),
        args: Arguments::default(),
    }])
}

fn audio() -> ProviderEvent {
    ProviderEvent::Audio { utterance: Utterance(0), pcm: vec![0, 0] }
}

fn turn_complete() -> ProviderEvent {
    ProviderEvent::TurnComplete(TurnEnd::Finished)
}

/// A conversation with the waits it was told.
struct Life {
    session: ProviderSession,
    wait: Option<TimerId>,
}

impl Life {
    fn new() -> Self {
        let mut life = Self {
            session: ProviderSession::new(Setup::new("m", "i"), Reconnect::default()),
            wait: None,
        };
        life.check(SessionInput::Begin, "connect", Connecting);
        life
    }

    fn ready() -> Self {
        let mut life = Self::new();
        life.event(&ready_event(), "", Ready);
        life
    }

    #[track_caller]
    fn check(&mut self, input: SessionInput<'_>, expected: &str, state: SessionState) {
        let actions = self.session.on(input, jitter());
        let words: Vec<_> = actions.iter().map(|action| self.word(action)).collect();
        assert_eq!((words.join(", ").as_str(), self.session.state()), (expected, state));
    }

    #[track_caller]
    fn event(&mut self, event: &ProviderEvent, expected: &str, state: SessionState) {
        self.check(SessionInput::Event(event), expected, state);
    }

    #[track_caller]
    fn waited(&mut self, expected: &str, state: SessionState) {
        let wait = self.wait.unwrap();
        self.check(SessionInput::Waited(wait), expected, state);
    }

    fn word(&mut self, action: &Action) -> String {
        match action {
            Action::Connect => "connect".into(),
            Action::Disconnect => "disconnect".into(),
            Action::Wait { wait, delay } => {
                self.wait = Some(*wait);
                format!("wait {} ms", delay.as_millis())
            }
            Action::Deliver(held) => format!("deliver {}", held.len()),
            Action::Tell(ConnectionNotice::Interrupted { attempt, .. }) => {
                format!("interrupted {attempt}")
            }
            Action::Tell(ConnectionNotice::Restored) => "restored".into(),
            Action::Tell(ConnectionNotice::Unanswered) => "unanswered".into(),
            Action::Tell(ConnectionNotice::Lost(_)) => "lost".into(),
            Action::Tell(ConnectionNotice::Ended) => "ended".into(),
        }
    }
}

use SessionState::*;

#[test]
fn a_drop_is_mended() {
    let mut life = Life::ready();
    life.event(&closed(), "interrupted 1, wait 100 ms", Waiting);
    life.waited("connect", Connecting);
    life.event(&ready_event(), "restored, wait 10000 ms", Ready);
}

#[test]
fn attempts_that_fail_wait_longer_and_longer_until_it_is_lost() {
    let mut life = Life::ready();
    let delays = [100, 300, 600, 1200, 2400, 4800, 6000, 6000];
    for (n, delay) in delays.into_iter().enumerate() {
        life.event(&closed(), &format!("interrupted {}, wait {delay} ms", n + 1), Waiting);
        life.waited("connect", Connecting);
    }
    life.event(&closed(), "lost", Closed);
    life.event(&ready_event(), "", Closed);
}

#[test]
fn a_connection_that_is_made_and_drops_at_once_counts_as_failed() {
    let mut life = Life::ready();
    for n in 1..=8 {
        let actions = life.session.on(SessionInput::Event(&closed()), Jitter::new(0.0));
        assert!(
            matches!(actions[0], Action::Tell(ConnectionNotice::Interrupted { attempt, .. }) if attempt == n)
        );
        let Action::Wait { wait, .. } = actions[1] else { panic!("{actions:?}") };
        life.check(SessionInput::Waited(wait), "connect", Connecting);
        life.event(&ready_event(), "restored, wait 10000 ms", Ready);
    }
    life.event(&closed(), "lost", Closed);
}

#[test]
fn a_connection_over_which_the_model_finished_a_reply_counts_as_good() {
    let mut life = Life::ready();
    life.event(&closed(), "interrupted 1, wait 100 ms", Waiting);
    life.waited("connect", Connecting);
    life.check(SessionInput::Hold(&[DeferredInput::Text("hi".into())]), "", Connecting);
    life.event(&ready_event(), "restored, deliver 1, wait 10000 ms", Ready);
    life.event(&audio(), "", Ready);
    life.event(&turn_complete(), "", Ready);
    life.event(&closed(), "interrupted 1, wait 100 ms", Waiting);
}

#[test]
fn a_connection_that_lasts_counts_as_good() {
    let mut life = Life::ready();
    life.event(&closed(), "interrupted 1, wait 100 ms", Waiting);
    life.waited("connect", Connecting);
    life.event(&ready_event(), "restored, wait 10000 ms", Ready);
    life.waited("", Ready);
    life.event(&closed(), "interrupted 1, wait 100 ms", Waiting);
}

#[test]
fn a_connection_over_which_the_model_only_began_to_speak_does_not_count_as_good() {
    let mut life = Life::ready();
    life.event(&closed(), "interrupted 1, wait 100 ms", Waiting);
    life.waited("connect", Connecting);
    life.event(&ready_event(), "restored, wait 10000 ms", Ready);
    life.event(&audio(), "", Ready);
    life.event(&closed(), "interrupted 2, wait 300 ms", Waiting);
    life.waited("connect", Connecting);
    life.event(&ready_event(), "restored, wait 10000 ms", Ready);
    // A turn without input of the person is not an exchange.
    life.event(&audio(), "", Ready);
    life.event(&turn_complete(), "", Ready);
    life.event(&closed(), "interrupted 3, wait 600 ms", Waiting);
}

#[test]
fn what_cannot_be_mended_is_not_tried_again() {
    let mut life = Life::new();
    life.event(&ProviderEvent::Closed(fault(Severity::Fatal)), "lost", Closed);
    let mut life = Life::ready();
    life.event(&ProviderEvent::Fault(fault(Severity::Fatal)), "disconnect, lost", Closed);
}

#[test]
fn an_error_that_spoils_the_connection_leads_to_another() {
    let mut life = Life::ready();
    life.event(
        &ProviderEvent::Fault(fault(Severity::Retry)),
        "disconnect, interrupted 1, wait 100 ms",
        Waiting,
    );
    let mut life = Life::ready();
    life.event(&ProviderEvent::Fault(fault(Severity::Ignore)), "", Ready);
}

#[test]
fn results_are_held_until_there_is_a_connection() {
    let mut life = Life::ready();
    let result = DeferredInput::Result(sunny("call_1"));
    life.check(SessionInput::Hold(slice::from_ref(&result)), "deliver 1", Ready);
    life.event(&called("call_2"), "", Ready);
    life.event(&closed(), "interrupted 1, wait 100 ms", Waiting);
    life.check(SessionInput::Hold(slice::from_ref(&result)), "", Waiting);
    life.waited("connect", Connecting);
    life.check(SessionInput::Hold(&[DeferredInput::Text("hello?".into())]), "", Connecting);
    life.event(&ready_event(), "restored, deliver 3, wait 10000 ms", Ready);
    life.event(&turn_complete(), "", Ready);
    life.event(&closed(), "interrupted 1, wait 100 ms", Waiting);
    life.waited("connect", Connecting);
    life.event(&ready_event(), "restored, wait 10000 ms", Ready);
}

#[test]
fn what_a_drop_may_have_swallowed_is_told_again_and_first() {
    let mut life = Life::ready();
    life.check(SessionInput::Hold(&[DeferredInput::Text("one".into())]), "deliver 1", Ready);
    assert_eq!(life.session.setup().history.len(), 1);
    life.event(&closed(), "interrupted 1, wait 100 ms", Waiting);
    assert_eq!(life.session.setup().history, []);
    life.check(SessionInput::Hold(&[DeferredInput::Text("two".into())]), "", Waiting);
    life.waited("connect", Connecting);
    let actions = life.session.on(SessionInput::Event(&ready_event()), jitter());
    let texts = ["one", "two"].map(|text| DeferredInput::Text(text.into()));
    assert_eq!(actions[1], Action::Deliver(texts.into()));
}

#[test]
fn a_provider_that_leaves_is_left_at_once_in_a_calm_moment() {
    let mut life = Life::ready();
    life.event(&going_away(10), "disconnect, connect", Connecting);
    life.event(&ready_event(), "restored, wait 10000 ms", Ready);
}

#[test]
fn a_provider_that_leaves_is_left_at_the_end_of_the_turn() {
    let mut life = Life::ready();
    life.event(&audio(), "", Ready);
    life.event(&going_away(10), "wait 8000 ms", Draining);
    life.event(&audio(), "", Draining);
    life.event(&turn_complete(), "disconnect, connect", Connecting);
    life.waited("", Connecting);
}

#[test]
fn a_call_that_runs_is_waited_for_until_the_provider_leaves() {
    let mut life = Life::ready();
    life.event(&called("call_1"), "", Ready);
    life.event(&going_away(10), "wait 8000 ms", Draining);
    life.event(&turn_complete(), "", Draining);
    assert!(life.session.is_open());
    life.waited("disconnect, interrupted 0, connect", Connecting);
    life.event(&ready_event(), "restored, wait 10000 ms", Ready);
    life.check(SessionInput::Hold(&[DeferredInput::Result(sunny("call_1"))]), "deliver 1", Ready);
}

#[test]
fn a_call_that_was_answered_or_taken_back_is_not_waited_for() {
    let id = CallId::new("call_1").unwrap();
    let mut life = Life::ready();
    life.event(&called("call_1"), "", Ready);
    life.event(&going_away(1), "wait 0 ms", Draining);
    life.check(
        SessionInput::Hold(&[DeferredInput::Result(sunny("call_1"))]),
        "deliver 1",
        Draining,
    );
    life.event(&turn_complete(), "disconnect, connect", Connecting);
    let mut life = Life::ready();
    life.event(&called("call_1"), "", Ready);
    life.event(&turn_complete(), "", Ready);
    life.event(&ProviderEvent::GoingAway { time_left: None }, "wait 0 ms", Draining);
    life.event(&ProviderEvent::CallsCancelled(vec![id]), "disconnect, connect", Connecting);
}

#[test]
fn an_answer_that_crossed_the_taking_back_of_its_call_is_told_again() {
    let [crossed, open] = ["call_1", "call_2"].map(|id| CallId::new(id).unwrap());
    let mut life = Life::ready();
    life.event(&called("call_1"), "", Ready);
    life.event(&called("call_2"), "", Ready);
    life.check(SessionInput::Hold(&[DeferredInput::Result(sunny("call_1"))]), "deliver 1", Ready);
    life.event(&ProviderEvent::Interrupted, "", Ready);
    life.event(&ProviderEvent::CallsCancelled(vec![crossed.clone(), open]), "deliver 1", Ready);
    // An answer with which the model has finished a turn was not passed over.
    life.event(&turn_complete(), "", Ready);
    life.event(&ProviderEvent::CallsCancelled(vec![crossed]), "", Ready);
}

#[test]
fn a_drop_while_it_drains_is_a_drop() {
    let mut life = Life::ready();
    life.event(&audio(), "", Ready);
    life.event(&going_away(10), "wait 8000 ms", Draining);
    let drain = life.wait.unwrap();
    life.event(&closed(), "interrupted 1, wait 100 ms", Waiting);
    life.check(SessionInput::Waited(drain), "", Waiting);
    life.waited("connect", Connecting);
}

#[test]
fn the_core_can_end_it_in_any_state() {
    Life::ready().check(SessionInput::End, "disconnect, ended", Closed);
    Life::new().check(SessionInput::End, "disconnect, ended", Closed);
    let mut life = Life::ready();
    life.event(&closed(), "interrupted 1, wait 100 ms", Waiting);
    life.check(SessionInput::End, "ended", Closed);
    life.waited("", Closed);
}

#[test]
fn the_next_connection_begins_with_the_newest_handle_and_what_was_said() {
    let mut life = Life::ready();
    let handle = |text: &str| ProviderEvent::Resumption { handle: Some(text.into()) };
    life.event(&handle("h1"), "", Ready);
    life.event(&handle("h2"), "", Ready);
    let said = |by, text: &str, stage| ProviderEvent::Transcript { by, text: text.into(), stage };
    life.event(&said(Speaker::Person, "hi", TranscriptStage::Final), "", Ready);
    life.event(&said(Speaker::Model, "hel", TranscriptStage::Delta), "", Ready);
    life.event(&said(Speaker::Model, "hello", TranscriptStage::Final), "", Ready);
    life.check(SessionInput::Hold(&[DeferredInput::Text("what time?".into())]), "deliver 1", Ready);
    life.event(&turn_complete(), "", Ready);
    let setup = life.session.setup();
    let words: Vec<_> = setup.history.iter().map(|said| said.text.as_str()).collect();
    assert_eq!((setup.resume.as_deref(), words), (Some("h2"), vec!["hi", "hello", "what time?"]));
    life.event(&ProviderEvent::Resumption { handle: None }, "", Ready);
    assert_eq!(life.session.setup().resume, None);
}

#[test]
fn history_and_texts_that_wait_are_bounded_and_answers_are_not() {
    let mut session = ProviderSession::new(Setup::new("m", ""), Reconnect::default());
    for n in 0..200 {
        let text = format!("{n} {}", "x".repeat(1_000));
        let stage = TranscriptStage::Final;
        let said = ProviderEvent::Transcript { by: Speaker::Person, text, stage };
        session.on(SessionInput::Event(&said), jitter());
        session.on(SessionInput::Hold(&[DeferredInput::Text(n.to_string())]), jitter());
        session.on(SessionInput::Hold(&[DeferredInput::Result(sunny("call_1"))]), jitter());
    }
    let history = session.setup().history;
    assert!(history.len() < 50 && history.last().unwrap().text.starts_with("199 "));
    session.on(SessionInput::Begin, jitter());
    let actions = session.on(SessionInput::Event(&ready_event()), jitter());
    let [Action::Deliver(held)] = &actions[..] else { panic!("{actions:?}") };
    let texts = held.iter().filter(|held| matches!(held, DeferredInput::Text(_))).count();
    assert_eq!((texts, held.len()), (32, 232));
}

/// Events of a conversation, in any order.
#[derive(Debug, Clone, Copy)]
enum Step {
    Result,
    Ready,
    Drop,
    Waited,
    GoAway,
    Turn,
}

fn step() -> impl Strategy<Value = Step> {
    use Step::*;
    prop_oneof![Just(Result), Just(Ready), Just(Drop), Just(Waited), Just(GoAway), Just(Turn)]
}

/// The answers that reached the model: sent over a connection over which it then finished a turn.
#[derive(Default)]
struct Model {
    sent: Vec<CallId>,
    knows: Vec<CallId>,
    connections: i32,
}

impl Model {
    fn follow(&mut self, life: &mut Life, input: SessionInput<'_>) {
        for action in life.session.on(input, jitter()) {
            match &action {
                Action::Deliver(held) => {
                    self.sent.extend(held.iter().filter_map(|held| match held {
                        DeferredInput::Result(result) => Some(result.call_id.clone()),
                        DeferredInput::Text(_) | DeferredInput::Opening(_) => None,
                    }));
                }
                Action::Connect => self.connections += 1,
                Action::Disconnect => self.drop_connection(),
                Action::Wait { .. } | Action::Tell(_) => {}
            }
            life.word(&action);
        }
    }

    fn drop_connection(&mut self) {
        self.connections -= 1;
        self.sent.clear();
    }

    fn step(&mut self, life: &mut Life, step: Step, call: &str) {
        let open = life.session.is_open();
        match step {
            Step::Result => {
                self.follow(life, SessionInput::Hold(&[DeferredInput::Result(sunny(call))]));
            }
            Step::Ready if life.session.state() == Connecting => {
                self.follow(life, SessionInput::Event(&ready_event()));
            }
            Step::Drop if open || life.session.state() == Connecting => {
                self.drop_connection();
                self.follow(life, SessionInput::Event(&closed()));
            }
            Step::Waited => {
                let wait = life.wait.unwrap_or(TimerId(0));
                self.follow(life, SessionInput::Waited(wait));
            }
            Step::GoAway if open => self.follow(life, SessionInput::Event(&going_away(10))),
            Step::Turn if open => {
                self.knows.append(&mut self.sent);
                self.follow(life, SessionInput::Event(&turn_complete()));
            }
            Step::Ready | Step::Drop | Step::GoAway | Step::Turn => {}
        }
    }
}

proptest! {
    #[test]
    fn no_answer_is_lost_and_never_two_connections_are_open(steps in proptest::collection::vec(step(), 0..60)) {
        let reconnect = Reconnect { max_attempts: 1_000, ..Reconnect::default() };
        let mut life = Life { session: ProviderSession::new(Setup::new("m", ""), reconnect), wait: None };
        let mut model = Model::default();
        model.follow(&mut life, SessionInput::Begin);
        let ending = [Step::Waited, Step::Waited, Step::Ready, Step::Turn];
        for (n, step) in steps.iter().copied().chain(ending).enumerate() {
            model.step(&mut life, step, &format!("call_{n}"));
            prop_assert!((0..=1).contains(&model.connections));
        }
        let results = steps.iter().enumerate().filter(|(_, step)| matches!(step, Step::Result));
        for (n, _) in results {
            let call = CallId::new(format!("call_{n}")).unwrap();
            prop_assert_eq!(model.knows.iter().filter(|known| **known == call).count(), 1);
        }
    }
}
