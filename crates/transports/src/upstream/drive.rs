//! Polls the socket and the timers of a conversation, and performs the actions of the session.

use std::task::{Context, Poll};
use std::time::Duration;

use aileron_contract::transport::{
    CloseCode, Command, FrameError, MissedEvent, OutgoingFrame, Protocol, ProviderEvent,
};
use tokio::time::Instant;

use super::{Alarm, LinkState, Output, PollReads, Upstream};
use crate::outbox::MessageLoad;
use crate::session::{Action, SessionInput, SessionState};
use crate::socket::{SocketEnd, SocketReceived, dial};

/// How many pings a provider may answer without any content before the expected reply is given up.
const MAX_SILENT_PINGS: u32 = 2;

/// Whether a poll made progress.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PollProgress {
    Moved,
    Still,
}

impl<P: Protocol> Upstream<P> {
    /// The same as [`Upstream::next`], as a poll function.
    pub fn poll(&mut self, mut reading: PollReads, cx: &mut Context<'_>) -> Poll<Option<Output>> {
        loop {
            if let Some(output) = self.outputs.pop_front() {
                return Poll::Ready(Some(output));
            }
            if self.session.state() == SessionState::Closed {
                return Poll::Ready(None);
            }
            let moved = [self.poll_wait(cx), self.poll_link(reading, cx), self.poll_silence(cx)];
            if !moved.contains(&PollProgress::Moved) {
                return Poll::Pending;
            }
            // There may be another socket, or more data on this one.
            reading = PollReads::Wanted;
        }
    }

    fn poll_wait(&mut self, cx: &mut Context<'_>) -> PollProgress {
        let Some((wait, alarm)) = &mut self.wait else { return PollProgress::Still };
        let wait = *wait;
        if alarm.poll(cx).is_pending() {
            return PollProgress::Still;
        }
        self.wait = None;
        self.on_input(SessionInput::Waited(wait));
        PollProgress::Moved
    }

    fn poll_link(&mut self, reading: PollReads, cx: &mut Context<'_>) -> PollProgress {
        match &mut self.link {
            LinkState::None => PollProgress::Still,
            LinkState::Dialing(dialing) => match dialing.as_mut().poll(cx) {
                Poll::Pending => PollProgress::Still,
                Poll::Ready(Ok(socket)) => {
                    self.link = LinkState::Up(Box::new(socket));
                    self.start();
                    PollProgress::Moved
                }
                Poll::Ready(Err(ended)) => self.ended(&ended),
            },
            LinkState::Up(socket) => {
                // A connection that the provider has reset is reported by reading, after all data that came
                // before.
                if let Poll::Ready(Err(error)) = socket.poll_send(&mut self.outbox, cx)
                    && !error.is_cut()
                {
                    return self.ended(&error.into());
                }
                if reading == PollReads::Unneeded {
                    return PollProgress::Still;
                }
                match socket.poll_receive(cx) {
                    Poll::Pending => PollProgress::Still,
                    Poll::Ready(SocketReceived::Ended(ended)) => self.ended(&ended),
                    Poll::Ready(SocketReceived::Pulse) => self.on_frame(),
                    Poll::Ready(SocketReceived::Frame(frame)) => {
                        self.effects.clear();
                        let read = self.protocol.receive(frame, &mut self.effects);
                        self.on_parsed(read)
                    }
                }
            }
        }
    }

    /// Pings a silent provider once, and then takes the connection for dead.
    fn poll_silence(&mut self, cx: &mut Context<'_>) -> PollProgress {
        let idle = matches!(self.link, LinkState::None);
        if idle || self.silence.poll(cx).is_pending() {
            return PollProgress::Still;
        }
        let due = self.last_frame_at + self.world.limits.silence;
        if self.session.is_open() && !self.ping_sent && Instant::now() < due {
            self.silence.set(due);
            return PollProgress::Moved;
        }
        if self.session.is_open() && !self.ping_sent {
            self.ping_sent = true;
            self.outbox.ping();
            self.set_silence(self.world.limits.silence);
            self.on_silence();
            return PollProgress::Moved;
        }
        self.ended(&SocketEnd::dropped("no sign of life from the provider"))
    }

    /// Counts a silence. After several, the expected reply is overdue, although the provider answers pings.
    fn on_silence(&mut self) {
        self.silent_pings = self.silent_pings.saturating_add(1);
        if self.silent_pings == MAX_SILENT_PINGS {
            let _ = self.send_command(Command::Overdue(MissedEvent::Reply), MessageLoad::Control);
        }
    }

