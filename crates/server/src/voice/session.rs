//! One voice session: waits for whatever happens next, lets the bridge decide, and does what it says.
//! One task for each; calls run in tasks of their own.

mod control;
mod keep;
mod leave;
mod perform;
mod receive;

use std::future::poll_fn;
use std::sync::Arc;
use std::task::{Context as TaskContext, Poll};

use aileron_agent::Minutes;
use aileron_capability::Clock;
use aileron_contract::Mode;
use aileron_orchestrator::state::StateEvent;
use aileron_orchestrator::{ConversationEvent, OpenError, Person};
use aileron_transports::upstream::{Output, PollReads};
use tokio::runtime::Handle;

use self::control::{Control, Timer};

use super::bridge::{Bridge, End};
use super::client::{Client, Received};
use super::context::Context;
use super::flood::Flood;
use super::lane::{Done, Lane};
use super::limits::Limits;
use super::protocol::{Down, ErrorCode, Reason};
use super::providers::{Live, Provider};
use super::pulse::{Beat, Pulse};
use super::sessions::{Asked, Hold};
use super::woken::{self, Woken};
use crate::app::App;
use crate::conversations::Lease;
use crate::hub::Subscription;

/// What a session is made of.
pub(crate) struct Parts {
    pub(crate) app: App,
    pub(crate) person: Person,
    pub(crate) conversation: Lease,
    pub(crate) client: Client,
    pub(crate) live: Live,
    pub(crate) provider: Arc<Provider>,
    pub(crate) bridge: Bridge,
    pub(crate) minutes: Minutes,
    pub(crate) events: Subscription,
    pub(crate) hold: Hold,
    pub(crate) context: Context,
    pub(crate) flood: Flood,
    /// Where calls run, so that audio never waits for a tool.
    pub(crate) elsewhere: Handle,
}

pub(crate) struct Session {
    app: App,
    person: Person,
    conversation: Lease,
    provider: Arc<Provider>,
    bridge: Bridge,
    minutes: Minutes,
    context: Context,
    flood: Flood,
    client: Woken<Client>,
    live: Woken<Live>,
    control: Woken<Control>,
    pulse: Pulse,
    clock: Arc<dyn Clock>,
    limits: Limits,
    when_sent: Option<StateEvent>,
    end: Option<End>,
    /// The code the connection is closed with.
    close_code: u16,
    faults: u32,
    audio_refused: bool,
    /// Pieces of audio whose loss was counted, from the client's side and from the provider's.
    counted_drops: (u64, u64),
}

/// What happened next.
enum Step {
    Event(Option<ConversationEvent>),
    Asked(Asked),
    Time,
    Done(Done),
    Client(Received),
    Provider(Option<Output>),
}

const NORMAL: u16 = 1000;
const GOING_AWAY: u16 = 1001;
const POLICY: u16 = 1008;
const TOO_BIG: u16 = 1009;

impl Session {
    pub(crate) fn new(parts: Parts) -> Self {
        let clock = parts.app.clock().clone();
        let limits = *parts.app.voice().limits();
        let now = clock.now_ms();
        let at = now.saturating_add(limits.ping_ms);
        let control = Control {
            events: parts.events,
            hold: parts.hold,
            timer: Timer { at, wait: clock.wait_until(at) },
            lane: Lane::new((*parts.conversation).clone(), parts.elsewhere),
        };
        Self {
            app: parts.app,
            person: parts.person,
            conversation: parts.conversation,
            provider: parts.provider,
            bridge: parts.bridge,
            minutes: parts.minutes,
            context: parts.context,
            flood: parts.flood,
            client: Woken::new(parts.client),
            live: Woken::new(parts.live),
            control: Woken::new(control),
            pulse: Pulse::new(limits.ping_ms, now),
            clock,
            limits,
            when_sent: None,
            end: None,
            close_code: NORMAL,
            faults: 0,
            audio_refused: false,
            counted_drops: (0, 0),
        }
    }

    /// Runs to the end.
    pub(crate) async fn run(mut self) -> Reason {
        self.bridge.on_state(&self.conversation.state());
        let fill = self.context.look();
        self.warn(fill);
        loop {
            self.perform();
            if let Some(end) = self.end.take() {
                return self.leave(end).await;
            }
            self.arm();
            let step = self.step().await;
            self.take(step);
        }
    }

    /// Events come before the answers they belong to. What waits for the client is sent before more
    /// is made.
    async fn step(&mut self) -> Step {
        poll_fn(|cx| self.poll_step(cx)).await
    }

