//! Options that only Gemini Live has, and the capabilities that follow from them.

use aileron_contract::Provider;
use aileron_contract::models::{self, CallMode};
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
    /// The model waits for every result.
    Blocking,
    /// Every declaration is marked `NON_BLOCKING`, and results say when the model should speak about them,
    /// if the model takes that.
    NonBlocking(Option<Scheduling>),
    /// The model waits for writes, and continues to speak while tools run that only read.
    ReadsNonBlocking(Scheduling),
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
    /// The options by the contract of a model.
    pub fn for_model(model: &str) -> Self {
        let contract = models::gemini_live(model);
        let scheduling = contract.scheduling.is_accepted().then_some(Scheduling::WhenIdle);
        let has = |mode| contract.has_call_mode(mode);
        let calls = match (has(CallMode::Blocking), has(CallMode::NonBlocking), scheduling) {
            (true, true, Some(scheduling)) => CallBehaviour::ReadsNonBlocking(scheduling),
            (true, _, _) => CallBehaviour::Blocking,
            (false, true, scheduling) => CallBehaviour::NonBlocking(scheduling),
            (false, false, _) => CallBehaviour::AsTheModelDoes,
        };
        let text = match contract.client_content.is_accepted() {
            true => TextChannel::Content,
            false => TextChannel::Realtime,
        };
        Self { text, calls, ..Self::default() }
    }

    /// All calls are non-blocking, with the scheduling that the model takes.
    pub fn non_blocking(model: &str) -> CallBehaviour {
        let takes = models::gemini_live(model).scheduling.is_accepted();
        CallBehaviour::NonBlocking(takes.then_some(Scheduling::WhenIdle))
    }

    pub(super) fn capabilities(&self) -> Capabilities {
        let scheduled_results = match self.calls {
            CallBehaviour::AsTheModelDoes | CallBehaviour::Blocking => Support::No,
            CallBehaviour::NonBlocking(_) | CallBehaviour::ReadsNonBlocking(_) => Support::Yes,
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