    /// The provider is sent an input, so the time for its reply starts again.
    fn restart_silence(&mut self) {
        let was_silent = std::mem::take(&mut self.silent_pings) > 0;
        if was_silent && !self.ping_sent {
            self.set_silence(self.world.limits.silence);
        }
    }

    fn set_silence(&mut self, time: Duration) {
        self.silence.set(Instant::now() + time);
    }

    /// The provider sent a frame. The timer is set only if it is due too late, so not for each frame.
    fn on_frame(&mut self) -> PollProgress {
        self.ping_sent = false;
        self.last_frame_at = Instant::now();
        let due = self.last_frame_at + self.world.limits.silence;
        if self.session.is_open() && due < self.silence.due() {
            self.silence.set(due);
        }
        PollProgress::Moved
    }

    /// The protocol parsed a frame, or could not.
    fn on_parsed(&mut self, read: Result<(), FrameError>) -> PollProgress {
        self.silent_pings = 0;
        match read {
            Ok(()) => self.settle(MessageLoad::Control),
            Err(error) => self.outputs.push_back(Output::Malformed(error)),
        }
        self.on_frame()
    }

    fn ended(&mut self, ended: &SocketEnd) -> PollProgress {
        self.link = LinkState::None;
        self.outbox.discard();
        self.effects.clear();
        self.protocol.closed(ended.code, &ended.reason, &mut self.effects);
        self.settle(MessageLoad::Control);
        PollProgress::Moved
    }

    fn start(&mut self) {
        let setup = self.session.setup();
        self.protocol = (self.make)();
        self.effects.clear();
        // A new protocol accepts any first setup.
        let _ = self.protocol.command(Command::Start(&setup), &mut self.effects);
        self.settle(MessageLoad::Control);
    }

    /// Sends the frames, and emits the events, of the protocol's effects.
    pub(super) fn settle(&mut self, load: MessageLoad) {
        for frame in self.effects.frames.drain(..) {
            // The session decides about closing.
            if let OutgoingFrame::Text(text) = frame {
                self.outbox.push(load, text);
            }
        }
        // The actions that follow from an event may have effects too.
        let mut events = std::mem::take(&mut self.effects.events);
        for event in events.drain(..) {
            let actions = self.session.on(SessionInput::Event(&event), self.jitter);
            self.outputs.push_back(Output::Event(event));
            actions.into_iter().for_each(|action| self.act(action));
        }
        if self.effects.events.is_empty() {
            self.effects.events = events;
        }
    }

    pub(super) fn on_input(&mut self, input: SessionInput<'_>) {
        let actions = self.session.on(input, self.jitter);
        actions.into_iter().for_each(|action| self.act(action));
    }

    fn act(&mut self, action: Action) {
        match action {
            Action::Connect => {
                let dialing = dial(self.world.target.clone(), self.world.tls.clone());
                self.link = LinkState::Dialing(Box::pin(dialing));
                (self.ping_sent, self.silent_pings) = (false, 0);
                self.set_silence(self.world.limits.setup);
            }
            Action::Disconnect => {
                self.flush_partial_transcript();
                match std::mem::replace(&mut self.link, LinkState::None) {
                    LinkState::Up(socket) => socket.leave(self.outbox.take()),
                    LinkState::Dialing(_) | LinkState::None => self.outbox.discard(),
                }
            }
            Action::Wait { wait, delay } => {
                self.jitter = (self.world.jitter)();
                self.wait = Some((wait, Alarm::after(delay)));
            }
            Action::Deliver(held) => {
                self.restart_silence();
                // The session delivers only while the protocol is ready, so the protocol accepts all inputs.
                let _ = self.send_command(Command::Told(&held), MessageLoad::Control);
            }
            Action::Tell(notice) => self.outputs.push_back(Output::Notice(notice)),
        }
    }

    /// Emits the partial transcript of a connection that we leave in the middle of an utterance. A protocol
    /// emits nothing twice, so a connection that has ended emits nothing more.
    fn flush_partial_transcript(&mut self) {
        self.effects.clear();
        self.protocol.closed(CloseCode::Missing, "", &mut self.effects);
        let words = |event: &ProviderEvent| matches!(event, ProviderEvent::Transcript { .. });
        let events = self.effects.events.drain(..).filter(words);
        self.outputs.extend(events.map(Output::Event));
    }
}
