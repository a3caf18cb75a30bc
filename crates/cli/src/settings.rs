//! `aileron.toml`: the settings of a project.
//!
//! The environment may override them, see `layers`. A section is a struct here with
//! `deny_unknown_fields`, so that a misspelt key is an error. An omitted key has its default; paths
//! are relative to the file's folder.

pub(crate) mod address;
mod auth;
mod build;
mod calendar;
mod confirmation;
mod embeddings;
mod handlers;
mod http;
mod images;
mod kb;
mod keys;
mod layers;
mod log;
mod origins;
mod prompt;
mod registries;
mod server;
mod text;
mod voice;

use std::collections::BTreeSet;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use aileron_capability::alike;
use aileron_compiler::Options;
use aileron_contract::models::Protocol;
use aileron_orchestrator::Config;
use serde::{Deserialize, Serialize};

pub(crate) use self::auth::AuthSettings;
pub(crate) use self::build::BuildSettings;
pub(crate) use self::calendar::CalendarSettings;
pub(crate) use self::confirmation::ConfirmationSettings;
pub(crate) use self::handlers::{HANDLER_PROCESS, HandlerSettings, WORKER};
pub(crate) use self::http::HttpSettings;
pub(crate) use self::images::{ImageDisplay, ImageSettings};
pub(crate) use self::kb::KbSettings;
pub(crate) use self::layers::{Flag, Layers};
pub(crate) use self::log::{LogFormat, LogLevel, LogSettings};
pub(crate) use self::prompt::PromptSettings;
pub(crate) use self::registries::{RegistrySettings, faults as registry_faults};
pub(crate) use self::server::ServerSettings;
pub(crate) use self::text::{ChosenModel, OFFLINE, OFFLINE_SPEAKS, TextBackend, TextSettings};
pub(crate) use self::voice::VoiceSettings;
use crate::output::Failure;

/// Minimum similarity of a suggested key.
const ALIKE: f64 = 0.75;

/// The default settings file.
const DEFAULT_FILE: &str = "aileron.toml";

#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Settings {
    pub(crate) store: StoreSettings,
    pub(crate) kb: KbSettings,
    pub(crate) calendar: CalendarSettings,
    pub(crate) images: ImageSettings,
    pub(crate) models: ModelSettings,
    pub(crate) build: BuildSettings,
    pub(crate) handlers: HandlerSettings,
    pub(crate) http: HttpSettings,
    pub(crate) text: TextSettings,
    pub(crate) prompt: PromptSettings,
    pub(crate) policies: Config,
    pub(crate) confirmation: ConfirmationSettings,
    pub(crate) server: ServerSettings,
    pub(crate) auth: AuthSettings,
    pub(crate) voice: VoiceSettings,
    pub(crate) log: LogSettings,
}

#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct StoreSettings {
    pub(crate) path: PathBuf,
}

impl Default for StoreSettings {
    fn default() -> Self {
        Self { path: PathBuf::from(".aileron/aileron.db") }
    }
}

/// Weights of models that run on this machine.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct ModelSettings {
    /// The folder they are kept in.
    pub(crate) path: PathBuf,
}

impl Default for ModelSettings {
    fn default() -> Self {
        Self { path: PathBuf::from(".aileron/models") }
    }
}

impl Settings {
    /// Reads the named file, which must exist, or `aileron.toml`, which need not, and the
    /// environment.
    pub(crate) fn load(named: Option<&Path>) -> Result<Self, Failure> {
        Self::load_layers(named).map(|layers| layers.settings)
    }

    /// The same, with the source of each value.
    pub(crate) fn load_layers(named: Option<&Path>) -> Result<Layers, Failure> {
        let file = named.unwrap_or(Path::new(DEFAULT_FILE));
        match fs::read_to_string(file) {
            Ok(text) => Self::layered(&text, file)?.with_environment(),
            Err(error) if error.kind() == ErrorKind::NotFound && named.is_none() => {
                Self::layered("", file)?.with_environment()
            }
            Err(error) => {
                Err(Failure::Usage(format!("`{}` cannot be read: {error}", file.display())))
            }
        }
    }

