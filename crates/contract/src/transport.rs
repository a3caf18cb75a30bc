//! The transport contract: how the core talks with a live voice provider
//! without knowing which one it is.
//!
//! A [`Protocol`] turns commands into frames and frames into events. It is pure: sockets, clocks
//! and reconnecting belong to whoever drives it, and it never decides about a call.

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

/// Samples a second of the audio a transport is given: PCM16 little-endian, mono.
pub const RATE_IN: u32 = 16_000;

/// Samples a second of the audio a transport gives: PCM16 little-endian, mono.
pub const RATE_OUT: u32 = 24_000;

/// What handling one frame or one command leads to. The caller keeps one and clears it, so that the
/// audio path does not allocate lists.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Effects {
    /// For the core, in order.
    pub events: Vec<ProviderEvent>,
    /// For the socket, in order.
    pub frames: Vec<OutgoingFrame>,
}

impl Effects {
    /// Forgets what was handled, and keeps the room for more.
    pub fn clear(&mut self) {
        self.events.clear();
        self.frames.clear();
    }

    /// Tells the core.
    pub fn tell(&mut self, event: ProviderEvent) {
        self.events.push(event);
    }

    /// Sends a text frame.
    pub fn send(&mut self, text: String) {
        self.frames.push(OutgoingFrame::Text(text));
    }
}

/// One provider's protocol over one connection, from its first frame to its last.
///
/// A connection that is made again gets a fresh value; what has to survive (a handle to resume by,
/// results that nobody took) is in events and commands, never in here.
pub trait Protocol {
    /// What the provider can do. It does not change while connected.
    fn capabilities(&self) -> &Capabilities;

    /// Takes a frame of the provider, text or binary. A frame that cannot be read changes nothing.
    fn receive(&mut self, frame: &[u8], effects: &mut Effects) -> Result<(), FrameError>;

    /// Takes a command of the core. A command that is refused changes nothing.
    fn command(&mut self, command: Command<'_>, effects: &mut Effects) -> Result<(), CommandError>;

    /// The socket was closed, with the code and the reason the provider gave.
    fn closed(&mut self, code: CloseCode, reason: &str, effects: &mut Effects);
}

/// So that the core can hold whichever protocol a conversation has.
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
