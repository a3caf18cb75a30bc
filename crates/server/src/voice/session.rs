//! One voice session, in one task: waits for the next input, passes it to `session_logic` and performs the
//! actions. Calls run in separate tasks.

mod close;
mod control;
mod input;
mod perform;
mod receive;
mod transcript;

use std::future::poll_fn;
use std::sync::Arc;
use std::task::{Context as TaskContext, Poll};

use aileron_agent::TranscriptLog;
use aileron_capability::Clock;
use aileron_contract::Mode;
use aileron_orchestrator::state::StateEvent;
use aileron_orchestrator::{ConversationEvent, OpenError, Person};
use aileron_transports::upstream::PollReads;
use tokio::runtime::Handle;

use self::control::{Control, Timer};
use self::input::VoiceInput;
use super::client::Client;
use super::context_window::ContextWindow;
use super::conversation_queue::{ConversationQueue, JobResult};
use super::keepalive::{Keepalive, KeepaliveAction};
use super::limits::VoiceSessionLimits;
use super::message_rate_limit::MessageRateLimit;
use super::poll_on_wake::{self, PollOnWake};
use super::protocol::{ErrorCode, SessionEndReason, VoiceServerMessage};
use super::providers::{LiveProvider, Provider};
use super::session_logic::{SessionEnd, VoiceSessionLogic};
use super::sessions::{EndRequest, SessionLease};
use crate::app::App;
use crate::conversations::Lease;
use crate::event_hub::Subscription;

/// The parts of a session.
pub(crate) struct SessionParts {
    pub(crate) app: App,
    pub(crate) person: Person,
    pub(crate) conversation: Lease,
    pub(crate) client: Client,
    pub(crate) live: LiveProvider,
    pub(crate) provider: Arc<Provider>,
    pub(crate) logic: VoiceSessionLogic,
    pub(crate) transcript_log: TranscriptLog,
    pub(crate) events: Subscription,
    pub(crate) hold: SessionLease,
    pub(crate) context: ContextWindow,
    pub(crate) rate_limit: MessageRateLimit,
    /// The runtime on which calls run, so that audio never waits for a tool.
    pub(crate) call_runtime: Handle,
}

pub(crate) struct VoiceSession {
    app: App,
    person: Person,
    conversation: Lease,
    provider: Arc<Provider>,
    logic: VoiceSessionLogic,
    transcript_log: TranscriptLog,
    context: ContextWindow,
    rate_limit: MessageRateLimit,
    client: PollOnWake<Client>,
    live: PollOnWake<LiveProvider>,
    control: PollOnWake<Control>,
    keepalive: Keepalive,
    clock: Arc<dyn Clock>,
    limits: VoiceSessionLimits,
    when_sent: Option<StateEvent>,
    end: Option<SessionEnd>,
    /// The code of the close frame.
    close_code: u16,
    faults: u32,
    audio_refused: bool,
    /// Whether the model's current reply has audio.
    model_is_speaking: bool,
    /// Dropped audio frames that were already counted, towards the client and towards the provider.
    counted_drops: (u64, u64),
}

const NORMAL: u16 = 1000;
const GOING_AWAY: u16 = 1001;
const POLICY: u16 = 1008;
const TOO_BIG: u16 = 1009;

impl VoiceSession {
    pub(crate) fn new(parts: SessionParts) -> Self {
        let clock = parts.app.clock().clone();
        let limits = *parts.app.voice().limits();
        let now = clock.now_ms();
        let at = now.saturating_add(limits.ping_ms);
        let control = Control {
            events: parts.events,
            hold: parts.hold,
            timer: Timer { at, wait: clock.wait_until(at) },
            queue: ConversationQueue::new((*parts.conversation).clone(), parts.call_runtime),
        };
        Self {
            app: parts.app,
            person: parts.person,
            conversation: parts.conversation,
            provider: parts.provider,
            logic: parts.logic,
            transcript_log: parts.transcript_log,
            context: parts.context,
            rate_limit: parts.rate_limit,
            client: PollOnWake::new(parts.client),
            live: PollOnWake::new(parts.live),
            control: PollOnWake::new(control),
            keepalive: Keepalive::new(limits.ping_ms, now),
            clock,
            limits,
            when_sent: None,
            end: None,
            close_code: NORMAL,
            faults: 0,
            audio_refused: false,
            model_is_speaking: false,
            counted_drops: (0, 0),
        }
    }

    /// Runs until the session ends.
    pub(crate) async fn run(mut self) -> SessionEndReason {
        self.logic.on_state(&self.conversation.state());
        let fill = self.context.check();
        self.warn(fill);
        loop {
            self.perform();
            if let Some(end) = self.end.take() {
                return self.leave(end).await;
            }
            self.set_timer();
            let input = self.next_input().await;
            self.on_input(input);
        }
    }

    /// Events come before the results they belong to. Messages queued for the client are sent before new input
    /// is read.
    async fn next_input(&mut self) -> VoiceInput {
        poll_fn(|cx| self.poll_input(cx)).await
    }

