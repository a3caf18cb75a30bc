//! `POST /v1/responses`.

mod history;
mod map;
mod output;
mod wire;

use serde_json::{Value, json};

use super::error;
use crate::http::{
    HttpProtocol, HttpWorld, IncomingRequest, ModelReply, ProviderRequest, RequestRefusal,
    StreamPosition,
};
use crate::sse::SentEvent;

/// The protocol.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Responses;

impl HttpProtocol for Responses {
    fn read(
        &self,
        incoming: &IncomingRequest,
        shared: &HttpWorld,
    ) -> Result<ProviderRequest, RequestRefusal> {
        error::check_key(incoming)?;
        map::question(error::parse(&incoming.body)?, shared)
    }

    fn frames(&self, question: &ProviderRequest, reply: &ModelReply) -> Vec<SentEvent> {
        map::frames(question, reply)
    }

    fn whole(&self, question: &ProviderRequest, reply: &ModelReply) -> Value {
        output::response(question, reply, output::Stage::Done)
    }

    fn refusal(&self, refusal: &RequestRefusal) -> Value {
        error::body(refusal)
    }

    fn error_frame(&self, sequence: usize) -> SentEvent {
        let data = json!({
            "type": "error", "code": "server_error", "message": "The server had an error",
            "param": null, "sequence_number": sequence
        });
        SentEvent::named("error", data.to_string(), StreamPosition::Closing)
    }

    fn remember(&self, question: &ProviderRequest, reply: &ModelReply, shared: &HttpWorld) {
        if !question.forgotten {
            shared.keep(output::kept(question, reply));
        }
    }
}
