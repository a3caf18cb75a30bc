//! Per-model contracts: what may be sent to a model, what must not be, and how it calls functions.
//! The rows are in `catalog`; this file has their types and the lookup.
//!
//! A row is found by the longest prefix of the model's name. A model without a row has the safest
//! contract of its protocol: only fields that every known model accepts.

mod catalog;

pub use catalog::{
    ANTHROPIC_TEXT, DEFAULTS, ENDINGS, GEMINI_EMBEDDINGS, GEMINI_IMAGES, GEMINI_TEXT, GEMINI_VOICE,
    KEYS, OPENAI_EMBEDDINGS, OPENAI_IMAGES, OPENAI_TEXT, OPENAI_TRANSCRIPTION, OPENAI_VOICE,
};

/// The protocol through which a model is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Protocol {
    GeminiLive,
    OpenaiRealtime,
    OpenaiLive,
    Gemini,
    OpenaiResponses,
    Anthropic,
    Images,
    Embeddings,
    Transcription,
}

impl Protocol {
    /// The name a person reads.
    pub const fn title(self) -> &'static str {
        match self {
            Self::GeminiLive => "Gemini Live",
            Self::OpenaiRealtime => "OpenAI Realtime",
            Self::OpenaiLive => "OpenAI Live",
            Self::Gemini => "Gemini",
            Self::OpenaiResponses => "OpenAI Responses",
            Self::Anthropic => "Anthropic Messages",
            Self::Images => "images",
            Self::Embeddings => "embeddings",
            Self::Transcription => "transcription",
        }
    }
}

/// The default model of one provider for one purpose.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DefaultModel {
    /// The provider's name in the settings.
    pub provider: &'static str,
    pub protocol: Protocol,
    pub model: &'static str,
}

/// The environment variable that has a provider's key; empty if it needs none.
pub fn key_variable(provider: &str) -> &'static str {
    KEYS.iter().find(|(name, _)| *name == provider).map_or("", |(_, key)| key)
}

/// The day on which the provider shuts a model down, if that is announced.
pub fn shutdown(model: &str) -> Option<&'static str> {
    longest(ENDINGS, model, |row| row.0).map(|row| row.1).filter(|day| !day.is_empty())
}

/// Whether a field may be sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Field {
    Accepted,
    Refused,
}

impl Field {
    pub const fn is_accepted(self) -> bool {
        matches!(self, Self::Accepted)
    }
}

/// Whether a model waits for the result of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CallMode {
    Blocking,
    NonBlocking,
}

/// The contract of a Gemini Live model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GeminiLiveModel {
    /// The beginning of the names that it applies to.
    pub prefix: &'static str,
    /// The values of `thinkingLevel`; empty if `thinkingConfig` is refused.
    pub thinking_levels: &'static [&'static str],
    pub affective_dialog: Field,
    /// `proactiveAudio: false`; a model whose proactive audio is permanent refuses it.
    pub proactive_audio_off: Field,
    /// `speechConfig.languageCode`.
    pub language_code: Field,
    /// `responseModalities: ["TEXT"]`.
    pub text_output: Field,
    /// The modes that `behavior` may name; empty if `behavior` must not be sent.
    pub call_modes: &'static [CallMode],
    /// The mode of a declaration without `behavior`.
    pub default_call_mode: CallMode,
    /// `scheduling` in a result.
    pub scheduling: Field,
    /// `clientContent` after the history.
    pub client_content: Field,
    /// `realtimeInputConfig.turnCoverage`; pinned where the model's default differs from that of others.
    pub turn_coverage: Option<&'static str>,
}

impl GeminiLiveModel {
    /// Whether a declaration may have this mode.
    pub fn has_call_mode(&self, mode: CallMode) -> bool {
        self.call_modes.contains(&mode)
    }
}

/// The contract of an Anthropic model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AnthropicModel {
    pub prefix: &'static str,
    /// `tool_choice` of type `any` or `tool`.
    pub forced_tool_choice: Field,
    pub thinking: Thinking,
    /// `output_config.effort`.
    pub effort: Field,
    /// `temperature`, `top_p` and `top_k` other than the defaults.
    pub sampling: Field,
    /// A last message of the assistant.
    pub prefill: Field,
    /// The default of `max_tokens`, which covers thinking.
    pub max_tokens: u32,
}

/// How thinking is controlled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Thinking {
    /// By `thinking` with a budget; off without it.
    Budget,
    /// Always on: `thinking` of type `enabled` or `disabled` is refused, and thinking blocks have to be
    /// sent back unchanged to the same model with the same instructions and tools.
    Always,
    /// Not known, so nothing is sent.
    Unknown,
}

