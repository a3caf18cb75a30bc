//! Options that only Anthropic has.

use aileron_contract::models::{AnthropicModel, Thinking};

use crate::text::options::Reasoning;

/// The choices that depend on the version of the API and on the model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnthropicOptions {
    /// The header `anthropic-version`.
    pub version: String,
    pub auth: Auth,
    /// The header `anthropic-beta`, for features outside of the version.
    pub beta: Option<String>,
}

impl Default for AnthropicOptions {
    fn default() -> Self {
        Self { version: "2026-10-21".into(), auth: Auth::Bearer, beta: None }
    }
}

/// How the key is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Auth {
    /// `Authorization: Bearer`.
    Bearer,
    /// `x-api-key`, which the version 2023-06-01 and many gateways expect.
    ApiKey,
}

/// The minimum thinking budget.
const MIN_THINKING_TOKENS: u32 = 1024;

/// The limit of a reply, and the part of it for thinking where the model takes a budget.
pub(super) fn lengths(
    contract: &AnthropicModel,
    most: Option<u32>,
    reasoning: Reasoning,
) -> (u32, Option<u32>) {
    let most = most.unwrap_or(contract.max_tokens);
    let budget = match (contract.thinking, reasoning) {
        (Thinking::Always | Thinking::Unknown, _) | (_, Reasoning::AsTheModelDoes) => {
            return (most, None);
        }
        (Thinking::Budget, Reasoning::Low) => most / 4,
        (Thinking::Budget, Reasoning::Medium) => most / 2,
        (Thinking::Budget, Reasoning::High) => most / 4 * 3,
    };
    // There has to be room for an answer after the minimum thinking budget.
    (most, (most > MIN_THINKING_TOKENS).then(|| budget.max(MIN_THINKING_TOKENS)))
}
