//! The transport contract: how the core talks with a live voice provider
//! without knowing which one it is.
//!
//! A [`Protocol`] turns commands into frames and frames into events. It is pure: its caller owns
//! sockets, clocks and reconnects. It never decides about a call.

mod capability;
mod command;
mod event;
mod fault;
mod setup;

pub use capability::{Cancellation, Capabilities, Support};
pub use command::{CallResult, Command, CommandError, DeferredInput, MissedEvent, OutgoingFrame};
pub use event::{
    ProviderEvent, RateLimit, Speaker, TokenCount, TranscriptStage, TurnEnd, Usage, UsageScope,
    Utterance,
};
pub use fault::{CloseCode, FaultSubject, FrameError, ProviderFault, Severity};
pub use setup::{Compression, HistoryMessage, Sensitivity, Setup, Transcription, TurnDetection};

/// Sample rate of the audio that a transport receives: PCM16 little-endian, mono.
pub const RATE_IN: u32 = 16_000;

/// Sample rate of the audio that a transport returns: PCM16 little-endian, mono.
pub const RATE_OUT: u32 = 24_000;

/// The effects of one frame or one command. The caller reuses one value, so that the audio path
/// does not allocate.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Effects {
    /// For the core, in order.
    pub events: Vec<ProviderEvent>,
    /// For the socket, in order.
    pub frames: Vec<OutgoingFrame>,
}

impl Effects {
    /// Clears both lists and keeps their memory.
    pub fn clear(&mut self) {
        self.events.clear();
        self.frames.clear();
    }

    /// Adds an event for the core.
    pub fn tell(&mut self, event: ProviderEvent) {
        self.events.push(event);
    }

    /// Adds a text frame for the socket.
    pub fn send(&mut self, text: String) {
        self.frames.push(OutgoingFrame::Text(text));
    }
}

/// One provider's protocol over one connection, from its first frame to its last.
///
/// Every connection gets a new value. State that outlives a connection (resumption handle,
/// undelivered results) is carried by events and commands.
pub trait Protocol {
    /// The provider's capabilities. They do not change during a connection.
    fn capabilities(&self) -> &Capabilities;

    /// Handles a frame of the provider, text or binary. An unreadable frame changes nothing.
    fn receive(&mut self, frame: &[u8], effects: &mut Effects) -> Result<(), FrameError>;

    /// Handles a command of the core. A refused command changes nothing.
    fn command(&mut self, command: Command<'_>, effects: &mut Effects) -> Result<(), CommandError>;

    /// The socket was closed, with the code and the reason the provider gave.
    fn closed(&mut self, code: CloseCode, reason: &str, effects: &mut Effects);
}

/// Lets the core hold any protocol as a trait object.
impl<P: Protocol + ?Sized> Protocol for Box<P> {
    fn capabilities(&self) -> &Capabilities {
        (**self).capabilities()
    }

    fn receive(&mut self, frame: &[u8], effects: &mut Effects) -> Result<(), FrameError> {
        (**self).receive(frame, effects)
    }

    fn command(&mut self, command: Command<'_>, effects: &mut Effects) -> Result<(), CommandError> {
        (**self).command(command, effects)
    }

    fn closed(&mut self, code: CloseCode, reason: &str, effects: &mut Effects) {
        (**self).closed(code, reason, effects);
    }
}

#[cfg(test)]
#[path = "transport_tests.rs"]
mod tests;
