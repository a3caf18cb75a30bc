//! `[images]`: the image generator, the folder of images and their lifetime. The settings name a
//! key, which is in the environment.

use std::env;
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use aileron_capability::Clock;
use aileron_capability::http::HttpClient;
use aileron_contract::models;
use aileron_images::{
    Addresses, CardGenerator, Generator, ImageEngine, ImageLimits, ImageProvider, ImageStore,
    ProviderSettings,
};
use serde::{Deserialize, Serialize};

use super::HttpSettings;
use super::keys::{self, ProviderAddress};
use crate::output::Failure;

#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct ImageSettings {
    engine: ImageEngineKind,
    /// The folder of the images.
    pub(crate) path: PathBuf,
    /// The prefix of image URLs; empty means `/v1/images/` on a server, and the file's path
    /// elsewhere.
    address: String,
    /// The provider's model; empty means the default.
    model: String,
    /// The provider's URL; empty means the default.
    url: String,
    /// The environment variable that has the key; empty means the provider's default, and none for
    /// a custom `url`.
    key: String,
    max_mb: NonZeroU32,
    max_age_days: NonZeroU32,
    timeout_seconds: NonZeroU32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum ImageEngineKind {
    /// Drawn here, without a model.
    Card,
    Openai,
    Gemini,
    None,
}

/// How images are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ImageDisplay {
    /// By a program on this machine, which opens files.
    Here,
    /// By the server, over HTTP.
    ByServer,
}

impl Default for ImageSettings {
    fn default() -> Self {
        Self {
            engine: ImageEngineKind::Card,
            path: PathBuf::from(".aileron/images"),
            address: String::new(),
            model: String::new(),
            url: String::new(),
            key: String::new(),
            max_mb: NonZeroU32::MIN.saturating_add(15),
            max_age_days: NonZeroU32::MIN.saturating_add(29),
            timeout_seconds: NonZeroU32::MIN.saturating_add(54),
        }
    }
}

/// The defaults of a provider.
struct ImageDefaults {
    url: &'static str,
    model: &'static str,
    key: &'static str,
    open: fn(&ProviderSettings) -> Result<ImageProvider, String>,
}

const OPENAI: ImageDefaults = ImageDefaults {
    url: "https://api.openai.com/v1",
    model: models::OPENAI_IMAGES,
    key: "OPENAI_API_KEY",
    open: ImageProvider::openai,
};

const GEMINI: ImageDefaults = ImageDefaults {
    url: "https://generativelanguage.googleapis.com/v1beta",
    model: models::GEMINI_IMAGES,
    key: "GEMINI_API_KEY",
    open: ImageProvider::gemini,
};

impl ImageSettings {
    /// The model and the variable of its key that the settings name for this provider.
    pub(crate) fn model_and_key(&self, provider: &str) -> (&str, &str) {
        match (self.engine, provider) {
            (ImageEngineKind::Openai, "openai") | (ImageEngineKind::Gemini, "gemini") => {
                (&self.model, &self.key)
            }
            _ => ("", ""),
        }
    }

    /// Whether there is no image engine.
    pub(crate) fn is_off(&self) -> bool {
        self.engine == ImageEngineKind::None
    }

    /// The engine with this store; it reads nothing yet.
    pub(crate) fn engine(
        &self,
        store: ImageStore,
        http: &HttpSettings,
        web: Arc<HttpClient>,
        clock: Arc<dyn Clock>,
    ) -> Result<Option<ImageEngine>, Failure> {
        let generator: Arc<dyn Generator> = match self.engine {
            ImageEngineKind::None => return Ok(None),
            ImageEngineKind::Card => self.card()?,
            ImageEngineKind::Openai => self.provider(&OPENAI, http, web.clone())?,
            ImageEngineKind::Gemini => self.provider(&GEMINI, http, web.clone())?,
        };
        Ok(Some(ImageEngine::new(generator, store, self.limits(), Some(web), clock)))
    }

    /// The store of images. URLs begin with `address`, or by default with a prefix that the viewer
    /// can open.
    pub(crate) fn store(&self, shown: ImageDisplay) -> ImageStore {
        let addresses = match (self.address.as_str(), shown) {
            ("", ImageDisplay::Here) => Addresses::Files,
            ("", ImageDisplay::ByServer) => Addresses::Under(aileron_server::IMAGES.to_owned()),
            (base, _) => Addresses::Under(base.to_owned()),
        };
        let days = u64::from(self.max_age_days.get());
        ImageStore::at(&self.path, addresses, Duration::from_secs(days * 24 * 3600))
    }

    fn limits(&self) -> ImageLimits {
        ImageLimits {
            image_bytes: usize::try_from(u64::from(self.max_mb.get()) << 20).unwrap_or(usize::MAX),
            timeout: Duration::from_secs(self.timeout_seconds.get().into()),
            ..ImageLimits::default()
        }
    }

    /// Refuses options that only a provider uses, because they would be ignored silently.
    fn card(&self) -> Result<Arc<dyn Generator>, Failure> {
        match self.model.is_empty() && self.url.is_empty() && self.key.is_empty() {
            true => Ok(Arc::new(CardGenerator)),
            false => {
                Err(wrong("expected `model`, `url` and `key` beside the engine of a provider"))
            }
        }
    }

    fn provider(
        &self,
        usual: &ImageDefaults,
        http: &HttpSettings,
        web: Arc<HttpClient>,
    ) -> Result<Arc<dyn Generator>, Failure> {
        let limits = self.limits();
        let base = or(&self.url, usual.url);
        let settings = ProviderSettings {
            allow_plain: http.allows_plain(&base),
            base,
            model: or(&self.model, usual.model),
            key: self.secret(usual, |name| env::var(name).ok())?,
            image_bytes: limits.image_bytes,
            timeout: limits.timeout,
            web: Some(web),
        };
        let provider = (usual.open)(&settings).map_err(|why| wrong(&why))?;
        Ok(Arc::new(provider))
    }

    fn secret(
        &self,
        usual: &ImageDefaults,
        environment: impl Fn(&str) -> Option<String>,
    ) -> Result<Option<String>, Failure> {
        let place = ProviderAddress { url: &self.url, usual_url: usual.url };
        keys::find(place, &self.key, usual.key, environment).map_err(|why| wrong(&why))
    }
}

fn or(text: &str, usual: &str) -> String {
    if text.is_empty() { usual } else { text }.to_owned()
}

fn wrong(why: &str) -> Failure {
    Failure::Usage(format!("[images] cannot be used: {why}"))
}

#[cfg(test)]
#[path = "images_tests.rs"]
mod tests;
