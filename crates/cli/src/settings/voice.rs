//! `[voice]`: the voice providers. The settings name keys, which are in the environment; without
//! any key, the built-in provider is used.

mod limits;

use std::env;

use aileron_contract::transport::{Sensitivity, TurnDetection};
use aileron_contract::{Provider as Target, models};
use aileron_orchestrator::config::Deadline;
use aileron_server::voice::{ApiKey, Provider, Providers, VoiceProvider, VoiceSessionLimits};
use aileron_transports::{gemini_live, openai_realtime};
use serde::{Deserialize, Serialize};

use self::limits::VoiceLimits;
use crate::output::Failure;

#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct VoiceSettings {
    pub(crate) provider: DefaultProvider,
    pub(crate) gemini: GeminiSettings,
    pub(crate) openai: OpenaiSettings,
    pub(crate) limits: VoiceLimits,
}

impl Default for VoiceSettings {
    fn default() -> Self {
        Self {
            provider: DefaultProvider::Auto,
            gemini: GeminiSettings::default(),
            openai: OpenaiSettings::default(),
            limits: VoiceLimits::default(),
        }
    }
}

/// Voice provider used when the client's `start` names none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum DefaultProvider {
    /// The first provider with a key, else the built-in one.
    Auto,
    Offline,
    Gemini,
    Openai,
}

/// Empty and 0 mean the provider's default.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct GeminiSettings {
    pub(crate) model: String,
    pub(crate) voice: String,
    pub(crate) language: String,
    pub(crate) base_url: String,
    /// The environment variable that has the key.
    pub(crate) key: String,
    /// The context window in tokens.
    pub(crate) window_tokens: u64,
    /// Silence that ends the person's turn.
    pub(crate) silence_ms: u32,
    /// Audio kept from before the detected start of speech.
    pub(crate) padding_ms: u32,
    pub(crate) sensitivity: VadSensitivity,
    pub(crate) text_channel: TextChannel,
    pub(crate) calls: Calls,
    pub(crate) declarations: Declarations,
}

/// The message in which text is sent.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum TextChannel {
    /// The one that the model takes.
    #[default]
    Default,
    Content,
    Realtime,
}

/// Whether the model continues to speak while calls run.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Calls {
    /// During reads, if the model can.
    #[default]
    Default,
    Blocking,
    NonBlocking,
}

/// How tools are declared.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Declarations {
    #[default]
    JsonSchema,
    Native,
}

/// Sensitivity of voice activity detection.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum VadSensitivity {
    #[default]
    Default,
    Low,
    High,
}

/// Empty and 0 mean the provider's default.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct OpenaiSettings {
    pub(crate) model: String,
    pub(crate) voice: String,
    pub(crate) language: String,
    pub(crate) base_url: String,
    /// The environment variable that has the key.
    pub(crate) key: String,
    /// The context window in tokens.
    pub(crate) window_tokens: u64,
    /// Silence that ends the person's turn.
    pub(crate) silence_ms: u32,
    /// Audio kept from before the detected start of speech.
    pub(crate) padding_ms: u32,
    /// The transcription model.
    pub(crate) transcription_model: String,
    pub(crate) turn_detection: Detector,
    pub(crate) parallel_calls: ParallelCalls,
}

/// Whether the model may make several calls in one message.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ParallelCalls {
    #[default]
    Default,
    Allowed,
    Forbidden,
}

/// End-of-speech detection: by volume or by content.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Detector {
    #[default]
    ServerVad,
    SemanticVad,
}

/// The options of all providers.
struct SharedOptions<'a> {
    model: &'a str,
    voice: &'a str,
    language: &'a str,
    base_url: &'a str,
    key: &'a str,
    window_tokens: u64,
    silence_ms: u32,
    padding_ms: u32,
    sensitivity: Option<Sensitivity>,
}

/// The defaults of a provider.
struct VoiceDefaults {
    model: &'static str,
    key: &'static str,
    window_tokens: u64,
}

const GEMINI: VoiceDefaults =
    VoiceDefaults { model: models::GEMINI_VOICE, key: "GEMINI_API_KEY", window_tokens: 128_000 };

