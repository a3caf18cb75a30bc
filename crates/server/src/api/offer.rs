//! What the model of a conversation is told: the tools it is offered.

use std::sync::Arc;

use aileron_contract::Provider;
use aileron_orchestrator::Conversation;
use aileron_runtime::Tool;
use serde_json::Value;

/// The tools that a conversation offers.
pub(super) struct Offer {
    registry_version: String,
    tools: Vec<Arc<Tool>>,
}

impl Offer {
    pub(super) fn of(conversation: &Conversation) -> Self {
        let (registry, mode) = (conversation.registry(), conversation.mode());
        let allowed = |tool: &&Arc<Tool>| tool.spec().allowed_modes.contains(mode);
        let tools = registry.tools().iter().filter(allowed).cloned().collect();
        Self { registry_version: registry.version().to_owned(), tools }
    }

    pub(super) fn text(&self) -> String {
        let summaries = self
            .tools
            .iter()
            .map(|tool| format!("## {}\n{}\n", tool.spec().tool_id, tool.artifact().summary));
        let summaries: Vec<String> = summaries.collect();
        format!("# Available Tools (v{})\n\n{}", self.registry_version, summaries.join("\n"))
    }

    pub(super) fn declarations(&self, target: Provider) -> Vec<Value> {
        let declared = |tool: &Arc<Tool>| tool.artifact().provider_schemas.get(&target).cloned();
        self.tools.iter().filter_map(declared).collect()
    }
}
