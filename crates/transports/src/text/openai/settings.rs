//! Options that only OpenAI's Responses API has.

use aileron_contract::models;

/// The choices that depend on the model.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OpenaiOptions {
    pub reasoning_items: ReasoningItems,
}

/// Whether encrypted reasoning is requested, to be sent back later. A model without reasoning refuses the
/// request.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ReasoningItems {
    /// Decided by the model's contract.
    #[default]
    ByModel,
    Kept,
    NotKept,
}

impl OpenaiOptions {
    pub(super) fn keeps_reasoning(&self, model: &str) -> bool {
        match self.reasoning_items {
            ReasoningItems::ByModel => models::responses(model).reasoning.is_accepted(),
            ReasoningItems::Kept => true,
            ReasoningItems::NotKept => false,
        }
    }
}
