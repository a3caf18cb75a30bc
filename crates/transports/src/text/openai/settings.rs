//! Options that only OpenAI's Responses API has.

/// The choices that depend on the model.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OpenaiOptions {
    pub reasoning_items: ReasoningItems,
}

/// Whether encrypted reasoning is requested, to be sent back later. A model without reasoning refuses the
/// request.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ReasoningItems {
    /// Decided by the model's name.
    #[default]
    ByModel,
    Kept,
    NotKept,
}

/// Prefixes of models without reasoning.
const WITHOUT_REASONING: &[&str] = &["gpt-3", "gpt-4", "chatgpt-4", "ft:gpt-3", "ft:gpt-4"];

impl OpenaiOptions {
    pub(super) fn keeps_reasoning(&self, model: &str) -> bool {
        match self.reasoning_items {
            ReasoningItems::ByModel => {
                !WITHOUT_REASONING.iter().any(|name| model.starts_with(name))
            }
            ReasoningItems::Kept => true,
            ReasoningItems::NotKept => false,
        }
    }
}
