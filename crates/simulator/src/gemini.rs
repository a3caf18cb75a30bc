//! Gemini's `generateContent` and `streamGenerateContent`, server side.

mod history;
mod map;
pub(crate) mod schema;
mod signature;
mod wire;

use axum::http::StatusCode;
use serde_json::{Value, json};

use crate::http::{
    Delivery, HttpProtocol, HttpWorld, IncomingRequest, ModelReply, ProviderRequest,
    RequestRefusal, StreamPosition,
};
use crate::sse::SentEvent;

const NO_KEY: &str = "The request has no API key: send it in the x-goog-api-key header";

/// The protocol.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Gemini;

impl HttpProtocol for Gemini {
    fn read(
        &self,
        incoming: &IncomingRequest,
        _world: &HttpWorld,
    ) -> Result<ProviderRequest, RequestRefusal> {
        if !has_key(incoming) {
            return Err(RequestRefusal::unauthenticated(NO_KEY));
        }
        let (model, delivery) = method(incoming)?;
        let request = wire::parse(&incoming.body)?;
        let question = map::question(request)?;
        Ok(ProviderRequest { model, delivery, ..question })
    }

    fn frames(&self, question: &ProviderRequest, reply: &ModelReply) -> Vec<SentEvent> {
        map::frames(question, reply)
    }

    fn whole(&self, question: &ProviderRequest, reply: &ModelReply) -> Value {
        map::whole(question, reply)
    }

    fn refusal(&self, refusal: &RequestRefusal) -> Value {
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

    fn error_frame(&self, _sequence: usize) -> SentEvent {
        let refusal =
            RequestRefusal::new(StatusCode::SERVICE_UNAVAILABLE, "The model is overloaded");
        SentEvent::new(self.refusal(&refusal).to_string(), StreamPosition::Closing)
    }
}

/// The key, in a header or in the query.
pub(crate) fn has_key(incoming: &IncomingRequest) -> bool {
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

fn method(incoming: &IncomingRequest) -> Result<(String, Delivery), RequestRefusal> {
    let unknown = || {
        RequestRefusal::new(
            StatusCode::NOT_FOUND,
            format!("{} is not served here", incoming.action),
        )
    };
    let (model, method) = incoming.action.split_once(':').ok_or_else(unknown)?;
    let delivery = match method {
        "generateContent" => Delivery::Whole,
        "streamGenerateContent" if incoming.queried("alt") == Some("sse") => Delivery::Events,
        "streamGenerateContent" => Delivery::Array,
        _ => return Err(unknown()),
    };
    Ok((model.to_owned(), delivery))
}

/// Google's name of a status.
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