/// The contract of a model of OpenAI's Responses API.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ResponsesModel {
    pub prefix: &'static str,
    /// `reasoning`, and encrypted reasoning items.
    pub reasoning: Field,
    /// `async` on a function, so that its output may follow in any later request.
    pub async_tools: Field,
}

/// The contract of a Gemini text model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GeminiModel {
    pub prefix: &'static str,
    /// `thinkingConfig.thinkingLevel`.
    pub thinking_level: Field,
    /// Whether a call without its `thoughtSignature` is refused.
    pub signatures: Signatures,
}

/// Whether a model demands its signatures back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Signatures {
    Optional,
    Enforced,
}

/// The contract of an OpenAI Realtime model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RealtimeModel {
    pub prefix: &'static str,
    /// `reasoning` and `parallel_tool_calls`.
    pub reasoning: Field,
}

pub fn gemini_live(model: &str) -> &'static GeminiLiveModel {
    longest(catalog::GEMINI_LIVE, model, |row| row.prefix).unwrap_or(&catalog::ANY_GEMINI_LIVE)
}

pub fn anthropic(model: &str) -> &'static AnthropicModel {
    longest(catalog::ANTHROPIC, model, |row| row.prefix).unwrap_or(&catalog::ANY_ANTHROPIC)
}

pub fn responses(model: &str) -> &'static ResponsesModel {
    longest(catalog::RESPONSES, model, |row| row.prefix).unwrap_or(&catalog::ANY_RESPONSES)
}

pub fn gemini(model: &str) -> &'static GeminiModel {
    longest(catalog::GEMINI, model, |row| row.prefix).unwrap_or(&catalog::ANY_GEMINI)
}

pub fn realtime(model: &str) -> &'static RealtimeModel {
    longest(catalog::REALTIME, model, |row| row.prefix).unwrap_or(&catalog::ANY_REALTIME)
}

/// The abilities of a model that decide how it is used, for a person to read.
pub fn abilities(protocol: Protocol, model: &str) -> Vec<&'static str> {
    match protocol {
        Protocol::GeminiLive => gemini_live_abilities(gemini_live(model)),
        Protocol::OpenaiRealtime => {
            let mut all = vec!["voice", "calls", "truncation"];
            all.extend(realtime(model).reasoning.is_accepted().then_some("reasoning"));
            all
        }
        Protocol::OpenaiLive => vec!["voice", "full duplex", "delegates calls to the text model"],
        Protocol::Gemini => {
            let mut all = vec!["text", "calls"];
            all.extend(gemini(model).thinking_level.is_accepted().then_some("reasoning"));
            all
        }
        Protocol::OpenaiResponses => {
            let row = responses(model);
            let mut all = vec!["text", "calls"];
            all.extend(row.reasoning.is_accepted().then_some("reasoning"));
            all.extend(row.async_tools.is_accepted().then_some("async calls"));
            all
        }
        Protocol::Anthropic => anthropic_abilities(anthropic(model)),
        Protocol::Images => vec!["images"],
        Protocol::Embeddings => vec!["embeddings"],
        Protocol::Transcription => vec!["transcription of Realtime speech"],
    }
}

fn gemini_live_abilities(row: &GeminiLiveModel) -> Vec<&'static str> {
    let mut all = vec!["voice", "resumption"];
    all.push(match (row.has_call_mode(CallMode::NonBlocking), row.default_call_mode) {
        (true, _) | (false, CallMode::NonBlocking) => "calls in the background",
        (false, CallMode::Blocking) => "calls",
    });
    all.extend(row.scheduling.is_accepted().then_some("scheduled results"));
    all.extend((!row.thinking_levels.is_empty()).then_some("reasoning"));
    all
}

fn anthropic_abilities(row: &AnthropicModel) -> Vec<&'static str> {
    let thinking = match row.thinking {
        Thinking::Budget => Some("reasoning"),
        Thinking::Always => Some("always reasons"),
        Thinking::Unknown => None,
    };
    ["text", "calls"].into_iter().chain(thinking).collect()
}

/// The row with the longest prefix of a name, which may have a path before it (`models/...`).
fn longest<'a, R>(rows: &'a [R], model: &str, prefix: fn(&R) -> &'static str) -> Option<&'a R> {
    let name = model.rsplit('/').next().unwrap_or(model);
    let fits = rows.iter().filter(|row| name.starts_with(prefix(row)));
    fits.max_by_key(|row| prefix(row).len())
}

#[cfg(test)]
#[path = "models_tests.rs"]
mod tests;
