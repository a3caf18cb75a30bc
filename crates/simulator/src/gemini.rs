//! Gemini's `generateContent` and `streamGenerateContent`, from the provider's side.

mod history;
mod map;
pub(crate) mod schema;
mod signature;
mod wire;

use axum::http::StatusCode;
use serde_json::{Value, json};

use crate::http::{Delivery, Dialect, HttpWorld, Incoming, Place, Question, Refusal, Reply};
use crate::sse::Frame;

const NO_KEY: &str = "The request has no API key: send it in the x-goog-api-key header";

/// The protocol.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Gemini;

impl Dialect for Gemini {
    fn read(&self, incoming: &Incoming, _world: &HttpWorld) -> Result<Question, Refusal> {
        if !has_key(incoming) {
            return Err(Refusal::unauthenticated(NO_KEY));
        }
        let (model, delivery) = method(incoming)?;
        let request = wire::parse(&incoming.body)?;
        let question = map::question(request)?;
        Ok(Question { model, delivery, ..question })
    }

    fn frames(&self, question: &Question, reply: &Reply) -> Vec<Frame> {
        map::frames(question, reply)
    }

    fn whole(&self, question: &Question, reply: &Reply) -> Value {
        map::whole(question, reply)
    }

    fn refusal(&self, refusal: &Refusal) -> Value {
        let code = refusal.status.as_u16();
        let mut error =
            json!({ "code": code, "message": refusal.message, "status": status(refusal.status) });
        if let Some(field) = &refusal.param {
            error["details"] = json!([{
                "@type": "type.googleapis.com/google.rpc.BadRequest",
                "fieldViolations": [{ "field": field, "description": refusal.message }]
            }]);
        }
        json!({ "error": error })
    }

    fn error_frame(&self, _sequence: usize) -> Frame {
        let refusal = Refusal::new(StatusCode::SERVICE_UNAVAILABLE, "The model is overloaded");
        Frame::new(self.refusal(&refusal).to_string(), Place::Closing)
    }
}

/// The key, in a header or in the query.
pub(crate) fn has_key(incoming: &Incoming) -> bool {
    let queried = incoming.queried("key").is_some_and(|key| !key.is_empty());
    queried || incoming.header("x-goog-api-key").is_some()
}

/// A model as lists name it.
pub(crate) fn model(name: &str) -> Value {
    json!({
        "name": format!("models/{name}"),
        "displayName": name,
        "supportedGenerationMethods": ["generateContent"],
    })
}

fn method(incoming: &Incoming) -> Result<(String, Delivery), Refusal> {
    let unknown =
        || Refusal::new(StatusCode::NOT_FOUND, format!("{} is not served here", incoming.action));
    let (model, method) = incoming.action.split_once(':').ok_or_else(unknown)?;
    let delivery = match method {
        "generateContent" => Delivery::Whole,
        "streamGenerateContent" if incoming.queried("alt") == Some("sse") => Delivery::Events,
        "streamGenerateContent" => Delivery::Array,
        _ => return Err(unknown()),
    };
    Ok((model.to_owned(), delivery))
}

/// Google's word for a status.
fn status(code: StatusCode) -> &'static str {
    match code.as_u16() {
        400 => "INVALID_ARGUMENT",
        401 => "UNAUTHENTICATED",
        403 => "PERMISSION_DENIED",
        404 => "NOT_FOUND",
        408 | 504 => "DEADLINE_EXCEEDED",
        409 => "ABORTED",
        429 => "RESOURCE_EXHAUSTED",
        500 => "INTERNAL",
        501 => "UNIMPLEMENTED",
        503 => "UNAVAILABLE",
        _ => "UNKNOWN",
    }
}
