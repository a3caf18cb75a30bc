//! The model names and contracts of all providers, as of November 2026. A provider that adds or changes a
//! model needs a change in this file only.

use super::CallMode::{Blocking, NonBlocking};
use super::Field::{Accepted, Refused};
use super::{
    AnthropicModel, DefaultModel, GeminiLiveModel, GeminiModel, Protocol, RealtimeModel,
    ResponsesModel, Signatures, Thinking,
};

// The model that is used for each purpose where the settings name none.
pub const GEMINI_TEXT: &str = "gemini-3.8-flash";
pub const OPENAI_TEXT: &str = "gpt-6.1-sol";
pub const ANTHROPIC_TEXT: &str = "claude-sonnet-5-5";
pub const GEMINI_VOICE: &str = "gemini-3.8-live";
pub const OPENAI_VOICE: &str = "gpt-realtime-2.1";
pub const OPENAI_TRANSCRIPTION: &str = "gpt-transcribe";
pub const GEMINI_IMAGES: &str = "gemini-nano-banana-2.1";
pub const OPENAI_IMAGES: &str = "gpt-image-2.5-sunburst";
pub const GEMINI_EMBEDDINGS: &str = "gemini-embedding-2";
pub const OPENAI_EMBEDDINGS: &str = "text-embedding-3-small";

const fn default(provider: &'static str, protocol: Protocol, model: &'static str) -> DefaultModel {
    DefaultModel { provider, protocol, model }
}

/// The same, as a list.
pub const DEFAULTS: &[DefaultModel] = &[
    default("gemini", Protocol::Gemini, GEMINI_TEXT),
    default("openai", Protocol::OpenaiResponses, OPENAI_TEXT),
    default("anthropic", Protocol::Anthropic, ANTHROPIC_TEXT),
    default("gemini", Protocol::GeminiLive, GEMINI_VOICE),
    default("openai", Protocol::OpenaiRealtime, OPENAI_VOICE),
    default("openai", Protocol::Transcription, OPENAI_TRANSCRIPTION),
    default("gemini", Protocol::Images, GEMINI_IMAGES),
    default("openai", Protocol::Images, OPENAI_IMAGES),
    default("gemini", Protocol::Embeddings, GEMINI_EMBEDDINGS),
    default("openai", Protocol::Embeddings, OPENAI_EMBEDDINGS),
];

/// The environment variables of the providers' keys.
pub const KEYS: &[(&str, &str)] = &[
    ("gemini", "GEMINI_API_KEY"),
    ("openai", "OPENAI_API_KEY"),
    ("anthropic", "ANTHROPIC_API_KEY"),
];

/// Announced shutdowns: the beginning of the names, and the day; an empty day excepts a longer name.
pub const ENDINGS: &[(&str, &str)] = &[
    ("claude-sonnet-4-5", "2026-11-30"),
    ("gpt-image-1.5", "2026-12-01"),
    ("gpt-image-1-mini", "2026-12-01"),
    ("gpt-5", "2026-12-11"),
    ("gpt-5.", ""),
    ("gpt-5.1", "2027-04-01"),
    ("o3", "2026-12-11"),
    ("gpt-4o", "2027-01-14"),
    ("gpt-4.1", "2027-01-14"),
    ("gpt-realtime", "2027-01-20"),
    ("gpt-realtime-2", ""),
    ("gpt-4o-transcribe", "2027-02-26"),
    ("gpt-4o-mini-transcribe", "2027-02-26"),
    ("whisper-1", "2027-02-26"),
];

/// A Gemini Live model without a row.
pub(super) const ANY_GEMINI_LIVE: GeminiLiveModel = GeminiLiveModel {
    prefix: "",
    thinking_levels: &[],
    affective_dialog: Refused,
    proactive_audio_off: Refused,
    language_code: Refused,
    text_output: Accepted,
    call_modes: &[],
    default_call_mode: Blocking,
    scheduling: Refused,
    client_content: Accepted,
    turn_coverage: None,
};

pub(super) const GEMINI_LIVE: &[GeminiLiveModel] = &[
    GeminiLiveModel {
        prefix: "gemini-2.5-",
        thinking_levels: &[],
        affective_dialog: Accepted,
        proactive_audio_off: Accepted,
        language_code: Accepted,
        call_modes: &[Blocking, NonBlocking],
        scheduling: Accepted,
        ..ANY_GEMINI_LIVE
    },
    GeminiLiveModel {
        prefix: "gemini-3.1-flash-live",
        thinking_levels: &["MINIMAL", "LOW", "MEDIUM", "HIGH"],
        affective_dialog: Accepted,
        proactive_audio_off: Accepted,
        language_code: Accepted,
        client_content: Refused,
        ..ANY_GEMINI_LIVE
    },
    GeminiLiveModel {
        prefix: "gemini-3.8-live",
        text_output: Refused,
        call_modes: &[Blocking, NonBlocking],
        default_call_mode: NonBlocking,
        scheduling: Accepted,
        turn_coverage: Some("TURN_INCLUDES_ONLY_ACTIVITY"),
        ..ANY_GEMINI_LIVE
    },
    GeminiLiveModel {
        prefix: "gemini-3.8-live-extended-thinking",
        thinking_levels: &["LOW", "MEDIUM", "HIGH"],
        text_output: Refused,
        call_modes: &[NonBlocking],
        default_call_mode: NonBlocking,
        turn_coverage: Some("TURN_INCLUDES_ONLY_ACTIVITY"),
        ..ANY_GEMINI_LIVE
    },
];

