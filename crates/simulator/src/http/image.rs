//! Pictures: OpenAI's endpoint for them, and the reply of a model that answers in pictures.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::{Html, IntoResponse, Response};
use serde::Deserialize;
use serde_json::{Value, json};

use super::exchange::{Part, Question, Refusal, Reply};
use super::serve::{Incoming, PAGE, ordered, refuse};
use super::world::HttpWorld;
use crate::brain::Item;
use crate::openai::{Chat, error};
use crate::{png, sse};

const MOST: usize = 10;

/// The model that is meant where none is named.
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
    State(world): State<Arc<HttpWorld>>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let numbered = world.number();
    if world.faults.html {
        return Html(PAGE).into_response();
    }
    let incoming = Incoming::new(headers, body);
    match ordered(&world.faults, numbered.number).and_then(|()| generate(&incoming, &world)) {
        Ok(body) => sse::whole(body.to_string(), &world.faults),
        Err(refusal) => refuse(&Chat, &refusal),
    }
}

fn generate(incoming: &Incoming, world: &HttpWorld) -> Result<Value, Refusal> {
    if !incoming.has_bearer() {
        return Err(Refusal::unauthenticated(error::NO_KEY));
    }
    let request: Request = error::parse(&incoming.body)?;
    if request.prompt.trim().is_empty() {
        return Err(Refusal::invalid("A prompt is required").at("prompt"));
    }
    if world.faults.refuse {
        let message = "Your request was rejected by the safety system";
        return Err(Refusal::invalid(message).code("moderation_blocked"));
    }
    let count = request.n.unwrap_or(1);
    if !(1..=MOST).contains(&count) {
        return Err(
            Refusal::invalid(format!("n must be between 1 and {MOST}, found {count}")).at("n")
        );
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

/// The sizes that a model makes, and what it makes unasked.
fn sizes(model: &str) -> (&'static [&'static str], &'static str) {
    match model {
        OLDEST => (&["256x256", "512x512", "1024x1024"], "1024x1024"),
        "dall-e-3" => (&["1024x1024", "1792x1024", "1024x1792"], "1024x1024"),
        _ => (&["1024x1024", "1536x1024", "1024x1536", "auto"], "auto"),
    }
}

fn size(model: &str, asked: Option<&str>) -> Result<(u32, u32), Refusal> {
    let (sizes, usual) = sizes(model);
    let text = asked.unwrap_or(usual);
    if !sizes.contains(&text) {
        let listed = sizes.iter().map(|size| format!("'{size}'")).collect::<Vec<_>>().join(", ");
        let message = format!("Invalid value: '{text}'. Supported values are: {listed}.");
        return Err(Refusal::invalid(message).at("size"));
    }
    let sides = text.split_once('x').and_then(|(width, height)| {
        Some((width.parse::<u32>().ok()?, height.parse::<u32>().ok()?))
    });
    Ok(sides.unwrap_or((1, 1)))
}

/// A picture of the person's last words, with a line about it.
pub(super) fn reply(stem: String, question: &Question) -> Reply {
    let words = question.scene.items.iter().rev().find_map(|item| match item {
        Item::Heard { text, .. } => Some(text.as_str()),
        Item::Said { .. } | Item::Called(_) | Item::Returned(_) => None,
    });
    let png = png::of_prompt(words.unwrap_or_default(), 1, 1);
    let line = Part::Text("Here is a picture of one colour.".to_owned());
    Reply::of_parts(stem, question, vec![line, Part::Picture { png }])
}
