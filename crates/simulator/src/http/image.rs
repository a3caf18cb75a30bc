//! Pictures: OpenAI's endpoint for them, and the reply of a model that answers in pictures.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::{Html, IntoResponse, Response};
use serde::Deserialize;
use serde_json::{Value, json};

use super::exchange::{ModelReply, ProviderRequest, RequestRefusal, SimulatedPart};
use super::serve::{IncomingRequest, PAGE, ordered, refuse};
use super::shared::HttpWorld;
use crate::openai::{Chat, error};
use crate::simulated_model::HistoryItem;
use crate::{png, sse};

const MOST: usize = 10;

/// The default model.
const OLDEST: &str = "dall-e-2";

#[derive(Debug, Deserialize)]
struct Request {
    /// The oldest model if there is none.
    #[serde(default)]
    model: Option<String>,
    prompt: String,
    #[serde(default)]
    n: Option<usize>,
    #[serde(default)]
    size: Option<String>,
}

/// `POST /v1/images/generations`.
pub(super) async fn openai(
    State(shared): State<Arc<HttpWorld>>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let numbered = shared.number();
    if shared.faults.html {
        return Html(PAGE).into_response();
    }
    let incoming = IncomingRequest::new(headers, body);
    match ordered(&shared.faults, numbered.number).and_then(|()| generate(&incoming, &shared)) {
        Ok(body) => sse::whole(body.to_string(), &shared.faults),
        Err(refusal) => refuse(&Chat, &refusal),
    }
}

fn generate(incoming: &IncomingRequest, shared: &HttpWorld) -> Result<Value, RequestRefusal> {
    if !incoming.has_bearer() {
        return Err(RequestRefusal::unauthenticated(error::NO_KEY));
    }
    let request: Request = error::parse(&incoming.body)?;
    if request.prompt.trim().is_empty() {
        return Err(RequestRefusal::invalid("A prompt is required").at("prompt"));
    }
    if shared.faults.refuse {
        let message = "Your request was rejected by the safety system";
        return Err(RequestRefusal::invalid(message).code("moderation_blocked"));
    }
    let count = request.n.unwrap_or(1);
    if !(1..=MOST).contains(&count) {
        return Err(RequestRefusal::invalid(format!(
            "n must be between 1 and {MOST}, found {count}"
        ))
        .at("n"));
    }
    let model = request.model.as_deref().unwrap_or(OLDEST);
    let (width, height) = size(model, request.size.as_deref())?;
    let images = (0..count).map(|at| {
        let prompt = format!("{at}{}", request.prompt);
        let png = png::of_prompt(&prompt, width, height);
        json!({ "b64_json": base64_simd::STANDARD.encode_to_string(png) })
    });
    Ok(json!({
        "created": 1_767_225_600,
        "data": images.collect::<Vec<_>>(),
        "output_format": "png",
        "usage": { "input_tokens": 1, "output_tokens": 1, "total_tokens": 2 },
    }))
}

/// The sizes that a model supports, and its default.
fn sizes(model: &str) -> (&'static [&'static str], &'static str) {
    match model {
        OLDEST => (&["256x256", "512x512", "1024x1024"], "1024x1024"),
        "dall-e-3" => (&["1024x1024", "1792x1024", "1024x1792"], "1024x1024"),
        _ => (&["1024x1024", "1536x1024", "1024x1536", "auto"], "auto"),
    }
}

fn size(model: &str, asked: Option<&str>) -> Result<(u32, u32), RequestRefusal> {
    let (sizes, usual) = sizes(model);
    let text = asked.unwrap_or(usual);
    if !sizes.contains(&text) {
        let listed = sizes.iter().map(|size| format!("'{size}'")).collect::<Vec<_>>().join(", ");
        let message = format!("Invalid value: '{text}'. Supported values are: {listed}.");
        return Err(RequestRefusal::invalid(message).at("size"));
    }
    let sides = text.split_once('x').and_then(|(width, height)| {
        Some((width.parse::<u32>().ok()?, height.parse::<u32>().ok()?))
    });
    Ok(sides.unwrap_or((1, 1)))
}

/// A picture of the person's last words, with a line about it.
pub(super) fn reply(stem: String, question: &ProviderRequest) -> ModelReply {
    let words = question.scene.items.iter().rev().find_map(|item| match item {
        HistoryItem::Heard { text, .. } => Some(text.as_str()),
        HistoryItem::Said { .. } | HistoryItem::Called(_) | HistoryItem::Returned(_) => None,
    });
    let png = png::of_prompt(words.unwrap_or_default(), 1, 1);
    let line = SimulatedPart::Text("Here is a picture of one colour.".to_owned());
    ModelReply::of_parts(stem, question, vec![line, SimulatedPart::Picture { png }])
}
