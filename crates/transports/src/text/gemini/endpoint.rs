//! The address of Gemini.

use super::settings::GeminiOptions;
use crate::text::endpoint::{Endpoint, TextError, base};
use crate::text::protocol::ModelAddress;

const BASE: &str = "https://generativelanguage.googleapis.com";

pub(super) fn endpoint(
    settings: &GeminiOptions,
    place: &ModelAddress<'_>,
) -> Result<Endpoint, TextError> {
    let base = base(place.base, BASE, place.key, "Gemini")?;
    let model = place.model.trim_start_matches("models/");
    let path = format!("models/{model}:streamGenerateContent");
    let endpoint = Endpoint::new(&base, &settings.version, &path)?.query("alt", "sse");
    endpoint.secret("x-goog-api-key", "", place.key)
}
