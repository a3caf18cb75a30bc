//! Which tools a conversation offers to its model, and what they say of themselves. The gate asks
//! the same policies again at every call.

use std::sync::Arc;

use aileron_contract::{Arguments, CallId, ToolCall};
use aileron_runtime::Tool;

use crate::candidate::CandidateCall;
use crate::conversation::ConversationCore;
use crate::policy::{self, BatchCounts};
use crate::policy_state::PolicyState;

impl ConversationCore {
    /// The tools that a call could be let through to, sorted by id.
    pub(crate) fn offered(&self) -> Vec<Arc<Tool>> {
        let mut memory = self.lock().memory.clone();
        let tools = self.toolset.registry().tools().iter();
        tools.filter(|tool| self.offers(tool, &mut memory)).cloned().collect()
    }

    /// What an offered tool says to a model, or the offered tools that are named most like it.
    pub(crate) fn documentation(&self, id: &str) -> Result<String, Vec<String>> {
        let registry = self.toolset.registry();
        let mut memory = self.lock().memory.clone();
        let mut offered = |id: &str| {
            let tool = registry.tool(id)?;
            self.offers(tool, &mut memory).then_some(tool)
        };
        if let Some(tool) = offered(id) {
            return Ok(tool.artifact().documentation.clone());
        }
        let closest = registry.closest(id).into_iter().filter(|id| offered(id).is_some());
        Err(closest.map(str::to_owned).collect())
    }

    fn offers(&self, tool: &Tool, memory: &mut PolicyState) -> bool {
        let Ok(call_id) = CallId::new("offer") else { return false };
        let tool_id = tool.spec().tool_id.to_string();
        let call = ToolCall { call_id, tool_id, args: Arguments::default() };
        let mut candidate = CandidateCall::new(call, &self.toolset);
        let counts = BatchCounts::default();
        let mut context = self.context(memory, &counts, self.now());
        policy::offers(&mut candidate, &mut context)
    }
}
