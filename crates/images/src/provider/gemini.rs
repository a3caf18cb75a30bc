//! Gemini's image models: `POST /models/<model>:generateContent` that answers with inline data.

use serde_json::{Value, json};

use super::whole_prompt;
use crate::generator::Drawing;

pub(super) fn path(model: &str) -> String {
    format!("models/{model}:generateContent")
}

pub(super) fn body(drawing: &Drawing) -> Value {
    json!({
        "contents": [{ "role": "user", "parts": [{ "text": whole_prompt(drawing) }] }],
        "generationConfig": {
            "responseModalities": ["IMAGE"],
            "imageConfig": { "aspectRatio": drawing.shape.name() },
        },
    })
}

/// The image in base64, or why there is none.
pub(super) fn image(answer: &Value) -> Result<Option<&str>, String> {
    if let Some(reason) = answer.pointer("/promptFeedback/blockReason").and_then(Value::as_str) {
        return Err(reason.to_owned());
    }
    let candidate = answer.pointer("/candidates/0");
    let parts = candidate.and_then(|it| it.pointer("/content/parts")).and_then(Value::as_array);
    let mut images =
        parts.into_iter().flatten().filter_map(|part| part.pointer("/inlineData/data")?.as_str());
    if let Some(image) = images.next() {
        return Ok(Some(image));
    }
    match candidate.and_then(|it| it.get("finishReason")).and_then(Value::as_str) {
        None | Some("STOP") => Ok(None),
        Some(reason) => Err(reason.to_owned()),
    }
}
