//! One conversation with a provider over several connections: when to connect, when to drain, which
//! inputs to keep for the next connection, and when to give up.
//!
//! Pure: inputs in, actions out. It has no socket and no clock, and receives the jitter. The protocol
//! reads and writes messages, the core decides about calls.

mod action;
mod backlog;
mod history;
mod input;
mod reconnect;
mod state;

use std::slice;
use std::time::Duration;

use aileron_contract::transport::{
    DeferredInput, FaultSubject, ProviderEvent, ProviderFault, Setup, Severity, Speaker,
    TranscriptStage, TurnEnd,
};
use aileron_contract::{CallId, Jitter};

pub use action::{Action, ConnectionNotice, TimerId};
pub use input::SessionInput;
pub use reconnect::Reconnect;
pub use state::SessionState;

use self::backlog::{Backlog, ReplyProgress};
use self::history::ReplayHistory;

/// The state of the person's speech.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Speech {
    /// The provider does not report the start of speech.
    Unreported,
    Unanswered,
    /// Transcripts that still come belong to an utterance that has its reply.
    Answered,
}

/// One conversation with one provider.
#[derive(Debug, Clone)]
pub struct ProviderSession {
    reconnect: Reconnect,
    state: SessionState,
    setup: Setup,
    handle: Option<String>,
    history: ReplayHistory,
    backlog: Backlog,
    /// Calls of this connection without a result.
    calls: Vec<CallId>,
    /// Whether the person or the model is in the middle of a turn.
    busy: bool,
    /// Whether the model is in the middle of a reply.
    acting: bool,
    speech: Speech,
    /// Consecutive connections that were of no use.
    attempts: u32,
    /// Whether the connection counts as lasting when the wait is over.
    lasts: bool,
    was_ready: bool,
    wait: TimerId,
    jitter: Jitter,
}

impl ProviderSession {
    pub fn new(setup: Setup, reconnect: Reconnect) -> Self {
        Self {
            reconnect,
            state: SessionState::Waiting,
            handle: setup.resume.clone(),
            history: ReplayHistory::new(&setup.history),
            setup,
            backlog: Backlog::default(),
            calls: Vec::new(),
            busy: false,
            acting: false,
            speech: Speech::Unreported,
            attempts: 0,
            lasts: false,
            was_ready: false,
            wait: TimerId(0),
            jitter: Jitter::new(0.0),
        }
    }

    pub fn state(&self) -> SessionState {
        self.state
    }

    /// Whether commands can be sent now. Otherwise inputs that can wait are a [`SessionInput::Hold`], and
    /// the others are dropped.
    pub fn is_open(&self) -> bool {
        matches!(self.state, SessionState::Ready | SessionState::Draining)
    }

    /// The setup of the next connection: with the newest handle, and with the history for a provider without
    /// handles.
    pub fn setup(&self) -> Setup {
        let mut setup = self.setup.clone();
        setup.resume.clone_from(&self.handle);
        setup.history = self.history.said();
        setup
    }

    /// The actions that follow from an input. The wait before a further connection uses `jitter`.
    pub fn on(&mut self, input: SessionInput<'_>, jitter: Jitter) -> Vec<Action> {
        if self.state == SessionState::Closed {
            return Vec::new();
        }
        self.jitter = jitter;
        match input {
            SessionInput::Begin => self.connect(),
            SessionInput::Event(event) => self.on_event(event),
            SessionInput::Hold(held) => self.hold(held),
            SessionInput::Waited(wait) if wait == self.wait => self.on_waited(),
            SessionInput::Waited(_) => Vec::new(),
            SessionInput::End => self.end(),
        }
    }

    fn connect(&mut self) -> Vec<Action> {
        (self.state, self.lasts) = (SessionState::Connecting, false);
        self.wait = TimerId(self.wait.0.wrapping_add(1));
        vec![Action::Connect]
    }

    fn end(&mut self) -> Vec<Action> {
        let connected = matches!(
            self.state,
            SessionState::Connecting | SessionState::Ready | SessionState::Draining
        );
        self.state = SessionState::Closed;
        let disconnect = connected.then_some(Action::Disconnect);
        disconnect.into_iter().chain([Action::Tell(ConnectionNotice::Ended)]).collect()
    }

    fn hold(&mut self, held: &[DeferredInput]) -> Vec<Action> {
        held.iter().for_each(|held| self.backlog.push(held.clone()));
        match self.is_open() {
            true => self.deliver().into_iter().collect(),
            false => Vec::new(),
        }
    }

