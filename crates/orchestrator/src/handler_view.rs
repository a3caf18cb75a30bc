//! The conversation as its handlers see it.

use std::sync::Arc;

use aileron_contract::envelope::Failure;
use aileron_contract::{Arguments, CallId, ErrorType, ToolCall, ToolResponse};
use aileron_runtime::capability::conversation::Level;
use aileron_runtime::capability::{Answer, Caller, Conversation};
use aileron_runtime::envelope::failed;
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use serde_json::Value;

use crate::candidate::{CallOrigin, CandidateCall};
use crate::conversation::ConversationCore;
use crate::event::ConversationEvent;
use crate::nested::ParentCall;
use crate::policy::Finality;
use crate::state::{Lifecycle, VoiceState};

/// What one call may ask of its conversation.
#[derive(Debug)]
pub(crate) struct HandlerView {
    shared: Arc<ConversationCore>,
    /// The call itself, if it may call other tools.
    chain: Option<Arc<ParentCall>>,
}

impl HandlerView {
    pub(crate) fn new(shared: &Arc<ConversationCore>, chain: Option<Arc<ParentCall>>) -> Self {
        Self { shared: shared.clone(), chain }
    }

    /// What a handler has to say to those who maintain it, unless its tool hides anything.
    fn shown<T: From<&'static str>>(&self, caller: &Caller, said: T) -> T {
        let hides =
            self.shared.toolset.entry(caller.tool.as_str()).is_some_and(|entry| entry.hides());
        if hides { HIDDEN.into() } else { said }
    }
}

const HIDDEN: &str = "hidden, because the tool hides arguments or results (`redact`)";
const NESTING: &str = "nesting";
const NO_ANSWER: &str = "the call has no answer";
const NO_TOOLS: &str = "this tool does not declare that it calls others";

impl Conversation for HandlerView {
    fn tools_version(&self) -> &str {
        self.shared.toolset.registry().version()
    }

    fn state(&self) -> Value {
        serde_json::to_value(&self.shared.lock().memory.state).unwrap_or_default()
    }

    fn is_active(&self) -> bool {
        self.shared.lock().memory.state.standing() == Lifecycle::Active
    }

    fn voice_is_active(&self) -> bool {
        matches!(
            self.shared.lock().memory.state.voice(),
            VoiceState::Active | VoiceState::Ending { .. }
        )
    }

    fn send(&self, caller: &Caller, message: Value) -> Answer<()> {
        let call_id = caller.call_id.clone();
        self.shared.publish(|| ConversationEvent::Message { call_id, message });
        std::future::ready(Ok(())).boxed()
    }

    fn note(&self, caller: &Caller, event: &str, details: Value) {
        let (call_id, event) = (caller.call_id.clone(), event.to_owned());
        let details = self.shown(caller, details);
        self.shared.publish(|| ConversationEvent::Note { call_id, event, details });
    }

    fn log(&self, caller: &Caller, level: Level, text: &str) {
        let (call_id, text) = (caller.call_id.clone(), self.shown(caller, text.to_owned()));
        self.shared.publish(|| ConversationEvent::Log { call_id, level, text });
    }

    fn progress(&self, caller: &Caller, update: Value) {
        let call_id = caller.call_id.clone();
        self.shared.publish(|| ConversationEvent::Progress { call_id, update });
    }

    fn documentation(&self, tool: &str) -> Result<String, Vec<String>> {
        self.shared.documentation(tool)
    }

    fn call_tool(
        &self,
        caller: &Caller,
        tool: String,
        args: Value,
    ) -> BoxFuture<'static, ToolResponse> {
        let shared = self.shared.clone();
        let chain = self.chain.clone();
        let caller_id = caller.call_id.clone();
        async move { shared.call_nested(chain, caller_id, tool, args).await }.boxed()
    }
}

impl ConversationCore {
    /// A call made by a handler: the same gate, inside of the handler's own call.
    async fn call_nested(
        self: Arc<Self>,
        chain: Option<Arc<ParentCall>>,
        caller: CallId,
        tool: String,
        args: Value,
    ) -> ToolResponse {
        let call = ToolCall { call_id: caller, tool_id: tool, args: Arguments::Value(args) };
        let candidate = CandidateCall::new(call, &self.toolset);
        let inside = chain.and_then(|chain| {
            let next = chain.next(&candidate.call.tool_id, candidate.shown_args()).ok()?;
            Some((chain, next))
        });
        let Some((chain, (call_id, key))) = inside else {
            return failed(Failure::new(ErrorType::Denied, NO_TOOLS), self.stamp(&candidate.call));
        };
        let mut candidate = candidate.called(call_id).keyed(key, CallOrigin::Model);
        let refused = candidate.spec().and_then(|spec| {
            let depth = self.core.config.nesting.max_depth;
            chain.check(&candidate.call.tool_id, spec.side_effects, depth).err()
        });
        if let Some(error) = refused {
            return self.refuse_nested(candidate, error.into_failure()).await;
        }
        candidate.chain = Some(chain);
        let call = candidate.call.clone();
        let answers = self.admit_drafts(vec![candidate]).run(self.clone()).await;
        answers.first().map_or_else(
            || failed(Failure::new(ErrorType::Internal, NO_ANSWER), self.stamp(&call)),
            |answer| (**answer).clone(),
        )
    }

    async fn refuse_nested(&self, candidate: CandidateCall, failure: Failure) -> ToolResponse {
        let answered = {
            let mut inner = self.lock();
            let now = self.now();
            self.refuse(candidate, NESTING, (failure, Finality::Final), &mut inner, now)
        };
        (*answered.told().await).clone()
    }
}