    fn poll_input(&mut self, cx: &mut TaskContext<'_>) -> Poll<VoiceInput> {
        if let Poll::Ready(input) = self.control.poll(cx, |control, _, cx| control.poll(cx)) {
            return Poll::Ready(input);
        }
        // A recording that is sent at once is passed on before all of it is read, so that the queue has room.
        if self.live.is_behind()
            && let Poll::Ready(input) = self.poll_live(cx)
        {
            return Poll::Ready(input);
        }
        if let Poll::Ready(received) = self.client.poll(cx, Client::poll) {
            return Poll::Ready(VoiceInput::Client(received));
        }
        self.poll_live(cx)
    }

    fn poll_live(&mut self, cx: &mut TaskContext<'_>) -> Poll<VoiceInput> {
        let output = self.live.poll(cx, |live, reason, cx| live.poll(reading(reason), cx));
        output.map(VoiceInput::Provider)
    }

    fn on_input(&mut self, input: VoiceInput) {
        match input {
            VoiceInput::Event(Some(event)) => self.on_event(event),
            VoiceInput::Event(None) => self.end_with(SessionEndReason::Shutdown, GOING_AWAY),
            VoiceInput::EndRequested(EndRequest::TakenOver) => {
                self.end_with(SessionEndReason::TakenOver, NORMAL);
            }
            VoiceInput::EndRequested(EndRequest::Ended) => {
                self.end_with(SessionEndReason::Stopped, NORMAL);
            }
            VoiceInput::EndRequested(EndRequest::Shutdown) => {
                self.end_with(SessionEndReason::Shutdown, GOING_AWAY);
            }
            VoiceInput::Time => self.on_time(),
            VoiceInput::Done(done) => self.on_job_result(done),
            VoiceInput::Client(received) => self.on_client_input(received),
            VoiceInput::Provider(Some(output)) => self.on_provider_output(output),
            VoiceInput::Provider(None) => self.end_with(SessionEndReason::UpstreamLost, NORMAL),
        }
    }

    fn now(&self) -> u64 {
        self.clock.now_ms()
    }

    fn end_with(&mut self, reason: SessionEndReason, close_code: u16) {
        if self.end.is_none() {
            self.end = Some(reason.into());
            self.close_code = close_code;
        }
    }

    fn set_timer(&mut self) {
        let at = self.logic.due().min(self.keepalive.due());
        if at < self.control.timer.at {
            self.control.timer = Timer { at, wait: self.clock.wait_until(at) };
        }
    }

    fn on_time(&mut self) {
        let now = self.now();
        self.count_dropped_audio();
        self.logic.on_time(now);
        match self.keepalive.on_time(now) {
            KeepaliveAction::Nothing => {}
            KeepaliveAction::Ping => self.client.ping(),
            KeepaliveAction::Dead => self.end_with(SessionEndReason::Vanished, NORMAL),
        }
        let at = self.logic.due().min(self.keepalive.due());
        self.control.timer = Timer { at, wait: self.clock.wait_until(at) };
    }

    /// Counts the audio frames that were dropped since the last count.
    fn count_dropped_audio(&mut self) {
        let dropped = (self.client.dropped_audio(), self.live.dropped_audio());
        let before = std::mem::replace(&mut self.counted_drops, dropped);
        let figures = self.app.voice().figures();
        figures.audio_dropped_down.add(dropped.0 - before.0);
        figures.audio_dropped_up.add(dropped.1 - before.1);
    }

    fn on_event(&mut self, event: ConversationEvent) {
        if matches!(event, ConversationEvent::Effect(_)) {
            self.logic.on_state(&self.conversation.state());
        }
        let now = self.now();
        self.logic.on_conversation_event(event, now);
    }

    fn on_job_result(&mut self, done: JobResult) {
        let now = self.now();
        let logic = &mut self.logic;
        match done {
            JobResult::Answers(results) => logic.on_answers(results, now),
            JobResult::Resolved(resolutions) => logic.on_resolutions(resolutions),
            JobResult::TaskResults(results) => logic.on_task_results(results),
            JobResult::Confirmed(confirmed) => logic.on_confirmed(confirmed),
            JobResult::TurnBegan { pending_message } => {
                if let Some(message) = pending_message {
                    logic.on_pending_message(message, now);
                }
                // Another process may have moved the conversation to text.
                if self.conversation.mode() == Mode::Text {
                    self.end_with(SessionEndReason::TakenOver, NORMAL);
                }
            }
            // Another process may have ended the conversation.
            JobResult::TurnNotKept(OpenError::Ended) => {
                self.end_with(SessionEndReason::Stopped, NORMAL);
            }
            JobResult::TurnNotKept(error) => {
                tracing::warn!(%error, "A turn of a voice conversation could not be saved.");
                let (code, message) = (ErrorCode::StoreUnavailable, error.to_string());
                self.send_message(&VoiceServerMessage::Error { code, message });
            }
        }
        self.logic.record_late_result_time(now);
    }
}

/// A socket that was only written to has no data to read.
fn reading(reason: poll_on_wake::WakeReason) -> PollReads {
    match reason {
        poll_on_wake::WakeReason::Written => PollReads::Unneeded,
        poll_on_wake::WakeReason::Woken => PollReads::Wanted,
    }
}
