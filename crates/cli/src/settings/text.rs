//! `[text]`: the text model.

mod providers;

use aileron_contract::{Provider, models};
use aileron_transports::text::{Reasoning, TextProvider};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};

use self::providers::{AnthropicSettings, GeminiSettings, OpenaiChatSettings, OpenaiSettings};
use crate::output::Failure;

/// The built-in provider, which needs no key.
pub(crate) const OFFLINE: &str = "offline";

/// The protocol of the built-in provider.
pub(crate) const OFFLINE_SPEAKS: &str = "gemini";

/// Uses the server at `base_url`, or else the first provider whose key is set.
const AUTO: &str = "auto";

/// The protocol of custom servers.
const COMPATIBLE: &str = "openai_chat";

/// The defaults of a provider.
#[derive(Debug, Clone, Copy)]
struct TextDefaults {
    name: &'static str,
    model: &'static str,
    /// The environment variable of its key.
    key: Option<&'static str>,
}

/// In the order in which `auto` looks for keys.
const USUAL: [TextDefaults; 4] = [
    TextDefaults { name: "gemini", model: models::GEMINI_TEXT, key: Some("GEMINI_API_KEY") },
    TextDefaults { name: "openai", model: models::OPENAI_TEXT, key: Some("OPENAI_API_KEY") },
    TextDefaults {
        name: "anthropic",
        model: models::ANTHROPIC_TEXT,
        key: Some("ANTHROPIC_API_KEY"),
    },
    TextDefaults { name: COMPATIBLE, model: "", key: Some("OPENAI_API_KEY") },
];

#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct TextSettings {
    #[serde(deserialize_with = "provider")]
    pub(crate) provider: String,
    pub(crate) model: String,
    pub(crate) base_url: String,
    /// The environment variable that has the key.
    pub(crate) key: String,
    pub(crate) window_tokens: usize,
    /// 0 means the model's default.
    pub(crate) max_output_tokens: u32,
    pub(crate) reasoning: ReasoningEffort,
    pub(crate) gemini: GeminiSettings,
    pub(crate) openai: OpenaiSettings,
    pub(crate) openai_chat: OpenaiChatSettings,
    pub(crate) anthropic: AnthropicSettings,
}

/// The reasoning effort.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ReasoningEffort {
    #[default]
    Default,
    Low,
    Medium,
    High,
}

impl Default for TextSettings {
    fn default() -> Self {
        Self {
            provider: AUTO.to_owned(),
            model: String::new(),
            base_url: String::new(),
            key: String::new(),
            window_tokens: 100_000,
            max_output_tokens: 0,
            reasoning: ReasoningEffort::Default,
            gemini: GeminiSettings::default(),
            openai: OpenaiSettings::default(),
            openai_chat: OpenaiChatSettings::default(),
            anthropic: AnthropicSettings::default(),
        }
    }
}

/// The selected text model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum TextBackend {
    /// Rules in this binary.
    Offline,
    Provider(Box<ChosenModel>),
}

/// A provider with its settings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ChosenModel {
    pub(crate) which: TextProvider,
    pub(crate) model: String,
    pub(crate) base_url: Option<String>,
    pub(crate) key: Option<String>,
    pub(crate) max_output_tokens: Option<u32>,
    pub(crate) reasoning: Reasoning,
}

/// The name of a provider, checked here, so that the error has a position.
fn provider<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let name = String::deserialize(deserializer)?;
    let is_known =
        [AUTO, OFFLINE].contains(&name.as_str()) || USUAL.iter().any(|usual| usual.name == name);
    if is_known { Ok(name) } else { Err(D::Error::custom(no_provider(&name))) }
}

/// The settings for one provider.
struct ProviderOverrides {
    model: Option<String>,
    base_url: Option<String>,
    /// The environment variable that has the key.
    key: Option<String>,
    max_output_tokens: Option<u32>,
    reasoning: Reasoning,
}

