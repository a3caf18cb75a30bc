//! The address of Anthropic.

use super::settings::{AnthropicOptions, Auth};
use crate::text::endpoint::{Endpoint, TextError, base};
use crate::text::protocol::ModelAddress;

const BASE: &str = "https://api.anthropic.com";

pub(super) fn endpoint(
    settings: &AnthropicOptions,
    place: &ModelAddress<'_>,
) -> Result<Endpoint, TextError> {
    let base = base(place.base, BASE, place.key, "Anthropic")?;
    let endpoint = Endpoint::new(&base, "v1", "messages")?;
    let mut endpoint = endpoint.header("anthropic-version", &settings.version)?;
    if let Some(beta) = &settings.beta {
        endpoint = endpoint.header("anthropic-beta", beta)?;
    }
    match settings.auth {
        Auth::Bearer => endpoint.secret("authorization", "Bearer ", place.key),
        Auth::ApiKey => endpoint.secret("x-api-key", "", place.key),
    }
}
