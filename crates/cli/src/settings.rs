//! `aileron.toml`: what a project sets once instead of on every command line.
//!
//! A section is a struct here with `deny_unknown_fields`, so that a misspelt key is
//! an error. What is left out has a default; paths are seen from the file's folder.

mod calendar;
mod embeddings;
mod handlers;
mod http;
mod images;
mod kb;

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use aileron_orchestrator::Config;
use serde::{Deserialize, Serialize};

pub(crate) use self::calendar::CalendarSettings;
pub(crate) use self::handlers::{HandlerSettings, WORKER};
pub(crate) use self::http::HttpSettings;
pub(crate) use self::images::ImageSettings;
pub(crate) use self::kb::KbSettings;
use crate::output::Failure;

/// Where settings are looked for when no file is named.
const DEFAULT_FILE: &str = "aileron.toml";

#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Settings {
    pub(crate) store: StoreSettings,
    pub(crate) kb: KbSettings,
    pub(crate) calendar: CalendarSettings,
    pub(crate) images: ImageSettings,
    pub(crate) models: ModelSettings,
    pub(crate) handlers: HandlerSettings,
    pub(crate) http: HttpSettings,
    pub(crate) policies: Config,
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
    /// Reads the named file, which must be there, or `aileron.toml`, which need not.
    pub(crate) fn load(named: Option<&Path>) -> Result<Self, Failure> {
        let file = named.unwrap_or(Path::new(DEFAULT_FILE));
        match fs::read_to_string(file) {
            Ok(text) => Self::read(&text, file),
            Err(error) if error.kind() == ErrorKind::NotFound && named.is_none() => {
                Ok(Self::default())
            }
            Err(error) => {
                Err(Failure::Usage(format!("`{}` cannot be read: {error}", file.display())))
            }
        }
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
        self.http.extra_roots.iter_mut().for_each(|file| *file = folder.join(&*file));
        self
    }
}

/// Names the file, the place and what was expected there, in one line.
fn wrong(error: &toml::de::Error, text: &str, file: &Path) -> Failure {
    let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
    let line = before.split('\n').count();
    let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
    let why = error.message().trim_end().replace('\n', ", ");
    Failure::Usage(format!("{}:{line}:{column}: {why}", file.display()))
}

#[cfg(test)]
#[path = "settings_tests.rs"]
mod tests;
