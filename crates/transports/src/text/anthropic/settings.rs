//! What only Anthropic can be told.

use crate::text::options::Reasoning;

/// The choices that depend on the version of the API and on the model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnthropicOptions {
    /// The header `anthropic-version`.
    pub version: String,
    pub auth: Auth,
    /// The header `anthropic-beta`, for what is not part of the version yet.
    pub beta: Option<String>,
}

impl Default for AnthropicOptions {
    fn default() -> Self {
        Self { version: "2026-10-21".into(), auth: Auth::Bearer, beta: None }
    }
}

/// How the key is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Auth {
    /// `Authorization: Bearer`.
    Bearer,
    /// `x-api-key`, which the version 2023-06-01 and many gateways expect.
    ApiKey,
}

/// The longest length of a reply, which a request has to name, where none is set.
const DEFAULT_MAX_TOKENS: u32 = 8192;

/// The shortest thinking that can be asked for.
const MIN_THINKING_TOKENS: u32 = 1024;

/// The longest length of a reply, and the part of it that is for thinking.
pub(super) fn lengths(most: Option<u32>, reasoning: Reasoning) -> (u32, Option<u32>) {
    let most = most.unwrap_or(DEFAULT_MAX_TOKENS);
    let budget = match reasoning {
        Reasoning::AsTheModelDoes => return (most, None),
        Reasoning::Low => most / 4,
        Reasoning::Medium => most / 2,
        Reasoning::High => most / 4 * 3,
    };
    // There has to be room for an answer after the shortest thinking.
    (most, (most > MIN_THINKING_TOKENS).then(|| budget.max(MIN_THINKING_TOKENS)))
}
