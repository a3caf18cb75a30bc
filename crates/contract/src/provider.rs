//! The declaration targets: every form in which a tool is declared to a model.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// One target of the compiler's declarations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Provider {
    /// OpenAI Chat Completions and Responses.
    Openai,
    /// OpenAI Realtime: as above, without `strict`.
    OpenaiRealtime,
    /// Gemini's `parameters`, a protobuf schema.
    GeminiNative,
    /// Gemini's `parametersJsonSchema`.
    GeminiJsonSchema,
    /// Anthropic Messages.
    Anthropic,
    /// Model Context Protocol.
    Mcp,
}

impl Provider {
    /// Every target, in the order of the artifact.
    pub const ALL: [Self; 6] = [
        Self::Openai,
        Self::OpenaiRealtime,
        Self::GeminiNative,
        Self::GeminiJsonSchema,
        Self::Anthropic,
        Self::Mcp,
    ];

    /// The key under `providerSchemas`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Openai => "openai",
            Self::OpenaiRealtime => "openaiRealtime",
            Self::GeminiNative => "geminiNative",
            Self::GeminiJsonSchema => "geminiJsonSchema",
            Self::Anthropic => "anthropic",
            Self::Mcp => "mcp",
        }
    }

    /// The name a person reads.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Openai => "OpenAI",
            Self::OpenaiRealtime => "OpenAI Realtime",
            Self::GeminiNative => "Gemini native",
            Self::GeminiJsonSchema => "Gemini JSON Schema",
            Self::Anthropic => "Anthropic",
            Self::Mcp => "MCP",
        }
    }
}

impl fmt::Display for Provider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Provider {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        let found = Self::ALL.into_iter().find(|p| p.as_str() == name);
        found.ok_or_else(|| {
            let known = Self::ALL.map(Self::as_str).join(", ");
            format!("unknown provider {name:?}, expected one of {known}")
        })
    }
}