impl TextSettings {
    /// Selects the text model: by the command line, then the settings, then the keys that
    /// `variable` finds.
    pub(crate) fn text_model(
        &self,
        provider: Option<&str>,
        model: Option<&str>,
        variable: impl Fn(&str) -> Option<String>,
    ) -> Result<TextBackend, Failure> {
        let wanted = provider.unwrap_or(&self.provider);
        let said = self.said_of(wanted);
        let chosen = choose(wanted, &said, &variable)?;
        let Some(TextDefaults { name, model: usual, key: usual_key }) = chosen else {
            return Ok(TextBackend::Offline);
        };
        let model = model.map(str::to_owned).or_else(|| said.model.clone());
        let model = model.unwrap_or_else(|| usual.to_owned());
        if model.is_empty() {
            let hint = "set `model` of [text] in aileron.toml, or --model";
            return Err(Failure::Usage(format!("no model of {name} is named; {hint}")));
        }
        let key = key(name, &said, usual_key, variable)?;
        let which = self.which(name).ok_or_else(|| unknown(name))?;
        let ProviderOverrides { base_url, max_output_tokens, reasoning, .. } = said;
        let chosen = ChosenModel { which, model, base_url, key, max_output_tokens, reasoning };
        Ok(TextBackend::Provider(Box::new(chosen)))
    }

    /// The declaration target of the selected provider, with or without a key.
    pub(crate) fn declarations(
        &self,
        variable: impl Fn(&str) -> Option<String>,
    ) -> Result<Provider, Failure> {
        let chosen = choose(&self.provider, &self.said_of(&self.provider), variable)?;
        let name = chosen.map_or(OFFLINE_SPEAKS, |usual| usual.name);
        Ok(self.which(name).ok_or_else(|| unknown(name))?.declarations())
    }

    /// The configured model and URL apply only to the configured provider.
    fn said_of(&self, provider: &str) -> ProviderOverrides {
        let own = provider == self.provider;
        let said = |value: &String| Some(value.clone()).filter(|value| own && !value.is_empty());
        ProviderOverrides {
            model: said(&self.model),
            base_url: said(&self.base_url),
            key: said(&self.key),
            max_output_tokens: Some(self.max_output_tokens).filter(|most| own && *most > 0),
            reasoning: if own { self.reasoning.level() } else { Reasoning::default() },
        }
    }
}

impl ReasoningEffort {
    fn level(self) -> Reasoning {
        match self {
            Self::Default => Reasoning::AsTheModelDoes,
            Self::Low => Reasoning::Low,
            Self::Medium => Reasoning::Medium,
            Self::High => Reasoning::High,
        }
    }
}

/// The selected provider; none for the offline agent.
fn choose(
    wanted: &str,
    said: &ProviderOverrides,
    variable: impl Fn(&str) -> Option<String>,
) -> Result<Option<TextDefaults>, Failure> {
    match wanted {
        OFFLINE => Ok(None),
        AUTO => automatic(said, variable),
        named => known(named).map(Some),
    }
}

/// The provider for `auto`. A custom URL receives only the key named for it, never a provider's
/// key.
fn automatic(
    said: &ProviderOverrides,
    variable: impl Fn(&str) -> Option<String>,
) -> Result<Option<TextDefaults>, Failure> {
    match (&said.base_url, &said.key) {
        (Some(_), _) => Ok(Some(TextDefaults { name: COMPATIBLE, model: "", key: None })),
        (None, Some(key)) => Err(Failure::Usage(format!(
            "`key` of [text] names {key}, but not whose key that is; set `provider` too"
        ))),
        (None, None) => Ok(USUAL.into_iter().find(|usual| usual.key.and_then(&variable).is_some())),
    }
}

fn known(name: &str) -> Result<TextDefaults, Failure> {
    USUAL.into_iter().find(|usual| usual.name == name).ok_or_else(|| unknown(name))
}

/// The key, which is required unless the URL is custom: that receives the key named for it, or
/// none.
fn key(
    provider: &str,
    said: &ProviderOverrides,
    usual: Option<&str>,
    variable: impl Fn(&str) -> Option<String>,
) -> Result<Option<String>, Failure> {
    let usual = usual.filter(|_| said.base_url.is_none());
    let Some(name) = said.key.as_deref().or(usual) else { return Ok(None) };
    match variable(name) {
        Some(key) => Ok(Some(key)),
        None => Err(Failure::Usage(format!(
            "{provider} needs a key in the environment variable {name}, which is not set; \
             --provider {OFFLINE} needs none"
        ))),
    }
}

fn unknown(name: &str) -> Failure {
    Failure::Usage(no_provider(name))
}

fn no_provider(name: &str) -> String {
    let known: Vec<_> = USUAL.iter().map(|usual| usual.name).collect();
    let known = known.join(", ");
    format!("there is no provider {name:?} that writes; expected {AUTO}, {OFFLINE}, {known}")
}

#[cfg(test)]
#[path = "text_tests.rs"]
mod tests;
