//! `POST /v1/chat/completions`, which many other servers support too.

mod history;
mod map;
mod wire;

use axum::http::StatusCode;
use serde_json::Value;

use super::error;
use crate::http::{
    HttpProtocol, HttpWorld, IncomingRequest, ModelReply, ProviderRequest, RequestRefusal,
    StreamPosition,
};
use crate::sse::SentEvent;

/// The protocol.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Chat;

impl HttpProtocol for Chat {
    fn read(
        &self,
        incoming: &IncomingRequest,
        _world: &HttpWorld,
    ) -> Result<ProviderRequest, RequestRefusal> {
        error::check_key(incoming)?;
        map::question(error::parse(&incoming.body)?)
    }

    fn frames(&self, question: &ProviderRequest, reply: &ModelReply) -> Vec<SentEvent> {
        map::frames(question, reply)
    }

    fn whole(&self, question: &ProviderRequest, reply: &ModelReply) -> Value {
        map::whole(question, reply)
    }

    fn refusal(&self, refusal: &RequestRefusal) -> Value {
        error::body(refusal)
    }

    fn error_frame(&self, _sequence: usize) -> SentEvent {
        let refusal =
            RequestRefusal::new(StatusCode::INTERNAL_SERVER_ERROR, "The server had an error");
        SentEvent::new(error::body(&refusal).to_string(), StreamPosition::Closing)
    }
}
