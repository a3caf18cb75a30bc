//! A conversation with a provider, driven: sockets, timers and jitter around the
//! pure session and the pure protocol. One task polls it; nothing is spawned but goodbyes.

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

/// What comes of a conversation.
#[derive(Debug, Clone, PartialEq)]
pub enum Output {
    Event(ProviderEvent),
    Notice(ConnectionNotice),
    /// A frame that could not be read and was passed over.
    Malformed(FrameError),
}

/// Whether a poll looks for frames that came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PollReads {
    Wanted,
    /// Nothing can have come since the last poll: its waker was not called.
    Unneeded,
}

/// What a conversation needs of the world.
pub struct UpstreamConfig {
    pub target: Target,
    pub tls: Arc<ClientConfig>,
    pub reconnect: Reconnect,
    pub limits: UpstreamTimeouts,
    /// A number from 0 to 1, another one each time.
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
    /// From the first attempt to the setup that was taken.
    pub setup: Duration,
    /// Without a frame, until it is asked whether it is alive; and again, until it is taken for dead.
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
    /// When the provider last gave a sign of life.
    heard: Instant,
    /// Whether the provider was asked for a sign of life.
    asked: bool,
    /// How often it was since its last frame: it lives, and says nothing.
    quiet: u32,
    /// The number for the next wait, drawn ahead: hardly any happening leads to one.
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
    /// Begins a conversation. `make` gives a fresh protocol for each connection. Needs a tokio runtime.
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
            heard: Instant::now(),
            jitter: (world.jitter)(),
            world,
            effects: Effects::default(),
            link: LinkState::None,
            outbox: Outbox::default(),
            outputs: VecDeque::new(),
            wait: None,
            asked: false,
            quiet: 0,
        };
        upstream.happen(SessionInput::Begin);
        upstream
    }

    pub fn capabilities(&self) -> &Capabilities {
        self.protocol.capabilities()
    }

    pub fn state(&self) -> SessionState {
        self.session.state()
    }

    /// Pieces of audio that the provider did not take in time, that were lost with a connection, or that
    /// came without one.
    pub fn dropped_audio(&self) -> u64 {
        self.outbox.dropped()
    }

    /// Whether more audio waits than a moment's, so that it had better be sent before more comes.
    pub fn is_behind(&self) -> bool {
        self.outbox.is_behind()
    }

    /// What comes next; nothing once the conversation is over. It also sends what waits, so it has
    /// to be polled. Dropping the future loses nothing.
    pub async fn next(&mut self) -> Option<Output> {
        poll_fn(|cx| self.poll(PollReads::Wanted, cx)).await
    }

    /// Takes a command. What can wait for a connection does; audio without one is dropped.
    pub fn command(&mut self, command: Command<'_>) -> Result<(), CommandError> {
        match command {
            Command::Start(_) => return Err(CommandError::StartedTwice),
            Command::End => self.happen(SessionInput::End),
            Command::Text(text) => {
                self.happen(SessionInput::Hold(&[DeferredInput::Text(text.to_owned())]));
            }
            Command::Results(results) => {
                let held: Vec<_> = results.iter().cloned().map(DeferredInput::Result).collect();
                self.happen(SessionInput::Hold(&held));
            }
            Command::LateResult(result) => {
                self.happen(SessionInput::Hold(&[DeferredInput::Result(result.clone())]));
            }
            Command::Open(sentence) => {
                self.happen(SessionInput::Hold(&[DeferredInput::Opening(sentence.to_owned())]));
            }
            Command::Told(held) => self.happen(SessionInput::Hold(held)),
            Command::Audio(_) if !self.session.is_open() => self.outbox.drop_audio(),
            Command::Audio(_) => return self.tell(command, MessageLoad::Audio),
            _ if !self.session.is_open() => return Err(CommandError::NotReady),
            _ => return self.tell(command, MessageLoad::Control),
        }
        Ok(())
    }

    fn tell(&mut self, command: Command<'_>, load: MessageLoad) -> Result<(), CommandError> {
        self.effects.clear();
        self.protocol.command(command, &mut self.effects)?;
        self.settle(load);
        Ok(())
    }
}
