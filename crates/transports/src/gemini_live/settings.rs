//! Options that only Gemini Live has, and the capabilities that follow from them.

use aileron_contract::Provider;
use aileron_contract::transport::{Cancellation, Capabilities, Support};
use serde::Serialize;

/// The choices that depend on the model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GeminiLiveOptions {
    /// The declarations to send: [`Provider::GeminiJsonSchema`] or [`Provider::GeminiNative`].
    pub declarations: Provider,
    pub text: TextChannel,
    pub calls: CallBehaviour,
}

impl Default for GeminiLiveOptions {
    fn default() -> Self {
        Self {
            declarations: Provider::GeminiJsonSchema,
            text: TextChannel::Content,
            calls: CallBehaviour::AsTheModelDoes,
        }
    }
}

/// The message in which text is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextChannel {
    /// `clientContent`: in order, part of the history; it interrupts the model.
    Content,
    /// `realtimeInput`: for models that take `clientContent` as history only.
    Realtime,
}

/// Whether the model continues to speak while a call runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CallBehaviour {
    /// The model's default; declarations are sent as they are.
    AsTheModelDoes,
    /// Every declaration is marked `NON_BLOCKING`, and results say when the model should speak about them.
    NonBlocking(Scheduling),
}

/// When the model speaks about a result that it did not wait for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Scheduling {
    Silent,
    WhenIdle,
    Interrupt,
}

impl GeminiLiveOptions {
    pub(super) fn capabilities(&self) -> Capabilities {
        let scheduled_results = match self.calls {
            CallBehaviour::AsTheModelDoes => Support::No,
            CallBehaviour::NonBlocking(_) => Support::Yes,
        };
        Capabilities {
            declarations: self.declarations,
            cancellation: Cancellation::TakesBack,
            interrupt: Support::No,
            truncate: Support::No,
            say: Support::No,
            scheduled_results,
            hears: Support::Yes,
        }
    }
}
