//! `[text]`: the model that writes.

use serde::{Deserialize, Serialize};

use crate::output::Failure;

/// The provider that is there without a key.
pub(crate) const OFFLINE: &str = "offline";

/// Takes the server at `base_url`, or else the first provider whose key is set.
const AUTO: &str = "auto";

/// What servers of one's own speak.
const COMPATIBLE: &str = "openai_chat";

/// What a provider has when nothing else is said.
#[derive(Debug, Clone, Copy)]
struct Usual {
    name: &'static str,
    model: &'static str,
    /// The environment variable that its key is in.
    key: Option<&'static str>,
}

/// In the order in which `auto` looks for keys.
const USUAL: [Usual; 4] = [
    Usual { name: "gemini", model: "gemini-3-flash", key: Some("GEMINI_API_KEY") },
    Usual { name: "openai", model: "gpt-5.2", key: Some("OPENAI_API_KEY") },
    Usual { name: "anthropic", model: "claude-sonnet-5", key: Some("ANTHROPIC_API_KEY") },
    Usual { name: COMPATIBLE, model: "", key: Some("OPENAI_API_KEY") },
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

/// What the settings say of one provider.
struct Said {
    model: Option<String>,
    base_url: Option<String>,
    /// The environment variable that has the key.
    key: Option<String>,
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
        let said = self.said_of(wanted);
        let chosen = match wanted {
            OFFLINE => None,
            AUTO => automatic(&said, &variable)?,
            named => Some(known(named)?),
        };
        let Some(Usual { name, model: usual, key: usual_key }) = chosen else {
            return Ok(Writer::Offline);
        };
        let model = model.map(str::to_owned).or_else(|| said.model.clone());
        let model = model.unwrap_or_else(|| usual.to_owned());
        if model.is_empty() {
            let hint = "set `model` of [text] in aileron.toml, or --model";
            return Err(Failure::Usage(format!("no model of {name} is named; {hint}")));
        }
        let key = key(name, &said, usual_key, variable)?;
        Ok(Writer::Provider { name, model, base_url: said.base_url, key })
    }

    /// What the settings say of a model and a place is said of their own provider.
    fn said_of(&self, provider: &str) -> Said {
        let own = provider == self.provider;
        let said = |value: &String| Some(value.clone()).filter(|value| own && !value.is_empty());
        Said { model: said(&self.model), base_url: said(&self.base_url), key: said(&self.key) }
    }
}

/// Who answers where nobody is named. A place of one's own is sent no key but the one that is named:
/// those of providers are none of its business.
fn automatic(
    said: &Said,
    variable: impl Fn(&str) -> Option<String>,
) -> Result<Option<Usual>, Failure> {
    match (&said.base_url, &said.key) {
        (Some(_), _) => Ok(Some(Usual { name: COMPATIBLE, model: "", key: None })),
        (None, Some(key)) => Err(Failure::Usage(format!(
            "`key` of [text] names {key}, but not whose key that is; set `provider` too"
        ))),
        (None, None) => Ok(USUAL.into_iter().find(|usual| usual.key.and_then(&variable).is_some())),
    }
}

fn known(name: &str) -> Result<Usual, Failure> {
    USUAL.into_iter().find(|usual| usual.name == name).ok_or_else(|| unknown(name))
}

/// A key must be there, unless the place is one's own and none is named.
fn key(
    provider: &str,
    said: &Said,
    usual: Option<&str>,
    variable: impl Fn(&str) -> Option<String>,
) -> Result<Option<String>, Failure> {
    let Some(name) = said.key.as_deref().or(usual) else { return Ok(None) };
    match variable(name) {
        Some(key) => Ok(Some(key)),
        None if said.base_url.is_some() && said.key.is_none() => Ok(None),
        None => Err(Failure::Usage(format!(
            "{provider} needs a key in the environment variable {name}, which is not set; \
             --provider {OFFLINE} needs none"
        ))),
    }
}

fn unknown(name: &str) -> Failure {
    let known: Vec<_> = USUAL.iter().map(|usual| usual.name).collect();
    Failure::Usage(format!(
        "there is no provider {name:?} that writes; expected {AUTO}, {OFFLINE}, {}",
        known.join(", ")
    ))
}

#[cfg(test)]
#[path = "text_tests.rs"]
mod tests;
