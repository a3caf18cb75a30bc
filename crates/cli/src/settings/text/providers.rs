//! `[text.gemini]` and its siblings: options of a single provider and its models.

use aileron_transports::text::{TextProvider, anthropic, gemini, openai, openai_chat};
use serde::{Deserialize, Serialize};

use super::TextSettings;

impl TextSettings {
    /// The settings of a provider by its name.
    pub(super) fn which(&self, name: &str) -> Option<TextProvider> {
        Some(match TextProvider::named(name)? {
            TextProvider::Gemini(_) => TextProvider::Gemini(self.gemini.settings()),
            TextProvider::Openai(_) => TextProvider::Openai(self.openai.settings()),
            TextProvider::OpenaiChat(_) => TextProvider::OpenaiChat(self.openai_chat.settings()),
            TextProvider::Anthropic(_) => TextProvider::Anthropic(self.anthropic.settings()),
        })
    }
}

#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct GeminiSettings {
    /// The version in the address.
    version: String,
    thoughts: Thoughts,
}

/// Whether the model's reasoning summary is requested.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Thoughts {
    Hidden,
    Shown,
}

impl Default for GeminiSettings {
    fn default() -> Self {
        Self { version: gemini::GeminiOptions::default().version, thoughts: Thoughts::Hidden }
    }
}

impl GeminiSettings {
    fn settings(&self) -> gemini::GeminiOptions {
        gemini::GeminiOptions {
            version: self.version.clone(),
            thoughts: match self.thoughts {
                Thoughts::Hidden => gemini::Thoughts::Hidden,
                Thoughts::Shown => gemini::Thoughts::Shown,
            },
        }
    }
}

#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct OpenaiSettings {
    reasoning_items: ReasoningItems,
}

/// Whether the model's encrypted reasoning is requested, to be sent back to it.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum ReasoningItems {
    #[default]
    ByModel,
    Kept,
    NotKept,
}

impl OpenaiSettings {
    fn settings(&self) -> openai::OpenaiOptions {
        openai::OpenaiOptions {
            reasoning_items: match self.reasoning_items {
                ReasoningItems::ByModel => openai::ReasoningItems::ByModel,
                ReasoningItems::Kept => openai::ReasoningItems::Kept,
                ReasoningItems::NotKept => openai::ReasoningItems::NotKept,
            },
        }
    }
}

#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct OpenaiChatSettings {
    length_field: LengthField,
    usage: Usage,
    last_step: LastStepRule,
    reasoning_replay: ReasoningReplay,
}

/// The field name of the maximum reply length.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum LengthField {
    #[default]
    MaxTokens,
    MaxCompletionTokens,
}

/// Whether token usage is requested.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Usage {
    #[default]
    Asked,
    NotAsked,
}

/// How tools are disabled in the last step of a turn.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum LastStepRule {
    #[default]
    ToolChoiceNone,
    OmitTools,
}

/// Whether the model's reasoning is sent back to it.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum ReasoningReplay {
    #[default]
    Withheld,
    Shown,
}

impl OpenaiChatSettings {
    fn settings(&self) -> openai_chat::OpenaiChatOptions {
        openai_chat::OpenaiChatOptions {
            length_field: match self.length_field {
                LengthField::MaxTokens => openai_chat::LengthField::MaxTokens,
                LengthField::MaxCompletionTokens => openai_chat::LengthField::MaxCompletionTokens,
            },
            usage: match self.usage {
                Usage::Asked => openai_chat::UsageChunk::Asked,
                Usage::NotAsked => openai_chat::UsageChunk::NotAsked,
            },
            last_step: match self.last_step {
                LastStepRule::ToolChoiceNone => openai_chat::LastStepRule::ToolChoiceNone,
                LastStepRule::OmitTools => openai_chat::LastStepRule::OmitTools,
            },
            reasoning_replay: match self.reasoning_replay {
                ReasoningReplay::Withheld => openai_chat::ReasoningReplay::Withheld,
                ReasoningReplay::Shown => openai_chat::ReasoningReplay::Shown,
            },
        }
    }
}

#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct AnthropicSettings {
    /// The header `anthropic-version`.
    version: String,
    auth: Auth,
    /// The header `anthropic-beta`; empty means none.
    beta: String,
}

/// The header of the key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Auth {
    Bearer,
    ApiKey,
}

impl Default for AnthropicSettings {
    fn default() -> Self {
        let version = anthropic::AnthropicOptions::default().version;
        Self { version, auth: Auth::Bearer, beta: String::new() }
    }
}

impl AnthropicSettings {
    fn settings(&self) -> anthropic::AnthropicOptions {
        anthropic::AnthropicOptions {
            version: self.version.clone(),
            auth: match self.auth {
                Auth::Bearer => anthropic::Auth::Bearer,
                Auth::ApiKey => anthropic::Auth::ApiKey,
            },
            beta: Some(self.beta.clone()).filter(|beta| !beta.is_empty()),
        }
    }
}