/// An Anthropic model without a row.
pub(super) const ANY_ANTHROPIC: AnthropicModel = AnthropicModel {
    prefix: "",
    forced_tool_choice: Refused,
    thinking: Thinking::Unknown,
    effort: Refused,
    sampling: Refused,
    prefill: Refused,
    max_tokens: 8_192,
};

/// Thinking is always on, and counts in the length of a reply.
const ALWAYS_THINKING: AnthropicModel = AnthropicModel {
    thinking: Thinking::Always,
    effort: Accepted,
    max_tokens: 32_000,
    ..ANY_ANTHROPIC
};

/// Thinking has a budget, and tools may be forced.
const WITH_BUDGET: AnthropicModel =
    AnthropicModel { forced_tool_choice: Accepted, thinking: Thinking::Budget, ..ANY_ANTHROPIC };

pub(super) const ANTHROPIC: &[AnthropicModel] = &[
    AnthropicModel { prefix: "claude-opus-5-5", ..ALWAYS_THINKING },
    AnthropicModel { prefix: "claude-sonnet-5-5", ..ALWAYS_THINKING },
    AnthropicModel { prefix: "claude-haiku-5-5", ..ALWAYS_THINKING },
    AnthropicModel { prefix: "claude-fable-5", ..ALWAYS_THINKING },
    AnthropicModel { prefix: "claude-mythos-5", ..ALWAYS_THINKING },
    AnthropicModel { prefix: "claude-3", sampling: Accepted, prefill: Accepted, ..WITH_BUDGET },
    AnthropicModel {
        prefix: "claude-sonnet-4",
        sampling: Accepted,
        prefill: Accepted,
        ..WITH_BUDGET
    },
    AnthropicModel {
        prefix: "claude-opus-4",
        sampling: Accepted,
        prefill: Accepted,
        ..WITH_BUDGET
    },
    AnthropicModel {
        prefix: "claude-haiku-4",
        sampling: Accepted,
        prefill: Accepted,
        ..WITH_BUDGET
    },
    AnthropicModel { prefix: "claude-sonnet-4-6", ..WITH_BUDGET },
    AnthropicModel { prefix: "claude-opus-4-6", ..WITH_BUDGET },
    AnthropicModel { prefix: "claude-opus-4-7", ..WITH_BUDGET },
];

/// A model of the Responses API without a row. Reasoning items are kept for it: only the families
/// below are without reasoning.
pub(super) const ANY_RESPONSES: ResponsesModel =
    ResponsesModel { prefix: "", reasoning: Accepted, async_tools: Refused };

const WITHOUT_REASONING: ResponsesModel = ResponsesModel { reasoning: Refused, ..ANY_RESPONSES };

pub(super) const RESPONSES: &[ResponsesModel] = &[
    ResponsesModel { prefix: "gpt-6", async_tools: Accepted, ..ANY_RESPONSES },
    ResponsesModel { prefix: "gpt-3", ..WITHOUT_REASONING },
    ResponsesModel { prefix: "gpt-4", ..WITHOUT_REASONING },
    ResponsesModel { prefix: "chatgpt-4", ..WITHOUT_REASONING },
    ResponsesModel { prefix: "ft:gpt-3", ..WITHOUT_REASONING },
    ResponsesModel { prefix: "ft:gpt-4", ..WITHOUT_REASONING },
];

/// A Gemini text model without a row.
pub(super) const ANY_GEMINI: GeminiModel =
    GeminiModel { prefix: "", thinking_level: Refused, signatures: Signatures::Enforced };

pub(super) const GEMINI: &[GeminiModel] = &[
    GeminiModel { prefix: "gemini-2", thinking_level: Refused, signatures: Signatures::Optional },
    GeminiModel { prefix: "gemini-3", thinking_level: Accepted, signatures: Signatures::Enforced },
    GeminiModel { prefix: "gemini-4", thinking_level: Accepted, signatures: Signatures::Enforced },
];

/// An OpenAI Realtime model without a row.
pub(super) const ANY_REALTIME: RealtimeModel = RealtimeModel { prefix: "", reasoning: Refused };

pub(super) const REALTIME: &[RealtimeModel] =
    &[RealtimeModel { prefix: "gpt-realtime-2", reasoning: Accepted }];