    fn deliver(&mut self) -> Option<Action> {
        let held = self.backlog.take(if self.acting {
            ReplyProgress::Queued
        } else {
            ReplyProgress::Awaited
        });
        for held in &held {
            self.history.on_sent(held);
            match held {
                DeferredInput::Text(_) | DeferredInput::Opening(_) => self.busy = true,
                DeferredInput::Result(result) => self.calls.retain(|open| *open != result.call_id),
            }
        }
        (!held.is_empty()).then_some(Action::Deliver(held))
    }

    /// On disconnect, unacknowledged inputs are re-sent over the next connection; remove them from the
    /// replay history so that they are not sent twice.
    fn on_disconnected(&mut self) -> Option<Action> {
        self.calls.clear();
        (self.busy, self.acting) = (false, false);
        if self.speech == Speech::Unanswered {
            self.speech = Speech::Answered;
        }
        let recovered = self.backlog.recover();
        if !recovered.again.is_empty() {
            self.history.drop_partial_reply();
        }
        recovered.again.iter().for_each(|held| self.history.remove(held));
        self.history.turn_ended();
        (recovered.given_up > 0).then_some(Action::Tell(ConnectionNotice::Unanswered))
    }

    fn on_waited(&mut self) -> Vec<Action> {
        if std::mem::take(&mut self.lasts) {
            self.attempts = 0;
        }
        match self.state {
            SessionState::Waiting => self.connect(),
            SessionState::Draining => self.reconnect_before_close(),
            SessionState::Connecting | SessionState::Ready | SessionState::Closed => Vec::new(),
        }
    }

    /// Leaves a connection that is about to end, before the provider closes it. If a turn or a call is in
    /// progress, the core is informed. The next connection is made at once if this one was of use, and
    /// otherwise after a wait like that after a loss.
    fn reconnect_before_close(&mut self) -> Vec<Action> {
        let mut actions = vec![Action::Disconnect];
        if self.attempts > 0 {
            actions.extend(self.on_connection_lost(&repeated_close_fault()));
            return actions;
        }
        self.attempts = 1;
        let interrupted = ConnectionNotice::Interrupted { attempt: 0, delay: Duration::ZERO };
        actions.extend((!self.is_calm()).then_some(Action::Tell(interrupted)));
        actions.extend(self.on_disconnected());
        actions.extend(self.connect());
        actions
    }

    fn on_event(&mut self, event: &ProviderEvent) -> Vec<Action> {
        self.update_state(event);
        match event {
            ProviderEvent::Ready { .. } => self.ready(),
            ProviderEvent::GoingAway { time_left } if self.state == SessionState::Ready => {
                self.drain(*time_left)
            }
            ProviderEvent::Resumption { handle } => {
                self.handle.clone_from(handle);
                Vec::new()
            }
            ProviderEvent::Fault(fault) => self.on_fault(fault),
            ProviderEvent::Closed(fault) => self.on_connection_lost(fault),
            ProviderEvent::CallsCancelled(calls) => {
                let crossed = self.send_results_again(calls);
                crossed.into_iter().chain(self.reconnect_if_calm()).collect()
            }
            _ => self.reconnect_if_calm(),
        }
    }

    fn reconnect_if_calm(&mut self) -> Vec<Action> {
        match self.state == SessionState::Draining && self.attempts == 0 && self.is_calm() {
            true => self.reconnect_before_close(),
            false => Vec::new(),
        }
    }

    /// Updates the state that later decisions depend on.
    fn update_state(&mut self, event: &ProviderEvent) {
        match event {
            ProviderEvent::Transcript {
                by: Speaker::Person,
                text,
                stage: TranscriptStage::Final,
            } => {
                self.on_person_transcript(text);
            }
            ProviderEvent::Transcript { by, text, stage: TranscriptStage::Final } => {
                self.history.add(*by, text);
            }
            ProviderEvent::Transcript { by: Speaker::Model, .. } => {
                self.model_acts();
                self.history.model_speaks();
            }
            ProviderEvent::ToolCalls(calls) => {
                self.model_acts();
                self.calls.extend(calls.iter().map(|call| call.call_id.clone()));
            }
            ProviderEvent::CallsCancelled(calls) => self.calls.retain(|open| !calls.contains(open)),
            ProviderEvent::SpeechStarted => {
                self.busy = true;
                self.speech = Speech::Unanswered;
            }
            ProviderEvent::Audio { .. } => self.model_acts(),
            ProviderEvent::Interrupted => {
                self.acting = false;
                self.backlog.interrupted();
            }
            ProviderEvent::TurnComplete(end) => self.turn_ended(end),
            _ => {}
        }
    }

