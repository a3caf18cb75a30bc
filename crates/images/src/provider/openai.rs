//! OpenAI's images API: `POST /images/generations`.

use serde_json::{Value, json};

use super::{ProviderImage, whole_prompt};
use crate::generator::{AspectRatio, ImageSpec};

pub(super) const PATH: &str = "images/generations";
pub(super) const NOTHING: &str = "neither `data[0].b64_json` nor `data[0].url`";

pub(super) fn body(model: &str, drawing: &ImageSpec) -> Value {
    let size = size(model, drawing.shape);
    json!({ "model": model, "prompt": whole_prompt(drawing), "n": 1, "size": size })
}

/// The size closest to a shape of those that a model makes. If the ratio differs, the engine adds a
/// note.
fn size(model: &str, shape: AspectRatio) -> &'static str {
    let (lying, standing) = match model {
        "dall-e-2" => return "1024x1024",
        "dall-e-3" => ("1792x1024", "1024x1792"),
        _ => ("1536x1024", "1024x1536"),
    };
    match shape {
        AspectRatio::Square => "1024x1024",
        AspectRatio::Landscape | AspectRatio::Wide => lying,
        AspectRatio::Portrait | AspectRatio::Tall => standing,
    }
}

/// OpenAI's own models answer in base64; others, and servers that speak this protocol, with an
/// address.
pub(super) fn image(answer: &Value) -> ProviderImage<'_> {
    let text =
        |place: &str| answer.pointer(place).and_then(Value::as_str).filter(|text| !text.is_empty());
    match (text("/data/0/b64_json"), text("/data/0/url")) {
        (Some(encoded), _) => ProviderImage::Encoded(encoded),
        (None, Some(url)) => ProviderImage::At(url),
        (None, None) => ProviderImage::Nothing,
    }
}
