//! The capabilities of a transport. The core checks these and never the provider's name.

use crate::provider::Provider;

/// Whether a provider supports a feature.
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

/// The provider's treatment of open calls on barge-in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cancellation {
    /// It cancels calls ([`super::ProviderEvent::CallsCancelled`]) and expects no result for them.
    TakesBack,
    /// A call stays open until it is answered.
    Never,
}

/// The capabilities of a transport.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Capabilities {
    /// The declaration target it uses.
    pub declarations: Provider,
    pub cancellation: Cancellation,
    /// Stops generating at [`super::Command::Interrupt`]. Otherwise the provider continues, and the
    /// rest of its reply is discarded.
    pub interrupt: Support,
    /// Accepts [`super::Command::Truncate`], so that the model knows which part was not heard.
    pub truncate: Support,
    /// Accepts [`super::Command::Say`].
    pub say: Support,
    /// Continues to speak while calls run, and accepts results when it is silent.
    pub scheduled_results: Support,
    /// Transcribes the person's speech.
    pub hears: Support,
}
