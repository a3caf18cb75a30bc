//! The address of Chat Completions.

use crate::text::endpoint::{Endpoint, TextError, base};
use crate::text::protocol::ModelAddress;

const BASE: &str = "https://api.openai.com/v1";

pub(super) fn endpoint(place: &ModelAddress<'_>) -> Result<Endpoint, TextError> {
    let base = base(place.base, BASE, place.key, "OpenAI")?;
    Endpoint::new(&base, "", "chat/completions")?.secret("authorization", "Bearer ", place.key)
}