const OPENAI: VoiceDefaults =
    VoiceDefaults { model: models::OPENAI_VOICE, key: "OPENAI_API_KEY", window_tokens: 32_000 };

/// The model name of the built-in provider.
const OFFLINE_MODEL: &str = "offline";

type Environment<'a> = &'a dyn Fn(&str) -> Option<String>;

/// The default provider, and all providers.
type Choice = (&'static str, Vec<(String, Provider)>);

impl VoiceSettings {
    /// The session limits, for the longest call that the deadlines allow.
    pub(crate) fn limits(&self, deadline: Deadline) -> Result<VoiceSessionLimits, Failure> {
        let limits = self.limits.limits();
        if limits.settle_ms > deadline.max_ms {
            return Ok(limits);
        }
        let least = deadline.max_ms / 1000 + 1;
        Err(wrong(&format!(
            "expected `limits.settle_seconds` of {least} or more, so that the end of a session waits for \
             any call that runs ([policies.deadlines.voice] max_ms is {}); found {}",
            deadline.max_ms,
            limits.settle_ms / 1000
        )))
    }

    /// The providers that can be used; `offline_at` is the URL of the built-in one.
    pub(crate) fn providers(&self, offline_at: &str) -> Result<Providers, Failure> {
        let (usual, known) = self.choose(offline_at, &|name| env::var(name).ok())?;
        Providers::new(usual, known).map_err(|error| wrong(&error.to_string()))
    }

    /// The declaration target of the default provider, with or without a key.
    pub(crate) fn declarations(&self) -> Target {
        match self.usual(&|name| env::var(name).ok()) {
            DefaultProvider::Gemini => self.gemini.choices().declarations,
            DefaultProvider::Openai => Target::OpenaiRealtime,
            DefaultProvider::Auto | DefaultProvider::Offline => {
                gemini_live::GeminiLiveOptions::default().declarations
            }
        }
    }

    /// Voice provider used when the client's `start` names none.
    fn usual(&self, environment: Environment<'_>) -> DefaultProvider {
        match self.provider {
            DefaultProvider::Auto if self.gemini.provider(environment).is_some() => {
                DefaultProvider::Gemini
            }
            DefaultProvider::Auto if self.openai.provider(environment).is_some() => {
                DefaultProvider::Openai
            }
            DefaultProvider::Auto => DefaultProvider::Offline,
            named => named,
        }
    }

    fn choose(&self, offline_at: &str, environment: Environment<'_>) -> Result<Choice, Failure> {
        let gemini = self.gemini.provider(environment);
        let openai = self.openai.provider(environment);
        let usual = match self.usual(environment) {
            DefaultProvider::Auto | DefaultProvider::Offline => "offline",
            DefaultProvider::Gemini if gemini.is_none() => {
                return Err(no_key(&self.gemini.key, &GEMINI));
            }
            DefaultProvider::Openai if openai.is_none() => {
                return Err(no_key(&self.openai.key, &OPENAI));
            }
            DefaultProvider::Gemini => "gemini",
            DefaultProvider::Openai => "openai",
        };
        let mut offline =
            Provider::new(VoiceProvider::Offline, OFFLINE_MODEL, ApiKey::new("offline"));
        offline.base_url = Some(offline_at.to_owned());
        let known = [("offline", Some(offline)), ("gemini", gemini), ("openai", openai)];
        let known = known.into_iter().filter_map(|(name, it)| Some((name.to_owned(), it?)));
        Ok((usual, known.collect()))
    }
}

impl GeminiSettings {
    fn provider(&self, environment: Environment<'_>) -> Option<Provider> {
        let kind = VoiceProvider::Gemini(self.choices());
        let sensitivity = match self.sensitivity {
            VadSensitivity::Default => None,
            VadSensitivity::Low => Some(Sensitivity::Low),
            VadSensitivity::High => Some(Sensitivity::High),
        };
        let common = SharedOptions {
            model: &self.model,
            voice: &self.voice,
            language: &self.language,
            base_url: &self.base_url,
            key: &self.key,
            window_tokens: self.window_tokens,
            silence_ms: self.silence_ms,
            padding_ms: self.padding_ms,
            sensitivity,
        };
        common.provider(kind, &GEMINI, environment)
    }

    fn choices(&self) -> gemini_live::GeminiLiveOptions {
        let model = or(&self.model, GEMINI.model);
        let usual = gemini_live::GeminiLiveOptions::for_model(&model);
        gemini_live::GeminiLiveOptions {
            declarations: match self.declarations {
                Declarations::JsonSchema => Target::GeminiJsonSchema,
                Declarations::Native => Target::GeminiNative,
            },
            text: match self.text_channel {
                TextChannel::Default => usual.text,
                TextChannel::Content => gemini_live::TextChannel::Content,
                TextChannel::Realtime => gemini_live::TextChannel::Realtime,
            },
            calls: match self.calls {
                Calls::Default => usual.calls,
                Calls::Blocking => gemini_live::CallBehaviour::Blocking,
                Calls::NonBlocking => gemini_live::GeminiLiveOptions::non_blocking(&model),
            },
        }
    }
}

impl OpenaiSettings {
    fn provider(&self, environment: Environment<'_>) -> Option<Provider> {
        let kind = VoiceProvider::Openai(self.choices());
        let common = SharedOptions {
            model: &self.model,
            voice: &self.voice,
            language: &self.language,
            base_url: &self.base_url,
            key: &self.key,
            window_tokens: self.window_tokens,
            silence_ms: self.silence_ms,
            padding_ms: self.padding_ms,
            sensitivity: None,
        };
        common.provider(kind, &OPENAI, environment)
    }

    fn choices(&self) -> openai_realtime::OpenaiRealtimeOptions {
        let usual = openai_realtime::OpenaiRealtimeOptions::default();
        openai_realtime::OpenaiRealtimeOptions {
            transcription_model: or(&self.transcription_model, &usual.transcription_model),
            turn_detection: match self.turn_detection {
                Detector::ServerVad => openai_realtime::VoiceDetector::ServerVad,
                Detector::SemanticVad => openai_realtime::VoiceDetector::SemanticVad,
            },
            parallel_calls: match self.parallel_calls {
                ParallelCalls::Default => openai_realtime::ParallelCalls::AsTheModelDoes,
                ParallelCalls::Allowed => openai_realtime::ParallelCalls::Allowed,
                ParallelCalls::Forbidden => openai_realtime::ParallelCalls::Forbidden,
            },
        }
    }
}

impl SharedOptions<'_> {
    /// A provider; none without a key, unless the URL is custom: that receives the key named for
    /// it, or none.
    fn provider(
        &self,
        kind: VoiceProvider,
        usual: &VoiceDefaults,
        environment: Environment<'_>,
    ) -> Option<Provider> {
        let name = match (self.key, self.base_url) {
            ("", "") => usual.key,
            (named, _) => named,
        };
        let key = Some(name).filter(|name| !name.is_empty()).and_then(environment);
        let key = key.filter(|key| !key.is_empty());
        if key.is_none() && self.base_url.is_empty() {
            return None;
        }
        let key = ApiKey::new(key.unwrap_or_default());
        let mut provider = Provider::new(kind, or(self.model, usual.model), key);
        provider.base_url = some(self.base_url);
        provider.voice = some(self.voice);
        provider.language = some(self.language);
        provider.window_tokens =
            if self.window_tokens == 0 { usual.window_tokens } else { self.window_tokens };
        provider.turn_detection = TurnDetection::Automatic {
            silence_ms: (self.silence_ms > 0).then_some(self.silence_ms),
            padding_ms: (self.padding_ms > 0).then_some(self.padding_ms),
            sensitivity: self.sensitivity,
        };
        Some(provider)
    }
}

fn no_key(key: &str, usual: &VoiceDefaults) -> Failure {
    let name = or(key, usual.key);
    wrong(&format!("expected a key in the environment variable {name}, found none"))
}

fn or(text: &str, usual: &str) -> String {
    if text.is_empty() { usual } else { text }.to_owned()
}

fn some(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| text.to_owned())
}

fn wrong(why: &str) -> Failure {
    Failure::Usage(format!("[voice] cannot be used: {why}"))
}

#[cfg(test)]
#[path = "voice_tests.rs"]
mod tests;
