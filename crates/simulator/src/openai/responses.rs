//! `POST /v1/responses`.

mod history;
mod map;
mod output;
mod wire;

use serde_json::{Value, json};

use super::error;
use crate::http::{Dialect, HttpWorld, Incoming, Place, Question, Refusal, Reply};
use crate::sse::Frame;

/// The protocol.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Responses;

impl Dialect for Responses {
    fn read(&self, incoming: &Incoming, world: &HttpWorld) -> Result<Question, Refusal> {
        error::check_key(incoming)?;
        map::question(error::parse(&incoming.body)?, world)
    }

    fn frames(&self, question: &Question, reply: &Reply) -> Vec<Frame> {
        map::frames(question, reply)
    }

    fn whole(&self, question: &Question, reply: &Reply) -> Value {
        output::response(question, reply, output::Stage::Done)
    }

    fn refusal(&self, refusal: &Refusal) -> Value {
        error::body(refusal)
    }

    fn error_frame(&self, sequence: usize) -> Frame {
        let data = json!({
            "type": "error", "code": "server_error", "message": "The server had an error",
            "param": null, "sequence_number": sequence
        });
        Frame::named("error", data.to_string(), Place::Closing)
    }

    fn remember(&self, question: &Question, reply: &Reply, world: &HttpWorld) {
        if !question.forgotten {
            world.keep(output::kept(question, reply));
        }
    }
}
