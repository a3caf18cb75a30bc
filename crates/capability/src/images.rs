//! The image engine as a handler sees it.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Answer, Caller};

/// Generates images and finds them again.
pub trait Images: Send + Sync + fmt::Debug {
    /// Generates images; the same key returns the images that were generated before, without
    /// generating them again. A long request reports its progress, and ends in time with the images
    /// that are finished by then. Fails if there are none.
    fn generate(
        &self,
        caller: &Caller,
        request: GenerateRequest,
        progress: ProgressSink,
    ) -> Answer<GeneratedImages>;

    /// An image that was generated before.
    fn get(&self, caller: &Caller, request: ImageRequest) -> Answer<Option<Image>>;

    /// Fetches an image from the web and checks that it is an image of an acceptable size.
    fn look(&self, caller: &Caller, request: LookRequest) -> Answer<ProbedImage>;
}

/// Receives progress reports of a request, and holds its time limit.
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
    /// Sends reports to this listener.
    pub fn to(listener: impl Fn(Value) + Send + Sync + 'static) -> Self {
        Self { listener: Some(Arc::new(listener)), time_left: None }
    }

    /// Adds a time limit: after this time no caller waits for the request.
    #[must_use]
    pub fn within(self, time: Duration) -> Self {
        Self { time_left: Some(time), ..self }
    }

    /// The time limit, counted from when the request was made.
    pub fn time_left(&self) -> Option<Duration> {
        self.time_left
    }

    /// Sends a progress report, if there is a listener.
    pub fn tell(&self, update: Value) {
        if let Some(listener) = &self.listener {
            listener(update);
        }
    }
}

/// The images to generate.
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

/// The image to read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ImageRequest {
    pub id: String,
}

/// The address to fetch.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LookRequest {
    pub url: String,
}

/// The image at an address.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ProbedImage {
    pub content_type: String,
    pub bytes: u64,
    pub width: u32,
    pub height: u32,
}

/// The result of a request.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GeneratedImages {
    pub images: Vec<Image>,
    pub requested: u32,
    /// The requested images that could not be generated.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<MissingImage>,
}

/// A requested image that could not be generated.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MissingImage {
    /// The number of the image, from 1.
    pub number: u32,
    pub reason: String,
    /// Whether it may have been generated and charged nevertheless.
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
    /// A notice for people: the image was not made by an image model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
    /// A problem with this image.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}
