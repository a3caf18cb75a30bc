//! `POST /v1/chat/completions`, which many servers speak besides OpenAI's own.

mod history;
mod map;
mod wire;

use axum::http::StatusCode;
use serde_json::Value;

use super::error;
use crate::http::{Dialect, HttpWorld, Incoming, Place, Question, Refusal, Reply};
use crate::sse::Frame;

/// The protocol.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Chat;

impl Dialect for Chat {
    fn read(&self, incoming: &Incoming, _world: &HttpWorld) -> Result<Question, Refusal> {
        error::check_key(incoming)?;
        map::question(error::parse(&incoming.body)?)
    }

    fn frames(&self, question: &Question, reply: &Reply) -> Vec<Frame> {
        map::frames(question, reply)
    }

    fn whole(&self, question: &Question, reply: &Reply) -> Value {
        map::whole(question, reply)
    }

    fn refusal(&self, refusal: &Refusal) -> Value {
        error::body(refusal)
    }

    fn error_frame(&self, _sequence: usize) -> Frame {
        let refusal = Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, "The server had an error");
        Frame::new(error::body(&refusal).to_string(), Place::Closing)
    }
}
