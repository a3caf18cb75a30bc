//! Which tools a conversation offers to its model, and their documentation. Admission asks the same
//! policies again at every call.

use std::sync::Arc;

use aileron_contract::{Arguments, CallId, ToolCall};
use aileron_runtime::Tool;

use crate::admission::Admission;
use crate::candidate::CandidateCall;
use crate::confirmation::Confirmations;
use crate::conversation_core::ConversationCore;
use crate::conversation_info::ConversationInfo;
use crate::policy::StoreView;
use crate::policy_state::PolicyState;

/// The tools that a call could be admitted to, sorted by id.
pub(crate) fn offered(core: &ConversationCore) -> Vec<Arc<Tool>> {
    let state = core.lock().policy.clone();
    let tools = core.info.toolset.registry().tools().iter();
    tools.filter(|tool| offers(&core.info, tool, &state)).cloned().collect()
}

/// The documentation of an offered tool, or the offered tools with the most similar names.
pub(crate) fn documentation(core: &ConversationCore, id: &str) -> Result<String, Vec<String>> {
    let (info, state) = (&core.info, core.lock().policy.clone());
    let registry = info.toolset.registry();
    let offered = |id: &str| registry.tool(id).filter(|tool| offers(info, tool, &state));
    if let Some(tool) = offered(id) {
        return Ok(tool.artifact().documentation.clone());
    }
    let closest = registry.closest(id).into_iter().filter(|id| offered(id).is_some());
    Err(closest.map(str::to_owned).collect())
}

fn offers(info: &ConversationInfo, tool: &Tool, state: &PolicyState) -> bool {
    let Ok(call_id) = CallId::new("offer") else { return false };
    let tool_id = tool.spec().tool_id.to_string();
    let call = ToolCall { call_id, tool_id, args: Arguments::default() };
    let admission = Admission {
        now: info.now(),
        config: &info.services.config,
        person: &info.person,
        user: &info.user_view,
        toolset: &info.toolset,
        confirmations: &Confirmations::default(),
        ledger: &StoreView { store: info.store(), tasks: &info.services.tasks },
    };
    admission.offers(CandidateCall::new(call, &info.toolset), state)
}
