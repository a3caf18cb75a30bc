//! The address of OpenAI's Responses API.

use crate::text::endpoint::{Endpoint, TextError, base};
use crate::text::protocol::ModelAddress;

const BASE: &str = "https://api.openai.com/v1";

pub(super) fn endpoint(place: &ModelAddress<'_>) -> Result<Endpoint, TextError> {
    let base = base(place.base, BASE, place.key, "OpenAI")?;
    Endpoint::new(&base, "", "responses")?.secret("authorization", "Bearer ", place.key)
}
