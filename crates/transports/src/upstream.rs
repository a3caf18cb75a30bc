//! Drives a conversation with a provider: sockets, timers and jitter around the pure session and the pure
//! protocol. One task polls it; only the closing of sockets is spawned.

mod drive;
mod timer;

use std::collections::VecDeque;
use std::fmt;
use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use aileron_contract::Jitter;
use aileron_contract::transport::{
    Capabilities, Command, CommandError, DeferredInput, Effects, FrameError, Protocol,
    ProviderEvent, Setup,
};
use rustls::ClientConfig;
use tokio::time::Instant;

use self::timer::Alarm;
use crate::outbox::{MessageLoad, Outbox};
use crate::session::{
    ConnectionNotice, ProviderSession, Reconnect, SessionInput, SessionState, TimerId,
};
use crate::socket::{Socket, SocketEnd};
use crate::target::Target;

/// An output of a conversation.
#[derive(Debug, Clone, PartialEq)]
pub enum Output {
    Event(ProviderEvent),
    Notice(ConnectionNotice),
    /// A frame that could not be parsed and was skipped.
    Malformed(FrameError),
}

/// Whether a poll reads from the socket.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PollReads {
    Wanted,
    /// No data can have come since the last poll, because its waker was not called.
    Unneeded,
}

/// The surroundings of a conversation.
pub struct UpstreamConfig {
    pub target: Target,
    pub tls: Arc<ClientConfig>,
    pub reconnect: Reconnect,
    pub limits: UpstreamTimeouts,
    /// Draws a number from 0 to 1.
    pub jitter: Box<dyn FnMut() -> Jitter + Send>,
}

impl fmt::Debug for UpstreamConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("World").field("target", &self.target).finish_non_exhaustive()
    }
}

/// How long a provider may be silent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UpstreamTimeouts {
    /// From the first attempt to the accepted setup.
    pub setup: Duration,
    /// Without a frame, until a ping is sent; and again, until the connection counts as dead.
    pub silence: Duration,
}

impl Default for UpstreamTimeouts {
    fn default() -> Self {
        Self { setup: Duration::from_secs(10), silence: Duration::from_secs(15) }
    }
}

type Dialing = Pin<Box<dyn Future<Output = Result<Socket, SocketEnd>> + Send>>;

enum LinkState {
    None,
    Dialing(Dialing),
    Up(Box<Socket>),
}

/// A conversation with a provider.
pub struct Upstream<P> {
    make: Box<dyn FnMut() -> P + Send>,
    world: UpstreamConfig,
    session: ProviderSession,
    protocol: P,
    effects: Effects,
    link: LinkState,
    outbox: Outbox,
    outputs: VecDeque<Output>,
    wait: Option<(TimerId, Alarm)>,
    silence: Alarm,
    /// When the last frame came.
    last_frame_at: Instant,
    /// Whether a ping was sent since then.
    ping_sent: bool,
    /// How many pings were sent since the last frame with content.
    silent_pings: u32,
    /// The number for the next wait, drawn in advance, because few inputs lead to a wait.
    jitter: Jitter,
}

impl<P: Protocol> fmt::Debug for Upstream<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = self.session.state();
        f.debug_struct("Upstream")
            .field("target", &self.world.target)
            .field("state", &state)
            .finish_non_exhaustive()
    }
}

impl<P: Protocol> Upstream<P> {
    /// Starts a conversation. `make` creates a protocol for each connection. Needs a tokio runtime.
    pub fn begin(
        mut world: UpstreamConfig,
        setup: Setup,
        mut make: impl FnMut() -> P + Send + 'static,
    ) -> Self {
        let mut upstream = Self {
            protocol: make(),
            make: Box::new(make),
            session: ProviderSession::new(setup, world.reconnect),
            silence: Alarm::after(world.limits.setup),
            last_frame_at: Instant::now(),
            jitter: (world.jitter)(),
            world,
            effects: Effects::default(),
            link: LinkState::None,
            outbox: Outbox::default(),
            outputs: VecDeque::new(),
            wait: None,
            ping_sent: false,
            silent_pings: 0,
        };
        upstream.on_input(SessionInput::Begin);
        upstream
    }

    pub fn capabilities(&self) -> &Capabilities {
        self.protocol.capabilities()
    }

    pub fn state(&self) -> SessionState {
        self.session.state()
    }

    /// Audio frames that the provider did not take in time, that were lost with a connection, or that came
    /// without one.
    pub fn dropped_audio(&self) -> u64 {
        self.outbox.dropped()
    }

    /// Whether so much audio is queued that it should be sent before more is read.
    pub fn is_behind(&self) -> bool {
        self.outbox.is_behind()
    }

    /// The next output; `None` once the conversation is over. Also sends queued messages, so it has to be
    /// polled. Cancel-safe.
    pub async fn next(&mut self) -> Option<Output> {
        poll_fn(|cx| self.poll(PollReads::Wanted, cx)).await
    }

    /// Takes a command. Inputs that can wait for a connection do; audio without one is dropped.
    pub fn command(&mut self, command: Command<'_>) -> Result<(), CommandError> {
        match command {
            Command::Start(_) => return Err(CommandError::StartedTwice),
            Command::End => self.on_input(SessionInput::End),
            Command::Text(text) => {
                self.on_input(SessionInput::Hold(&[DeferredInput::Text(text.to_owned())]));
            }
            Command::Results(results) => {
                let held: Vec<_> = results.iter().cloned().map(DeferredInput::Result).collect();
                self.on_input(SessionInput::Hold(&held));
            }
            Command::LateResult(result) => {
                self.on_input(SessionInput::Hold(&[DeferredInput::Result(result.clone())]));
            }
            Command::Open(sentence) => {
                self.on_input(SessionInput::Hold(&[DeferredInput::Opening(sentence.to_owned())]));
            }
            Command::Told(held) => self.on_input(SessionInput::Hold(held)),
            Command::Audio(_) if !self.session.is_open() => self.outbox.drop_audio(),
            Command::Audio(_) => return self.send_command(command, MessageLoad::Audio),
            _ if !self.session.is_open() => return Err(CommandError::NotReady),
            _ => return self.send_command(command, MessageLoad::Control),
        }
        Ok(())
    }

    fn send_command(
        &mut self,
        command: Command<'_>,
        load: MessageLoad,
    ) -> Result<(), CommandError> {
        self.effects.clear();
        self.protocol.command(command, &mut self.effects)?;
        self.settle(load);
        Ok(())
    }
}
