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

use super::Shared;
use crate::chain::Chain;
use crate::draft::{Draft, Origin};
use crate::event::Event;
use crate::policy::Finality;
use crate::state::{Standing, Voice};

/// What one call may ask of its conversation.
#[derive(Debug)]
pub(crate) struct Port {
    shared: Arc<Shared>,
    /// The call itself, if it may call other tools.
    chain: Option<Arc<Chain>>,
}

impl Port {
    pub(crate) fn new(shared: &Arc<Shared>, chain: Option<Arc<Chain>>) -> Self {
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

impl Conversation for Port {
    fn tools_version(&self) -> &str {
        self.shared.toolset.registry().version()
    }

    fn state(&self) -> Value {
        serde_json::to_value(&self.shared.lock().memory.state).unwrap_or_default()
    }

    fn is_active(&self) -> bool {
        self.shared.lock().memory.state.standing() == Standing::Active
    }

    fn voice_is_active(&self) -> bool {
        matches!(self.shared.lock().memory.state.voice(), Voice::Active | Voice::Ending { .. })
    }

    fn send(&self, caller: &Caller, message: Value) -> Answer<()> {
        let call_id = caller.call_id.clone();
        self.shared.tell(|| Event::Message { call_id, message });
        std::future::ready(Ok(())).boxed()
    }

    fn note(&self, caller: &Caller, event: &str, details: Value) {
        let (call_id, event) = (caller.call_id.clone(), event.to_owned());
        let details = self.shown(caller, details);
        self.shared.tell(|| Event::Note { call_id, event, details });
    }

    fn log(&self, caller: &Caller, level: Level, text: &str) {
        let (call_id, text) = (caller.call_id.clone(), self.shown(caller, text.to_owned()));
        self.shared.tell(|| Event::Log { call_id, level, text });
    }

    fn progress(&self, caller: &Caller, update: Value) {
        let call_id = caller.call_id.clone();
        self.shared.tell(|| Event::Progress { call_id, update });
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
        async move { shared.call_inside(chain, caller_id, tool, args).await }.boxed()
    }
}

impl Shared {
    /// A call made by a handler: the same gate, inside of the handler's own call.
    async fn call_inside(
        self: Arc<Self>,
        chain: Option<Arc<Chain>>,
        caller: CallId,
        tool: String,
        args: Value,
    ) -> ToolResponse {
        let call = ToolCall { call_id: caller, tool_id: tool, args: Arguments::Value(args) };
        let draft = Draft::new(call, &self.toolset);
        let inside = chain.and_then(|chain| {
            let next = chain.next(&draft.call.tool_id, draft.shown_args()).ok()?;
            Some((chain, next))
        });
        let Some((chain, (call_id, key))) = inside else {
            return failed(Failure::new(ErrorType::Denied, NO_TOOLS), self.stamp(&draft.call));
        };
        let mut draft = draft.called(call_id).keyed(key, Origin::Model);
        let refused = draft.spec().and_then(|spec| {
            let depth = self.core.config.nesting.most_depth;
            chain.check(&draft.call.tool_id, spec.side_effects, depth).err()
        });
        if let Some(error) = refused {
            return self.refuse_inside(draft, error.into_failure()).await;
        }
        draft.chain = Some(chain);
        let call = draft.call.clone();
        let answers = self.admit_drafts(vec![draft]).run(self.clone()).await;
        answers.first().map_or_else(
            || failed(Failure::new(ErrorType::Internal, NO_ANSWER), self.stamp(&call)),
            |answer| (**answer).clone(),
        )
    }

    async fn refuse_inside(&self, draft: Draft, failure: Failure) -> ToolResponse {
        let answered = {
            let mut inner = self.lock();
            let now = self.now();
            self.refuse(draft, NESTING, (failure, Finality::Final), &mut inner, now)
        };
        (*answered.told().await).clone()
    }
}
