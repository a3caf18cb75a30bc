//! The image engine as a handler sees it.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{Answer, Caller};

/// Makes images and finds them again.
pub trait Images: Send + Sync + fmt::Debug {
    /// Makes images; the same key gives the images that were made before.
    fn generate(&self, caller: &Caller, request: GenerateRequest) -> Answer<Vec<Image>>;

    /// An image that was made before.
    fn get(&self, caller: &Caller, request: ImageRequest) -> Answer<Option<Image>>;
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

/// One image.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Image {
    pub id: String,
    pub url: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub width: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub height: Option<u32>,
}
