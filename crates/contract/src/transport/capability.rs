//! What a transport can do. The core asks these, never which provider it talks to.

use crate::provider::Provider;

/// Whether the provider can do a thing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Support {
    Yes,
    No,
}

impl Support {
    pub const fn is_yes(self) -> bool {
        matches!(self, Self::Yes)
    }
}

/// What the provider does with calls that the person talked over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cancellation {
    /// It takes calls back ([`super::ProviderEvent::CallsCancelled`]) and expects no answer to those.
    TakesBack,
    /// A call stays open until it is answered.
    Never,
}

/// What a transport can do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Capabilities {
    /// Which of a tool's declarations it takes.
    pub declarations: Provider,
    pub cancellation: Cancellation,
    /// Stops generating at [`super::Command::Interrupt`]. Otherwise the provider goes on, and nobody
    /// listens to the rest of its reply.
    pub interrupt: Support,
    /// Takes [`super::Command::Truncate`], so that the model knows what was not heard.
    pub truncate: Support,
    /// Takes [`super::Command::Say`].
    pub say: Support,
    /// Goes on talking while calls run, and takes results when it is silent.
    pub scheduled_results: Support,
    /// Transcribes the person by itself.
    pub hears: Support,
}
