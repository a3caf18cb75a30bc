//! A nested call, made by a handler: it passes the same pipeline.

use std::sync::Arc;

use aileron_capability::envelope::failed;
use aileron_contract::envelope::Failure;
use aileron_contract::{Arguments, CallId, ErrorType, ToolCall, ToolResponse};
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use serde_json::Value;

use crate::admission::{Finality, Refusal};
use crate::candidate::{CallOrigin, CandidateCall};
use crate::conversation_core::ConversationCore;
use crate::handler_view::HandlerHost;
use crate::nested::ParentCall;
use crate::offered_tools::documentation;
use crate::pipeline::admit_candidates;
use crate::policy::PolicyName;
use crate::refusal::refuse;
use crate::state::ConversationState;
use crate::trail::Trail;

const NO_ANSWER: &str = "the call has no answer";
const NO_TOOLS: &str = "this tool does not declare that it calls others";

impl HandlerHost for ConversationCore {
    fn state(&self) -> ConversationState {
        self.lock().policy.state.clone()
    }

    fn documentation(&self, tool: &str) -> Result<String, Vec<String>> {
        documentation(self, tool)
    }

    fn call_nested(
        self: Arc<Self>,
        parent: Option<Arc<ParentCall>>,
        caller: CallId,
        tool: String,
        args: Value,
    ) -> BoxFuture<'static, ToolResponse> {
        let call = ToolCall { call_id: caller, tool_id: tool, args: Arguments::Value(args) };
        async move { call_nested(&self, parent, call).await }.boxed()
    }
}

async fn call_nested(
    core: &Arc<ConversationCore>,
    parent: Option<Arc<ParentCall>>,
    call: ToolCall,
) -> ToolResponse {
    let info = &core.info;
    let candidate = CandidateCall::new(call, &info.toolset);
    let nested = parent.and_then(|parent| {
        let next = parent.next(&candidate.call.tool_id, candidate.shown_args()).ok()?;
        Some((parent, next))
    });
    let Some((parent, (call_id, key))) = nested else {
        return failed(Failure::new(ErrorType::Denied, NO_TOOLS), info.stamp(&candidate.call));
    };
    let mut candidate = candidate.called(call_id).keyed(key, CallOrigin::Model);
    let refused = candidate.spec().and_then(|spec| {
        let max_depth = info.services.config.nesting.max_depth;
        parent.check(&candidate.call.tool_id, spec.side_effects, max_depth).err()
    });
    if let Some(error) = refused {
        return refuse_nested(core, candidate, error.into_failure()).await;
    }
    candidate.parent = Some(parent);
    let call = candidate.call.clone();
    let answers = admit_candidates(core, vec![candidate]).run(core).await;
    answers.first().map_or_else(
        || failed(Failure::new(ErrorType::Internal, NO_ANSWER), info.stamp(&call)),
        |answer| (**answer).clone(),
    )
}

async fn refuse_nested(
    core: &ConversationCore,
    candidate: CandidateCall,
    failure: Failure,
) -> ToolResponse {
    let by = PolicyName::Nesting;
    let (info, trail) = (&core.info, Trail::refused_by(by));
    let answered = {
        let locked = core.lock();
        info.publish_decided(&candidate, &trail, locked.policy.turn);
        let refusal = Refusal { by, failure: Box::new(failure), finality: Finality::Final };
        let now = (&locked.policy, &locked.confirmations, info.now());
        refuse(info, candidate, refusal, &trail, now)
    };
    (*answered.wait().await).clone()
}
