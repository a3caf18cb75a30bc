//! What only OpenAI's Responses can be told.

/// The choices that depend on the model.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OpenaiOptions {
    pub reasoning_items: ReasoningItems,
}

/// Whether the model's reasoning is asked for in sealed form, to be shown to it again. A model that
/// does not reason refuses to be asked.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ReasoningItems {
    /// As the name of the model lets us expect.
    #[default]
    ByModel,
    Kept,
    NotKept,
}

/// Models that do not reason begin with one of these.
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
