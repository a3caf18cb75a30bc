//! The conversation as the handler of one call sees it.

use std::sync::Arc;

use aileron_capability::conversation::Level;
use aileron_capability::{Answer, Caller, ConversationAccess};
use aileron_contract::{CallId, ToolResponse};
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use serde_json::Value;

use crate::conversation_info::ConversationInfo;
use crate::event::ConversationEvent;
use crate::nested::ParentCall;
use crate::partial_bounds::PartialBounds;
use crate::state::{ConversationState, Lifecycle, VoiceState};
use crate::task::TaskSlot;

const HIDDEN: &str = "hidden, because the tool hides arguments or results (`redact`)";

/// The services of a conversation for the handlers of its calls.
pub(crate) trait HandlerHost: Send + Sync + std::fmt::Debug {
    fn state(&self) -> ConversationState;

    /// The documentation of an offered tool, or the offered tools with the most similar names.
    fn documentation(&self, tool: &str) -> Result<String, Vec<String>>;

    /// Makes a nested call for a handler.
    fn call_nested(
        self: Arc<Self>,
        parent: Option<Arc<ParentCall>>,
        caller: CallId,
        tool: String,
        args: Value,
    ) -> BoxFuture<'static, ToolResponse>;
}

/// The requests that the handler of one call may make to its conversation.
#[derive(Debug)]
pub(crate) struct HandlerView {
    pub(crate) info: Arc<ConversationInfo>,
    pub(crate) host: Arc<dyn HandlerHost>,
    /// The call itself, if it may call other tools.
    pub(crate) parent: Option<Arc<ParentCall>>,
    pub(crate) partial: PartialBounds,
    /// Set if the call is, or may become, a task.
    pub(crate) task: Option<Arc<TaskSlot>>,
}

impl HandlerView {
    /// Output of a handler, replaced by a fixed sentence if its tool hides anything.
    fn shown<T: From<&'static str>>(&self, caller: &Caller, said: T) -> T {
        let hides =
            self.info.toolset.entry(caller.tool.as_str()).is_some_and(|entry| entry.hides());
        if hides { HIDDEN.into() } else { said }
    }
}

impl ConversationAccess for HandlerView {
    fn tools_version(&self) -> &str {
        self.info.toolset.registry().version()
    }

    fn state(&self) -> Value {
        serde_json::to_value(self.host.state()).unwrap_or_default()
    }

    fn is_active(&self) -> bool {
        self.host.state().lifecycle() == Lifecycle::Active
    }

    fn voice_is_active(&self) -> bool {
        matches!(self.host.state().voice(), VoiceState::Active | VoiceState::Ending { .. })
    }

    fn send(&self, caller: &Caller, message: Value) -> Answer<()> {
        let call_id = caller.call_id.clone();
        self.info.publish(|| ConversationEvent::Message { call_id, message });
        std::future::ready(Ok(())).boxed()
    }

    fn note(&self, caller: &Caller, event: &str, details: Value) {
        let (call_id, event) = (caller.call_id.clone(), event.to_owned());
        let details = self.shown(caller, details);
        self.info.publish(|| ConversationEvent::Note { call_id, event, details });
    }

    fn log(&self, caller: &Caller, level: Level, text: &str) {
        let (call_id, text) = (caller.call_id.clone(), self.shown(caller, text.to_owned()));
        self.info.publish(|| ConversationEvent::Log { call_id, level, text });
    }

    fn progress(&self, caller: &Caller, update: Value) {
        let (call_id, update) = (caller.call_id.clone(), self.shown(caller, update));
        if let Some(task) = &self.task {
            let masked = self.info.services.platform.masks.value(update.clone());
            task.keep_progress(self.info.store(), &masked, self.info.now());
        }
        self.info.publish(|| ConversationEvent::Progress { call_id, update });
    }

    /// Pointers of `redact` refer to the whole result, so the pieces of a tool that hides anything
    /// are replaced.
    fn partial(&self, caller: &Caller, data: Value) {
        let Some(index) = self.partial.admit(&data, self.info.now()) else { return };
        let (call_id, data) = (caller.call_id.clone(), self.shown(caller, data));
        self.info.publish(|| ConversationEvent::Partial { call_id, index, data });
    }

    fn documentation(&self, tool: &str) -> Result<String, Vec<String>> {
        self.host.documentation(tool)
    }

    fn call_tool(
        &self,
        caller: &Caller,
        tool: String,
        args: Value,
    ) -> BoxFuture<'static, ToolResponse> {
        let (host, parent) = (self.host.clone(), self.parent.clone());
        host.call_nested(parent, caller.call_id.clone(), tool, args)
    }
}
