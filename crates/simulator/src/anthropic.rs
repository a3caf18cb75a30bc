//! Anthropic's Messages from the provider's side, by the rules of both versions of the API.

mod history;
mod map;
mod version;
mod wire;

use axum::http::StatusCode;
use serde_json::{Value, json};

use crate::http::{Dialect, HttpWorld, Incoming, Place, Question, Refusal, Reply};
use crate::sse::Frame;

const NO_KEY: &str = "The request has no API key: send x-api-key or Authorization: Bearer";

/// The protocol.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Anthropic;

impl Dialect for Anthropic {
    fn read(&self, incoming: &Incoming, _world: &HttpWorld) -> Result<Question, Refusal> {
        if !incoming.has_bearer() && incoming.header("x-api-key").is_none() {
            return Err(Refusal::unauthenticated(NO_KEY));
        }
        let version = version::of(incoming.header("anthropic-version"))?;
        let request = wire::parse(&incoming.body)?;
        version::check(version, &request)?;
        map::question(request)
    }

    fn frames(&self, question: &Question, reply: &Reply) -> Vec<Frame> {
        map::frames(question, reply)
    }

    fn whole(&self, question: &Question, reply: &Reply) -> Value {
        map::whole(question, reply)
    }

    fn refusal(&self, refusal: &Refusal) -> Value {
        error(refusal.code.unwrap_or(kind(refusal.status)), &refusal.message)
    }

    fn error_frame(&self, _sequence: usize) -> Frame {
        let body = json!({
            "type": "error", "error": { "type": "overloaded_error", "message": "Overloaded" }
        });
        Frame::named("error", body.to_string(), Place::Closing)
    }
}

fn error(kind: &str, message: &str) -> Value {
    json!({
        "type": "error",
        "error": { "type": kind, "message": message, "details": null },
        "request_id": "req_simulated",
    })
}

/// The provider's word for a status.
fn kind(status: StatusCode) -> &'static str {
    match status.as_u16() {
        401 => "authentication_error",
        403 => "permission_error",
        404 => "not_found_error",
        413 => "request_too_large",
        429 => "rate_limit_error",
        504 => "timeout_error",
        529 => "overloaded_error",
        500.. => "api_error",
        _ => "invalid_request_error",
    }
}
