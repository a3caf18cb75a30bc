//! The image engine as a handler sees it.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Answer, Caller};

/// Makes images and finds them again.
pub trait Images: Send + Sync + fmt::Debug {
    /// Makes images; the same key gives the images that were made before. What takes long tells
    /// how far it is.
    fn generate(
        &self,
        caller: &Caller,
        request: GenerateRequest,
        progress: Progress,
    ) -> Answer<Vec<Image>>;

    /// An image that was made before.
    fn get(&self, caller: &Caller, request: ImageRequest) -> Answer<Option<Image>>;

    /// Looks at an image on the web: what it is, if it is one and of a size to be shown.
    fn look(&self, caller: &Caller, request: LookRequest) -> Answer<Seen>;
}

/// Where to tell how far a request is.
#[derive(Clone, Default)]
pub struct Progress(Option<Arc<dyn Fn(Value) + Send + Sync>>);

impl fmt::Debug for Progress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Progress").finish_non_exhaustive()
    }
}

impl Progress {
    /// Tells this listener.
    pub fn to(listener: impl Fn(Value) + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(listener)))
    }

    /// Tells how far it is, if somebody listens.
    pub fn tell(&self, update: Value) {
        if let Some(listener) = &self.0 {
            listener(update);
        }
    }
}

/// What to draw.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GenerateRequest {
    pub prompt: String,
    #[serde(default)]
    pub negative_prompt: String,
    pub aspect_ratio: String,
    pub count: u32,
    pub idempotency_key: String,
}

/// Which image.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ImageRequest {
    pub id: String,
}

/// An address to look at.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LookRequest {
    pub url: String,
}

/// What is at an address.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Seen {
    pub content_type: String,
    pub bytes: u64,
    pub width: u32,
    pub height: u32,
}

/// One image.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Image {
    pub id: String,
    pub url: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub width: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub height: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content_type: Option<String>,
    /// The engine and model that made it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub made_by: Option<String>,
}
