//! What a model that writes is set up with. What only one provider has is in
//! that provider's own settings.

use aileron_contract::Backoff;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use aileron_contract::Provider;
use rustls::ClientConfig;
use url::Url;

use super::model::dialect;
use super::{anthropic, gemini, openai, openai_chat};

/// Whose protocol is spoken, with what only that provider can be told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TextProvider {
    Gemini(gemini::GeminiOptions),
    /// OpenAI's Responses.
    Openai(openai::OpenaiOptions),
    /// Chat Completions, as OpenAI and many servers of open models have it.
    OpenaiChat(openai_chat::OpenaiChatOptions),
    Anthropic(anthropic::AnthropicOptions),
}

impl TextProvider {
    /// The names of all providers.
    pub const NAMES: [&'static str; 4] =
        [gemini::NAME, openai::NAME, openai_chat::NAME, anthropic::NAME];

    /// The provider of this name, as it is without settings.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            gemini::NAME => Some(Self::Gemini(gemini::GeminiOptions::default())),
            openai::NAME => Some(Self::Openai(openai::OpenaiOptions::default())),
            openai_chat::NAME => Some(Self::OpenaiChat(openai_chat::OpenaiChatOptions::default())),
            anthropic::NAME => Some(Self::Anthropic(anthropic::AnthropicOptions::default())),
            _ => None,
        }
    }

    /// Which of the registry's declarations its requests carry.
    pub fn declarations(&self) -> Provider {
        dialect(self).declarations()
    }

    /// The name a message of this provider is kept under.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Gemini(_) => gemini::NAME,
            Self::Openai(_) => openai::NAME,
            Self::OpenaiChat(_) => openai_chat::NAME,
            Self::Anthropic(_) => anthropic::NAME,
        }
    }
}

/// Everything a model needs. [`TextOptions::new`] has a sensible value for all but what it asks for.
#[derive(Debug, Clone)]
pub struct TextOptions {
    pub which: TextProvider,
    /// Another address than the provider's own, such as a server of your own or a simulator.
    pub base_url: Option<Url>,
    /// The providers' own addresses need one.
    pub key: Option<ApiKey>,
    pub model: String,
    /// Which certificates are trusted; without it, those that this machine trusts.
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

/// A secret that a provider knows us by. It is shown nowhere.
#[derive(Clone, PartialEq, Eq)]
pub struct ApiKey(String);

impl ApiKey {
    pub fn new(secret: impl Into<String>) -> Self {
        Self(secret.into())
    }

    pub(super) fn secret(&self) -> &str {
        &self.0
    }

    /// The text without the secret, which whoever refuses it may quote.
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

/// How much a model thinks before it answers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Reasoning {
    /// Nothing is said of it.
    #[default]
    AsTheModelDoes,
    Low,
    Medium,
    High,
}

impl Reasoning {
    /// The word that most providers have for it.
    pub(super) fn word(self) -> Option<&'static str> {
        match self {
            Self::AsTheModelDoes => None,
            Self::Low => Some("low"),
            Self::Medium => Some("medium"),
            Self::High => Some("high"),
        }
    }
}

/// How often and how long a request is tried again, as long as nothing of its reply was passed on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Retries {
    /// Attempts after the first.
    pub most: u32,
    /// The waits where the provider asks for none.
    pub backoff: Backoff,
    /// The longest time from the first attempt to the last. A provider that asks for a longer wait
    /// is not waited for.
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
    /// From the request to the first piece of the reply: models may think for minutes without a word.
    pub first_byte: Duration,
    /// Between bytes of a reply that has begun.
    pub between_bytes: Duration,
    /// One attempt from its beginning to its end.
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

/// How many bytes are taken.
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