    fn model_acts(&mut self) {
        self.busy = true;
        self.acting = true;
        self.backlog.model_acts();
    }

    /// A connection is of use if the model completed a turn about an input over it; `attempts` counts the
    /// connections since then.
    fn turn_ended(&mut self, end: &TurnEnd) {
        let spoken_to = self.backlog.has_unacknowledged() || self.speech == Speech::Unanswered;
        if spoken_to {
            self.attempts = 0;
        }
        (self.busy, self.acting) = (false, false);
        self.backlog.turn_ended(end);
        self.history.turn_ended();
        if self.speech == Speech::Unanswered && *end != TurnEnd::Interrupted {
            self.speech = Speech::Answered;
        }
    }

    /// The transcript of the person's speech.
    fn on_person_transcript(&mut self, text: &str) {
        self.history.add(Speaker::Person, text);
        if self.speech == Speech::Answered || text.trim().is_empty() {
            return;
        }
        self.busy = true;
        self.backlog.add_transcript(
            text,
            if self.acting { ReplyProgress::Started } else { ReplyProgress::Awaited },
        );
    }

    fn is_calm(&self) -> bool {
        !self.busy && self.calls.is_empty()
    }

    fn ready(&mut self) -> Vec<Action> {
        self.state = SessionState::Ready;
        let again = std::mem::replace(&mut self.was_ready, true);
        let mut actions = Vec::from_iter(again.then_some(Action::Tell(ConnectionNotice::Restored)));
        actions.extend(self.deliver());
        if self.attempts > 0 {
            self.lasts = true;
            actions.push(self.start_wait(self.reconnect.stable));
        }
        actions
    }

    fn drain(&mut self, time_left: Option<Duration>) -> Vec<Action> {
        if self.attempts == 0 && self.is_calm() {
            return self.reconnect_before_close();
        }
        self.state = SessionState::Draining;
        let delay = match self.attempts {
            0 => self.reconnect.drain(time_left),
            _ => self.reconnect.keep(time_left),
        };
        self.lasts = delay >= self.reconnect.stable;
        vec![self.start_wait(delay)]
    }

    fn start_wait(&mut self, delay: Duration) -> Action {
        self.wait = TimerId(self.wait.0.wrapping_add(1));
        Action::Wait { wait: self.wait, delay }
    }

    /// A fault on an open connection may end it.
    fn on_fault(&mut self, fault: &ProviderFault) -> Vec<Action> {
        match fault.severity {
            Severity::Ignore => match &fault.about {
                FaultSubject::Result(call) => {
                    self.send_results_again(slice::from_ref(call)).into_iter().collect()
                }
                _ => Vec::new(),
            },
            Severity::Retry | Severity::Fatal => {
                let mut actions = vec![Action::Disconnect];
                actions.extend(self.on_connection_lost(fault));
                actions
            }
        }
    }

    /// Sends results again that the provider refused, or whose calls it cancelled meanwhile. Their calls
    /// are not open any more, so this time they are sent as text.
    fn send_results_again(&self, calls: &[CallId]) -> Option<Action> {
        let held = calls.iter().filter_map(|call| self.backlog.unacknowledged_result(call));
        let held: Vec<_> = held.collect();
        (!held.is_empty()).then_some(Action::Deliver(held))
    }

    /// The connection is lost: schedules another attempt, or gives up.
    fn on_connection_lost(&mut self, fault: &ProviderFault) -> Vec<Action> {
        self.attempts += 1;
        let hopeless =
            fault.severity == Severity::Fatal || self.attempts > self.reconnect.max_attempts;
        if hopeless {
            self.state = SessionState::Closed;
            return vec![Action::Tell(ConnectionNotice::Lost(fault.clone()))];
        }
        self.state = SessionState::Waiting;
        let unanswered = self.on_disconnected();
        let (attempt, delay) = (self.attempts, self.reconnect.delay(self.attempts, self.jitter));
        let mut actions = vec![Action::Tell(ConnectionNotice::Interrupted { attempt, delay })];
        actions.extend(unanswered);
        self.lasts = false;
        actions.push(self.start_wait(delay));
        actions
    }
}

/// The fault of repeated connections that were announced to end before they were of use.
fn repeated_close_fault() -> ProviderFault {
    ProviderFault {
        severity: Severity::Retry,
        code: "going_away".to_owned(),
        message: String::new(),
        reason: "the provider ends each connection as soon as it is made",
        about: FaultSubject::Connection,
    }
}

#[cfg(test)]
#[path = "session_tests.rs"]
mod tests;
