//! What a model reads before the first word: composed from the prompts, the tools of the
//! conversation and the numbers of its gate, never written by hand.
//!
//! The order is fixed: who it is, how it behaves in this mode, its tools, the loop it follows.

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
/// It is a tool like any other, in the registry and through every gate: what it reads comes from the
/// conversation by the capability `tools`, which already means "may know of other tools", and only for
/// tools that the conversation offers. So there is no second way around the pipeline and nothing here
/// that answers a call. All that is special about it is that it is declared only when it has a use:
/// when the instructions carry summaries in place of guides.
pub const DESCRIBE_TOOL: &str = "describe_tool";

/// How much of each tool's documentation the instructions carry.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ToolDocs {
    /// A summary of each; the guides are read with `describe_tool`.
    Summary,
    /// The whole guide of each.
    Full,
    /// Guides while they fit the budget, else summaries.
    #[default]
    Auto,
}

/// How instructions are made.
#[derive(Debug, Clone, PartialEq)]
pub struct InstructionOptions {
    pub prompts: Prompts,
    pub tools: ToolDocs,
    /// The most tokens, estimated, that guides may take where `tools` is `Auto`.
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

/// What guides may take unless told otherwise: a few per cent of a usual window.
pub const BUDGET_TOKENS: usize = 8000;

/// The instructions of one conversation, and the tools that go with them.
#[derive(Debug, Clone)]
pub struct Instructions {
    parts: Vec<Section>,
    tools: Vec<Arc<Tool>>,
}

/// A part of the instructions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Section {
    /// Where it comes from: `core`, `voice-behavior`, `text-behavior`, `tools`, `loop`, `person` or
    /// `now`.
    pub name: &'static str,
    pub text: String,
}

impl Section {
    /// What it costs, estimated.
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
    /// Says that the person has not signed in, so that the model does not look for their own records.
    #[must_use]
    pub fn for_guest(mut self) -> Self {
        self.parts.push(Section { name: "person", text: GUEST.to_owned() });
        self
    }

    /// Says what time it is, at the end: providers keep what does not change before it.
    #[must_use]
    pub fn at(mut self, now_ms: u64) -> Self {
        self.parts.extend(moment(now_ms).map(|text| Section { name: "now", text }));
        self
    }

    /// The parts, in their order.
    pub fn parts(&self) -> &[Section] {
        &self.parts
    }

    /// The tools that are told of, which are the ones to declare.
    pub fn tools(&self) -> &[Arc<Tool>] {
        &self.tools
    }

    /// Everything, as the model reads it.
    pub fn text(&self) -> String {
        let texts: Vec<_> = self.parts.iter().map(|part| part.text.trim()).collect();
        texts.join("\n\n") + "\n"
    }

    /// The declarations that go beside the text, as the registry has them for a target.
    pub fn declarations(&self, target: Provider) -> Vec<Value> {
        let declared = |tool: &Arc<Tool>| tool.artifact().declaration(target);
        self.tools.iter().filter_map(declared).collect()
    }
}

/// The day and the time to the minute, in words that people use; none for a clock beyond all dates.
fn moment(now_ms: u64) -> Option<String> {
    let now = Timestamp::from_millisecond(i64::try_from(now_ms).ok()?).ok()?;
    Some(now.strftime("Today is %A, %Y-%m-%dT%H:%M:00Z.").to_string())
}

#[cfg(test)]
#[path = "instructions_tests.rs"]
mod tests;
