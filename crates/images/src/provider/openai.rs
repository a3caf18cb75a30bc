//! OpenAI's images API: `POST /images/generations`.

use serde_json::{Value, json};

use super::{Found, whole_prompt};
use crate::generator::{Drawing, Shape};

pub(super) const PATH: &str = "images/generations";
pub(super) const NOTHING: &str = "neither `data[0].b64_json` nor `data[0].url`";

pub(super) fn body(model: &str, drawing: &Drawing) -> Value {
    let size = match drawing.shape {
        Shape::Square => "1024x1024",
        Shape::Landscape | Shape::Wide => "1536x1024",
        Shape::Portrait | Shape::Tall => "1024x1536",
    };
    json!({ "model": model, "prompt": whole_prompt(drawing), "n": 1, "size": size })
}

/// OpenAI's own models answer in base64; others, and servers that speak this protocol, with an
/// address.
pub(super) fn image(answer: &Value) -> Found<'_> {
    let text =
        |place: &str| answer.pointer(place).and_then(Value::as_str).filter(|text| !text.is_empty());
    match (text("/data/0/b64_json"), text("/data/0/url")) {
        (Some(encoded), _) => Found::Encoded(encoded),
        (None, Some(url)) => Found::At(url),
        (None, None) => Found::Nothing,
    }
}
