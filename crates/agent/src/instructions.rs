//! The instructions of a model: composed from the prompts, the tools of the conversation and the limits of
//! the policies, never written by hand.
//!
//! The order is fixed: identity, behaviour in this mode, tools, the loop to follow.

mod agent_loop;
mod prompts;
mod tool_docs;

use std::sync::Arc;

use aileron_contract::{Mode, Provider, tokens};
use aileron_orchestrator::config::Budget;
use aileron_runtime::Tool;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use self::prompts::{PromptError, Prompts};
use self::tool_docs::ToolDocsSection;

/// The tool that reads guides.
///
/// It is in the registry and passes every policy like any other tool. It reads the guides of the tools that
/// the conversation offers, through the capability `tools`. One thing is special: it is declared only when
/// the instructions contain summaries in place of guides.
pub const DESCRIBE_TOOL: &str = "describe_tool";

/// How much of each tool's documentation the instructions contain.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ToolDocs {
    /// A summary of each tool; the model reads a guide with `describe_tool`.
    Summary,
    /// The whole guide of each tool.
    Full,
    /// Guides if they fit the budget, else summaries.
    #[default]
    Auto,
}

/// How instructions are composed.
#[derive(Debug, Clone, PartialEq)]
pub struct InstructionOptions {
    pub prompts: Prompts,
    pub tools: ToolDocs,
    /// Maximum number of estimated tokens for guides where `tools` is `Auto`.
    pub budget_tokens: usize,
}

impl Default for InstructionOptions {
    fn default() -> Self {
        Self {
            prompts: Prompts::default(),
            tools: ToolDocs::default(),
            budget_tokens: BUDGET_TOKENS,
        }
    }
}

const GUEST: &str =
    "The person is not signed in: what belongs to one person alone cannot be read for them.";

/// The default token budget of guides: a few per cent of a typical context window.
pub const BUDGET_TOKENS: usize = 8000;

/// The instructions of one conversation, and its tools.
#[derive(Debug, Clone)]
pub struct Instructions {
    parts: Vec<Section>,
    tools: Vec<Arc<Tool>>,
}

/// A part of the instructions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Section {
    /// The source of the part: `core`, `voice-behavior`, `text-behavior`, `tools`, `loop`, `person` or `now`.
    pub name: &'static str,
    pub text: String,
}

impl Section {
    /// The estimated tokens.
    pub fn tokens(&self) -> usize {
        tokens::of(&self.text)
    }
}

impl InstructionOptions {
    /// Composes the instructions for a mode, its budget and the tools that are offered.
    pub fn compose(
        &self,
        mode: Mode,
        budget: Budget,
        registry_version: &str,
        offered: &[Arc<Tool>],
    ) -> Instructions {
        let ToolDocsSection { text, tools } = tool_docs::tell(self, registry_version, offered);
        let behaviour = match mode {
            Mode::Text => Section { name: "text-behavior", text: self.prompts.text.clone() },
            Mode::Voice => Section { name: "voice-behavior", text: self.prompts.voice.clone() },
        };
        let parts = vec![
            Section { name: "core", text: self.prompts.core.clone() },
            behaviour,
            Section { name: "tools", text },
            Section { name: "loop", text: agent_loop::text(mode, budget, &tools) },
        ];
        Instructions { parts, tools }
    }
}

impl Instructions {
    /// Adds that the person has not signed in, so that the model does not look for their records.
    #[must_use]
    pub fn for_guest(mut self) -> Self {
        self.parts.push(Section { name: "person", text: GUEST.to_owned() });
        self
    }

    /// Adds the current time, at the end, because providers cache the unchanged beginning.
    #[must_use]
    pub fn at(mut self, now_ms: u64) -> Self {
        self.parts.extend(moment(now_ms).map(|text| Section { name: "now", text }));
        self
    }

    /// The parts, in their order.
    pub fn parts(&self) -> &[Section] {
        &self.parts
    }

    /// The tools that the instructions describe, which are the ones to declare.
    pub fn tools(&self) -> &[Arc<Tool>] {
        &self.tools
    }

    /// The whole text, as the model reads it.
    pub fn text(&self) -> String {
        let texts: Vec<_> = self.parts.iter().map(|part| part.text.trim()).collect();
        texts.join("\n\n") + "\n"
    }

    /// The declarations of the tools for a provider.
    pub fn declarations(&self, target: Provider) -> Vec<Value> {
        let declared = |tool: &Arc<Tool>| tool.artifact().declaration(target);
        self.tools.iter().filter_map(declared).collect()
    }
}

/// The date and the time to the minute, as text; none for a clock outside of the calendar's range.
fn moment(now_ms: u64) -> Option<String> {
    let now = Timestamp::from_millisecond(i64::try_from(now_ms).ok()?).ok()?;
    Some(now.strftime("Today is %A, %Y-%m-%dT%H:%M:00Z.").to_string())
}

#[cfg(test)]
#[path = "instructions_tests.rs"]
mod tests;
