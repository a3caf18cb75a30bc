//! The server side of Anthropic's Messages API, in both versions.

mod contract;
mod history;
mod map;
mod version;
mod wire;

use axum::http::StatusCode;
use serde_json::{Value, json};

use crate::http::{
    HttpProtocol, HttpWorld, IncomingRequest, ModelReply, ProviderRequest, RequestRefusal,
    StreamPosition,
};
use crate::sse::SentEvent;

const NO_KEY: &str = "The request has no API key: send x-api-key or Authorization: Bearer";

/// The protocol.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Anthropic;

impl HttpProtocol for Anthropic {
    fn read(
        &self,
        incoming: &IncomingRequest,
        _world: &HttpWorld,
    ) -> Result<ProviderRequest, RequestRefusal> {
        if !incoming.has_bearer() && incoming.header("x-api-key").is_none() {
            return Err(RequestRefusal::unauthenticated(NO_KEY));
        }
        let version = version::of(incoming.header("anthropic-version"))?;
        let request = wire::parse(&incoming.body)?;
        version::check(version, &request)?;
        let signature = contract::check(&request, &incoming.body)?;
        Ok(ProviderRequest { signature, ..map::question(request)? })
    }

    fn frames(&self, question: &ProviderRequest, reply: &ModelReply) -> Vec<SentEvent> {
        map::frames(question, reply)
    }

    fn whole(&self, question: &ProviderRequest, reply: &ModelReply) -> Value {
        map::whole(question, reply)
    }

    fn refusal(&self, refusal: &RequestRefusal) -> Value {
        error(refusal.code.unwrap_or(kind(refusal.status)), &refusal.message)
    }

    fn error_frame(&self, _sequence: usize) -> SentEvent {
        let body = json!({
            "type": "error", "error": { "type": "overloaded_error", "message": "Overloaded" }
        });
        SentEvent::named("error", body.to_string(), StreamPosition::Closing)
    }
}

fn error(kind: &str, message: &str) -> Value {
    json!({
        "type": "error",
        "error": { "type": kind, "message": message, "details": null },
        "request_id": "req_simulated",
    })
}

/// The provider's error type for a status.
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
