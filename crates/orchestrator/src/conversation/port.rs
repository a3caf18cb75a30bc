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
}

const NO_TOOLS: &str = "this tool does not declare that it calls others";

impl Conversation for Port {
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
        self.shared.tell(|| Event::Note { call_id, event, details });
    }

    fn log(&self, caller: &Caller, level: Level, text: &str) {
        let (call_id, text) = (caller.call_id.clone(), text.to_owned());
        self.shared.tell(|| Event::Log { call_id, level, text });
    }

    fn progress(&self, caller: &Caller, update: Value) {
        let call_id = caller.call_id.clone();
        self.shared.tell(|| Event::Progress { call_id, update });
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
        let (Some(chain), Some((call_id, key))) =
            (&chain, chain.as_ref().and_then(|it| it.next().ok()))
        else {
            return self.refused_inside(caller, tool, Failure::new(ErrorType::Denied, NO_TOOLS));
        };
        let call = ToolCall { call_id, tool_id: tool, args: Arguments::Value(args) };
        let mut draft = Draft::new(call, &self.toolset).keyed(key, Origin::Model);
        draft.chain = Some(chain.clone());
        if let Some(spec) = draft.spec() {
            let depth = self.core.config.nesting.most_depth;
            if let Err(error) = chain.check(&draft.tool_id, spec.side_effects, depth) {
                return self.stopped_inside(draft, error.into_failure()).await;
            }
        }
        let answers = self.admit_drafts(vec![draft]).run(self.clone()).await;
        answers.into_iter().next().map_or_else(
            || {
                self.refused_inside(
                    caller,
                    String::new(),
                    Failure::new(ErrorType::Internal, NO_TOOLS),
                )
            },
            |answer| (*answer).clone(),
        )
    }

    async fn stopped_inside(&self, draft: Draft, failure: Failure) -> ToolResponse {
        let refused = {
            let mut inner = self.lock();
            let now = self.now();
            self.refused(draft, "nesting", failure, &mut inner, now)
        };
        // A record that cannot be written now is written when it can.
        let _ = refused.1.await;
        (*refused.0).clone()
    }

    fn refused_inside(&self, call_id: CallId, tool_id: String, failure: Failure) -> ToolResponse {
        let call = ToolCall { call_id, tool_id, args: Arguments::default() };
        failed(failure, self.stamp(&Draft::new(call, &self.toolset)))
    }
}
