//! `[text]`: the model that writes.

use serde::{Deserialize, Serialize};

use crate::output::Failure;

/// The provider that is there without a key.
pub(crate) const OFFLINE: &str = "offline";

/// Takes the first provider whose key is set.
const AUTO: &str = "auto";

/// The providers with their usual model and the variable their key is usually in, in the order in
/// which `auto` looks for keys.
const USUAL: [(&str, &str, &str); 4] = [
    ("gemini", "gemini-3-flash", "GEMINI_API_KEY"),
    ("openai", "gpt-5.2", "OPENAI_API_KEY"),
    ("anthropic", "claude-sonnet-5", "ANTHROPIC_API_KEY"),
    ("openai_chat", "", "OPENAI_API_KEY"),
];

#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct TextSettings {
    pub(crate) provider: String,
    pub(crate) model: String,
    pub(crate) base_url: String,
    /// The environment variable that has the key.
    pub(crate) key: String,
    pub(crate) window_tokens: usize,
}

impl Default for TextSettings {
    fn default() -> Self {
        Self {
            provider: AUTO.to_owned(),
            model: String::new(),
            base_url: String::new(),
            key: String::new(),
            window_tokens: 100_000,
        }
    }
}

/// Who answers, decided.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Writer {
    /// Rules in this binary.
    Offline,
    Provider {
        name: &'static str,
        model: String,
        base_url: Option<String>,
        key: Option<String>,
    },
}

impl TextSettings {
    /// Decides who answers: what is asked for on the command line, then the settings, then the keys
    /// that `variable` finds.
    pub(crate) fn writer(
        &self,
        provider: Option<&str>,
        model: Option<&str>,
        variable: impl Fn(&str) -> Option<String>,
    ) -> Result<Writer, Failure> {
        let wanted = provider.unwrap_or(&self.provider);
        if wanted == OFFLINE {
            return Ok(Writer::Offline);
        }
        let named = USUAL.iter().find(|(name, ..)| *name == wanted);
        let (name, usual, usual_key) = match named {
            Some(named) => *named,
            None if wanted == AUTO => {
                match USUAL.iter().find(|(.., key)| variable(key).is_some()) {
                    Some(found) => *found,
                    None => return Ok(Writer::Offline),
                }
            }
            None => return Err(unknown(wanted)),
        };
        // What the settings say of a model and a place is said of their own provider.
        let own = provider.is_none_or(|provider| provider == self.provider);
        let said = |value: &String| Some(value.clone()).filter(|value| own && !value.is_empty());
        let model = model.map(str::to_owned).or_else(|| said(&self.model));
        let model = model.unwrap_or_else(|| usual.to_owned());
        if model.is_empty() {
            let hint = "set `model` of [text] in aileron.toml, or --model";
            return Err(Failure::Usage(format!("no model of {name} is named; {hint}")));
        }
        let base_url = said(&self.base_url);
        let key = key(name, said(&self.key).as_deref(), usual_key, base_url.is_some(), variable)?;
        Ok(Writer::Provider { name, model, base_url, key })
    }
}

/// A key must be there, unless the place is one's own and none is named.
fn key(
    provider: &str,
    named: Option<&str>,
    usual: &str,
    own_place: bool,
    variable: impl Fn(&str) -> Option<String>,
) -> Result<Option<String>, Failure> {
    let name = named.unwrap_or(usual);
    match variable(name) {
        Some(key) => Ok(Some(key)),
        None if own_place && named.is_none() => Ok(None),
        None => Err(Failure::Usage(format!(
            "{provider} needs a key in the environment variable {name}, which is not set; \
             --provider {OFFLINE} needs none"
        ))),
    }
}

fn unknown(name: &str) -> Failure {
    let known: Vec<_> = USUAL.iter().map(|(name, ..)| *name).collect();
    Failure::Usage(format!(
        "there is no provider {name:?} that writes; expected {AUTO}, {OFFLINE}, {}",
        known.join(", ")
    ))
}

#[cfg(test)]
#[path = "text_tests.rs"]
mod tests;
