//! Where Chat Completions are reached.

use crate::text::dialect::Place;
use crate::text::endpoint::{Endpoint, TextError, base};

const BASE: &str = "https://api.openai.com/v1";

pub(super) fn endpoint(place: &Place<'_>) -> Result<Endpoint, TextError> {
    let base = base(place.base, BASE, place.key, "OpenAI")?;
    Endpoint::new(&base, "", "chat/completions")?.secret("authorization", "Bearer ", place.key)
}
