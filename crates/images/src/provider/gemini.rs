//! Gemini's image models: `POST /models/<model>:generateContent` that answers with inline data.

use serde_json::{Value, json};

use super::{ProviderImage, whole_prompt};
use crate::generator::ImageSpec;

pub(super) const NOTHING: &str = "no `inlineData` in `candidates[0].content.parts`";

pub(super) fn path(model: &str) -> String {
    format!("models/{model}:generateContent")
}

pub(super) fn body(drawing: &ImageSpec) -> Value {
    json!({
        "contents": [{ "role": "user", "parts": [{ "text": whole_prompt(drawing) }] }],
        "generationConfig": {
            "responseModalities": ["IMAGE"],
            "imageConfig": { "aspectRatio": drawing.shape.name() },
        },
    })
}

/// The image, or why the prompt was declined.
pub(super) fn image(answer: &Value) -> Result<ProviderImage<'_>, String> {
    if let Some(reason) = answer.pointer("/promptFeedback/blockReason").and_then(Value::as_str) {
        return Err(reason.to_owned());
    }
    let candidate = answer.pointer("/candidates/0");
    let parts = candidate.and_then(|it| it.pointer("/content/parts")).and_then(Value::as_array);
    let mut images =
        parts.into_iter().flatten().filter_map(|part| part.pointer("/inlineData/data")?.as_str());
    if let Some(image) = images.next() {
        return Ok(ProviderImage::Encoded(image));
    }
    match candidate.and_then(|it| it.get("finishReason")).and_then(Value::as_str) {
        None | Some("STOP") => Ok(ProviderImage::Nothing),
        Some(reason) => Err(reason.to_owned()),
    }
}
