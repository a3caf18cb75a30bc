//! The interface of image generators: one picture at a time. The engine checks and stores them.

use std::fmt;

use aileron_capability::Answer;
use serde::{Deserialize, Serialize};

/// Generates images.
pub trait Generator: Send + Sync + fmt::Debug {
    /// The name for people: the engine and its model.
    fn name(&self) -> String;

    /// A note for people about its images, if they are not what people expect.
    fn label(&self) -> Option<String> {
        None
    }

    /// Whether generating an image again is free and gives the same result.
    fn is_free(&self) -> bool;

    /// Makes one picture. Dropping the future cancels it.
    fn draw(&self, drawing: ImageSpec) -> Answer<UncheckedImage>;
}

/// The picture to draw.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImageSpec {
    pub prompt: String,
    /// The negative prompt; may be empty.
    pub negative_prompt: String,
    pub shape: AspectRatio,
    /// Its index within the request, from 0.
    pub number: u32,
}

/// An image as received, not checked yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UncheckedImage {
    pub bytes: Vec<u8>,
    /// Notes for people about deviations from the request.
    pub note: Option<String>,
}

impl From<Vec<u8>> for UncheckedImage {
    fn from(bytes: Vec<u8>) -> Self {
        Self { bytes, note: None }
    }
}

/// Allowed relative deviation from an aspect ratio: models use sizes such as 1344x768 for 16:9.
const CLOSE: f64 = 0.05;

/// Width to height.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum AspectRatio {
    #[serde(rename = "1:1")]
    Square,
    #[serde(rename = "4:3")]
    Landscape,
    #[serde(rename = "3:4")]
    Portrait,
    #[serde(rename = "16:9")]
    Wide,
    #[serde(rename = "9:16")]
    Tall,
}

impl AspectRatio {
    /// Parses a ratio such as `16:9`.
    pub fn named(text: &str) -> Option<Self> {
        serde_json::from_value(text.into()).ok()
    }

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Square => "1:1",
            Self::Landscape => "4:3",
            Self::Portrait => "3:4",
            Self::Wide => "16:9",
            Self::Tall => "9:16",
        }
    }

    /// Whether an image of this size has this ratio, within the allowed deviation.
    pub(crate) fn is_of(self, width: u32, height: u32) -> bool {
        let (wide, high) = self.pixels();
        let found = f64::from(width) * f64::from(high);
        let expected = f64::from(height) * f64::from(wide);
        (found - expected).abs() <= CLOSE * expected
    }

    /// Pixels of a picture that is drawn here.
    pub(crate) const fn pixels(self) -> (u32, u32) {
        match self {
            Self::Square => (1024, 1024),
            Self::Landscape => (1152, 864),
            Self::Portrait => (864, 1152),
            Self::Wide => (1280, 720),
            Self::Tall => (720, 1280),
        }
    }
}