    /// The model, and the environment variable of its key, that the settings name for a purpose; empty where
    /// the default applies.
    pub(crate) fn model_and_key(&self, provider: &str, protocol: Protocol) -> (&str, &str) {
        match protocol {
            Protocol::GeminiLive => (&self.voice.gemini.model, &self.voice.gemini.key),
            Protocol::OpenaiRealtime => (&self.voice.openai.model, &self.voice.openai.key),
            Protocol::Transcription => {
                (&self.voice.openai.transcription_model, &self.voice.openai.key)
            }
            Protocol::Gemini | Protocol::OpenaiResponses | Protocol::Anthropic
                if self.text.provider == provider =>
            {
                (&self.text.model, &self.text.key)
            }
            Protocol::Images => self.images.model_and_key(provider),
            Protocol::Embeddings => self.kb.embeddings.model_and_key(provider),
            Protocol::OpenaiLive
            | Protocol::Gemini
            | Protocol::OpenaiResponses
            | Protocol::Anthropic => ("", ""),
        }
    }

    /// How the tools are compiled.
    pub(crate) fn compile_options(&self) -> Options {
        self.build.options(self.auth.claims())
    }

    fn layered(text: &str, file: &Path) -> Result<Layers, Failure> {
        let settings = Self::read(text, file)?;
        Layers::of_file(settings, file, &keys_of(text))
    }

    fn read(text: &str, file: &Path) -> Result<Self, Failure> {
        let settings: Self = toml::from_str(text).map_err(|error| wrong(&error, text, file))?;
        Ok(settings.seen_from(file.parent().unwrap_or(Path::new(""))))
    }

    fn seen_from(mut self, folder: &Path) -> Self {
        self.store.path = folder.join(&self.store.path);
        self.kb.path = folder.join(&self.kb.path);
        self.calendar.path = folder.join(&self.calendar.path);
        self.images.path = folder.join(&self.images.path);
        self.models.path = folder.join(&self.models.path);
        self.prompt.seen_from(folder);
        self.confirmation.seen_from(folder);
        self.http.extra_roots.iter_mut().for_each(|file| *file = folder.join(&*file));
        self.server.tools = folder.join(&self.server.tools);
        self.server.registries.iter_mut().for_each(|registry| registry.seen_from(folder));
        for file in [&mut self.kb.seed, &mut self.server.registry, &mut self.auth.tokens_file] {
            // An empty path stays empty.
            if !file.as_os_str().is_empty() {
                *file = folder.join(&*file);
            }
        }
        self
    }
}

/// The keys that a file sets. Its text is known to be well formed.
fn keys_of(text: &str) -> BTreeSet<String> {
    let tree: serde_json::Value = toml::from_str(text).unwrap_or_default();
    layers::leaves(&tree).into_iter().map(|(key, _)| key).collect()
}

/// A suggestion for an unknown key: the most similar of the keys that the error message lists. None
/// if it lists only one.
fn suggest_key(why: &str) -> String {
    let mut quoted = why.split('`').skip(1).step_by(2);
    let found = quoted.next().filter(|_| why.starts_with("unknown "));
    let known: Vec<&str> = quoted.collect();
    let found = found.filter(|_| known.len() > 1);
    let alike =
        found.and_then(|found| alike::closest(found, known.into_iter(), ALIKE).first().copied());
    alike.map(|alike| format!("; did you mean `{alike}`?")).unwrap_or_default()
}

/// Names the file, the place and what was expected there, in one line.
fn wrong(error: &toml::de::Error, text: &str, file: &Path) -> Failure {
    let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
    let line = before.split('\n').count();
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    let why = error.message().trim_end().replace('\n', ", ");
    Failure::Usage(format!("{}:{line}:{column}: {why}{}", file.display(), suggest_key(&why)))
}

#[cfg(test)]
#[path = "settings_tests.rs"]
mod tests;
