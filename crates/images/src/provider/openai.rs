//! OpenAI's images API: `POST /images/generations`.

use serde_json::{Value, json};

use super::whole_prompt;
use crate::generator::{Drawing, Shape};

pub(super) const PATH: &str = "images/generations";

pub(super) fn body(model: &str, drawing: &Drawing) -> Value {
    let size = match drawing.shape {
        Shape::Square => "1024x1024",
        Shape::Landscape | Shape::Wide => "1536x1024",
        Shape::Portrait | Shape::Tall => "1024x1536",
    };
    json!({ "model": model, "prompt": whole_prompt(drawing), "n": 1, "size": size })
}

/// The image in base64.
pub(super) fn image(answer: &Value) -> Result<Option<&str>, String> {
    Ok(answer.pointer("/data/0/b64_json").and_then(Value::as_str))
}
