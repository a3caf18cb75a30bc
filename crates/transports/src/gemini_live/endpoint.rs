//! The address of Gemini Live.

use crate::target::{Target, TargetError};

const BASE: &str = "wss://generativelanguage.googleapis.com";

const PATH: &str = "ws/google.ai.generativelanguage.v1beta.GenerativeService.BidiGenerateContent";

/// The public service, or the one at a custom base, such as a simulator.
pub fn target(base: Option<&str>, key: &str) -> Result<Target, TargetError> {
    Target::new(base.unwrap_or(BASE), PATH)?.secret("x-goog-api-key", key)
}