    fn poll_step(&mut self, cx: &mut TaskContext<'_>) -> Poll<Step> {
        if let Poll::Ready(step) = self.control.poll(cx, |control, _, cx| control.poll(cx)) {
            return Poll::Ready(step);
        }
        // A recording that comes at once is passed on before all of it is read, so that it has room.
        if self.live.is_behind()
            && let Poll::Ready(step) = self.poll_live(cx)
        {
            return Poll::Ready(step);
        }
        if let Poll::Ready(received) = self.client.poll(cx, Client::poll) {
            return Poll::Ready(Step::Client(received));
        }
        self.poll_live(cx)
    }

    fn poll_live(&mut self, cx: &mut TaskContext<'_>) -> Poll<Step> {
        let output = self.live.poll(cx, |live, reason, cx| live.poll(reading(reason), cx));
        output.map(Step::Provider)
    }

    fn take(&mut self, step: Step) {
        match step {
            Step::Event(Some(event)) => self.happened(event),
            Step::Event(None) => self.ends(Reason::Shutdown, GOING_AWAY),
            Step::Asked(Asked::TakenOver) => self.ends(Reason::TakenOver, NORMAL),
            Step::Asked(Asked::Ended) => self.ends(Reason::Stopped, NORMAL),
            Step::Asked(Asked::Shutdown) => self.ends(Reason::Shutdown, GOING_AWAY),
            Step::Time => self.time(),
            Step::Done(done) => self.done(done),
            Step::Client(received) => self.received(received),
            Step::Provider(Some(output)) => self.provided(output),
            Step::Provider(None) => self.ends(Reason::UpstreamLost, NORMAL),
        }
    }

    fn now(&self) -> u64 {
        self.clock.now_ms()
    }

    fn ends(&mut self, reason: Reason, close_code: u16) {
        if self.end.is_none() {
            self.end = Some(reason.into());
            self.close_code = close_code;
        }
    }

    fn arm(&mut self) {
        let at = self.bridge.due().min(self.pulse.due());
        if at < self.control.timer.at {
            self.control.timer = Timer { at, wait: self.clock.wait_until(at) };
        }
    }

    fn time(&mut self) {
        let now = self.now();
        self.count_dropped_audio();
        self.bridge.on_time(now);
        match self.pulse.on_time(now) {
            Beat::Nothing => {}
            Beat::Ping => self.client.ping(),
            Beat::Dead => self.ends(Reason::Vanished, NORMAL),
        }
        let at = self.bridge.due().min(self.pulse.due());
        self.control.timer = Timer { at, wait: self.clock.wait_until(at) };
    }

    /// Adds what was dropped since it was last looked at.
    fn count_dropped_audio(&mut self) {
        let dropped = (self.client.dropped_audio(), self.live.dropped_audio());
        let before = std::mem::replace(&mut self.counted_drops, dropped);
        let figures = self.app.voice().figures();
        figures.audio_dropped_down.add(dropped.0 - before.0);
        figures.audio_dropped_up.add(dropped.1 - before.1);
    }

    fn happened(&mut self, event: ConversationEvent) {
        if matches!(event, ConversationEvent::Effect(_)) {
            self.bridge.on_state(&self.conversation.state());
        }
        let now = self.now();
        self.bridge.on_happening(event, now);
    }

    fn done(&mut self, done: Done) {
        let now = self.now();
        let bridge = &mut self.bridge;
        match done {
            Done::Answers(results) => bridge.on_answers(results, now),
            Done::Resolved(resolutions) => bridge.on_resolutions(resolutions),
            Done::Confirmed(confirmed) => bridge.on_confirmed(confirmed),
            Done::TurnBegan { pending_message } => {
                if let Some(message) = pending_message {
                    bridge.on_pending_message(message, now);
                }
                // Another process may have taken the conversation to text.
                if self.conversation.mode() == Mode::Text {
                    self.ends(Reason::TakenOver, NORMAL);
                }
            }
            // Another process may have ended the conversation.
            Done::TurnNotKept(OpenError::Ended) => self.ends(Reason::Stopped, NORMAL),
            Done::TurnNotKept(error) => {
                tracing::warn!(%error, "A turn of a voice conversation could not be saved.");
                let (code, message) = (ErrorCode::StoreUnavailable, error.to_string());
                self.tell(&Down::Error { code, message });
            }
        }
        self.bridge.note_late(now);
    }
}

/// What only was touched has nothing to be read.
fn reading(reason: woken::Reason) -> PollReads {
    match reason {
        woken::Reason::Touched => PollReads::Unneeded,
        woken::Reason::Rang => PollReads::Wanted,
    }
}
