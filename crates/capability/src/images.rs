//! The image engine as a handler sees it.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Answer, Caller};

/// Makes images and finds them again.
pub trait Images: Send + Sync + fmt::Debug {
    /// Makes images; the same key gives the images that were made before, and makes none of them
    /// again. What takes long tells how far it is, and ends in time with what there is by then.
    /// It fails if there is none.
    fn generate(
        &self,
        caller: &Caller,
        request: GenerateRequest,
        progress: ProgressSink,
    ) -> Answer<GeneratedImages>;

    /// An image that was made before.
    fn get(&self, caller: &Caller, request: ImageRequest) -> Answer<Option<Image>>;

    /// Looks at an image on the web: what it is, if it is one and of a size to be shown.
    fn look(&self, caller: &Caller, request: LookRequest) -> Answer<ProbedImage>;
}

/// Where to tell how far a request is, and how long somebody waits for it.
#[derive(Clone, Default)]
pub struct ProgressSink {
    listener: Option<Arc<dyn Fn(Value) + Send + Sync>>,
    time_left: Option<Duration>,
}

impl fmt::Debug for ProgressSink {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Progress").finish_non_exhaustive()
    }
}

impl ProgressSink {
    /// Tells this listener.
    pub fn to(listener: impl Fn(Value) + Send + Sync + 'static) -> Self {
        Self { listener: Some(Arc::new(listener)), time_left: None }
    }

    /// With an end: after this time nobody waits any more.
    #[must_use]
    pub fn within(self, time: Duration) -> Self {
        Self { time_left: Some(time), ..self }
    }

    /// How long somebody waits, seen from when the request was made.
    pub fn time_left(&self) -> Option<Duration> {
        self.time_left
    }

    /// Tells how far it is, if somebody listens.
    pub fn tell(&self, update: Value) {
        if let Some(listener) = &self.listener {
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
pub struct ProbedImage {
    pub content_type: String,
    pub bytes: u64,
    pub width: u32,
    pub height: u32,
}

/// What came of a request.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GeneratedImages {
    pub images: Vec<Image>,
    pub requested: u32,
    /// Those that were asked for and are not there.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<MissingImage>,
}

/// An image that was asked for and is not there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MissingImage {
    /// Which one, from 1.
    pub number: u32,
    pub reason: String,
    /// Whether it may have been made and charged all the same.
    pub may_be_charged: bool,
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
    /// What people are to be told of it: that it is no picture of an image model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// What went less than well with this one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}
