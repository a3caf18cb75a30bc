//! A conversation without a person that records the effects of handlers.

use std::sync::Mutex;

use aileron_contract::envelope::Failure;
use aileron_contract::{ErrorType, Mode, ToolResponse};
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use serde_json::{Value, json};

use super::{answer, locked};
use crate::conversation::Level;
use crate::envelope::{self, ResponseMeta};
use crate::{Answer, Caller, ConversationAccess};

/// The version of a toolset that was never built.
const TOOLS_VERSION: &str = "1.0.00000000";

const NO_OTHER_TOOLS: &str = "no other tool can be called from here";

/// An effect of a handler that a person or a log would see.
#[derive(Debug, Clone, PartialEq)]
pub enum RecordedEffect {
    Message(Value),
    Note { event: String, details: Value },
    Progress(Value),
    Partial(Value),
    Log { level: Level, text: String },
}

/// A conversation for cases, scripts and tests.
#[derive(Debug)]
pub struct RecordingConversation(Mutex<RecordedState>);

#[derive(Debug)]
struct RecordedState {
    active: bool,
    voice: bool,
    seen: Vec<RecordedEffect>,
}

impl RecordingConversation {
    /// An open session; in voice, with voice on.
    pub fn new(mode: Mode) -> Self {
        let voice = mode == Mode::Voice;
        Self(Mutex::new(RecordedState { active: true, voice, seen: Vec::new() }))
    }

    /// Opens the session or ends it.
    pub fn set_active(&self, active: bool) {
        locked(&self.0).active = active;
    }

    /// Turns voice on or off.
    pub fn set_voice(&self, on: bool) {
        locked(&self.0).voice = on;
    }

    /// All recorded effects, in order.
    pub fn seen(&self) -> Vec<RecordedEffect> {
        locked(&self.0).seen.clone()
    }

    fn see(&self, seen: RecordedEffect) {
        locked(&self.0).seen.push(seen);
    }
}

impl ConversationAccess for RecordingConversation {
    fn tools_version(&self) -> &str {
        TOOLS_VERSION
    }

    fn state(&self) -> Value {
        let state = locked(&self.0);
        let (mode, voice) = if state.voice { ("voice", "active") } else { ("text", "off") };
        let standing = if state.active { "active" } else { "ended" };
        json!({
            "mode": mode,
            "standing": { "is": standing },
            "voice": { "is": voice },
            "suppressAudio": false,
            "suppressTranscript": false,
        })
    }

    fn is_active(&self) -> bool {
        locked(&self.0).active
    }

    fn voice_is_active(&self) -> bool {
        locked(&self.0).voice
    }

    fn send(&self, _caller: &Caller, message: Value) -> Answer<()> {
        self.see(RecordedEffect::Message(message));
        answer(Ok(()))
    }

    fn note(&self, _caller: &Caller, event: &str, details: Value) {
        self.see(RecordedEffect::Note { event: event.to_owned(), details });
    }

    fn log(&self, _caller: &Caller, level: Level, text: &str) {
        self.see(RecordedEffect::Log { level, text: text.to_owned() });
    }

    fn progress(&self, _caller: &Caller, update: Value) {
        self.see(RecordedEffect::Progress(update));
    }

    fn partial(&self, _caller: &Caller, data: Value) {
        self.see(RecordedEffect::Partial(data));
    }

    fn documentation(&self, _tool: &str) -> Result<String, Vec<String>> {
        Err(Vec::new())
    }

    fn call_tool(
        &self,
        caller: &Caller,
        tool: String,
        _args: Value,
    ) -> BoxFuture<'static, ToolResponse> {
        let error = Failure::new(ErrorType::Unavailable, NO_OTHER_TOOLS);
        let stamp = ResponseMeta {
            tool_id: &tool,
            tool_version: None,
            registry_version: "",
            call_id: &caller.call_id,
            duration_ms: 0,
            attempts: 0,
            clamped: Vec::new(),
            over_budget: false,
        };
        std::future::ready(envelope::failed(error, stamp)).boxed()
    }
}

#[cfg(test)]
#[path = "conversation_tests.rs"]
mod tests;
