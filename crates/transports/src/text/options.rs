//! The options of a text model. Options of one provider are in its `settings`.

use aileron_contract::Backoff;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use aileron_contract::Provider;
use rustls::ClientConfig;
use url::Url;

use super::model::dialect;
use super::{anthropic, gemini, openai, openai_chat};

/// The provider, with its own options.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TextProvider {
    Gemini(gemini::GeminiOptions),
    /// OpenAI's Responses API.
    Openai(openai::OpenaiOptions),
    /// Chat Completions, as offered by OpenAI and by many servers of open models.
    OpenaiChat(openai_chat::OpenaiChatOptions),
    Anthropic(anthropic::AnthropicOptions),
}

impl TextProvider {
    /// The names of all providers.
    pub const NAMES: [&'static str; 4] =
        [gemini::NAME, openai::NAME, openai_chat::NAME, anthropic::NAME];

    /// The provider of this name, with default options.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            gemini::NAME => Some(Self::Gemini(gemini::GeminiOptions::default())),
            openai::NAME => Some(Self::Openai(openai::OpenaiOptions::default())),
            openai_chat::NAME => Some(Self::OpenaiChat(openai_chat::OpenaiChatOptions::default())),
            anthropic::NAME => Some(Self::Anthropic(anthropic::AnthropicOptions::default())),
            _ => None,
        }
    }

    /// The declarations that its requests contain.
    pub fn declarations(&self) -> Provider {
        dialect(self).declarations()
    }

    /// The name under which messages of this provider are stored.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Gemini(_) => gemini::NAME,
            Self::Openai(_) => openai::NAME,
            Self::OpenaiChat(_) => openai_chat::NAME,
            Self::Anthropic(_) => anthropic::NAME,
        }
    }
}

/// All options of a model. [`TextOptions::new`] has defaults for all but its arguments.
#[derive(Debug, Clone)]
pub struct TextOptions {
    pub which: TextProvider,
    /// Another address than the provider's own, such as a custom server or a simulator.
    pub base_url: Option<Url>,
    /// Required for the providers' own addresses.
    pub key: Option<ApiKey>,
    pub model: String,
    /// The trusted certificates; those of this machine if absent.
    pub tls: Option<Arc<ClientConfig>>,
    pub retries: Retries,
    pub timeouts: Timeouts,
    pub limits: ByteLimits,
    pub max_output_tokens: Option<u32>,
    pub reasoning: Reasoning,
}

impl TextOptions {
    pub fn new(which: TextProvider, model: impl Into<String>) -> Self {
        Self {
            which,
            base_url: None,
            key: None,
            model: model.into(),
            tls: None,
            retries: Retries::default(),
            timeouts: Timeouts::default(),
            limits: ByteLimits::default(),
            max_output_tokens: None,
            reasoning: Reasoning::default(),
        }
    }
}

/// An API key. It is never shown.
#[derive(Clone, PartialEq, Eq)]
pub struct ApiKey(String);

impl ApiKey {
    pub fn new(secret: impl Into<String>) -> Self {
        Self(secret.into())
    }

    pub(super) fn secret(&self) -> &str {
        &self.0
    }

    /// The text without the key, which an error message may quote.
    pub(super) fn hidden_in(&self, text: &str) -> String {
        match self.0.is_empty() {
            true => text.to_owned(),
            false => text.replace(&self.0, "***"),
        }
    }
}

impl fmt::Debug for ApiKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key(..)")
    }
}

/// How much a model reasons before it answers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Reasoning {
    /// The provider's default.
    #[default]
    AsTheModelDoes,
    Low,
    Medium,
    High,
}

impl Reasoning {
    /// The name that most providers use for it.
    pub(super) fn word(self) -> Option<&'static str> {
        match self {
            Self::AsTheModelDoes => None,
            Self::Low => Some("low"),
            Self::Medium => Some("medium"),
            Self::High => Some("high"),
        }
    }
}

/// How often and how long a request is retried, as long as no part of its reply was passed on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Retries {
    /// Attempts after the first.
    pub most: u32,
    /// The waits where the provider requests none.
    pub backoff: Backoff,
    /// Maximum time from the first attempt to the last. A provider that requests a longer wait is not retried.
    pub patience: Duration,
}

impl Default for Retries {
    fn default() -> Self {
        Self {
            most: 3,
            backoff: Backoff { base: Duration::from_millis(500), max: Duration::from_secs(8) },
            patience: Duration::from_secs(45),
        }
    }
}

/// How long each step may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timeouts {
    pub connect: Duration,
    /// From the request to the first event of the reply: models may reason for minutes without output.
    pub first_byte: Duration,
    /// Between bytes of a reply that has begun.
    pub between_bytes: Duration,
    /// One attempt as a whole.
    pub whole: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self {
            connect: Duration::from_secs(10),
            first_byte: Duration::from_secs(180),
            between_bytes: Duration::from_secs(30),
            whole: Duration::from_secs(900),
        }
    }
}

/// Size limits, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ByteLimits {
    /// One event of the stream.
    pub event: usize,
    /// All of a reply.
    pub reply: usize,
}

impl Default for ByteLimits {
    fn default() -> Self {
        Self { event: 8 << 20, reply: 64 << 20 }
    }
}
