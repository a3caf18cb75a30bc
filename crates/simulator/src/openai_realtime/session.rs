//! One connection of OpenAI Realtime: the session, its conversation, and the one
//! response that may be active.

mod buffer;
mod conversation;
mod output;
mod response;

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Map, Value, json};

use self::response::{ActiveResponse, RequestedResponse};
use super::config::Config;
use super::map::ConversationItem;
use super::wire::{self, Body, EventRefusal};
use crate::control::{ControlCommand, LiveProtocol, ObservedEvent};
use crate::delivery::{AfterCalls, Delivery};
use crate::live::{CloseReason, Framing, HandlerOutput, Protocol, SimulatorShared};
use crate::simulated_model::ModelAction;
use crate::speech::HeardAudio;
use crate::vad::Vad;

const EXPIRED: &str = "Your session hit the maximum duration of 60 minutes.";

/// The server's side of one connection.
#[derive(Debug)]
pub(crate) struct OpenaiRealtime {
    shared: Arc<SimulatorShared>,
    config: Config,
    entries: Vec<ConversationItem>,
    active: Option<ActiveResponse>,
    /// Responses that wait for the active one: out-of-band responses, and replies to speech.
    beside: VecDeque<RequestedResponse>,
    delivery: Delivery,
    vad: Vad,
    recording: HeardAudio,
    /// Audio since the last commit.
    buffer_ms: u64,
    /// The id of the item for the current speech.
    speech: Option<String>,
    /// The events of the last calls, for the fault that repeats them.
    last_calls: Vec<Value>,
}

impl OpenaiRealtime {
    pub(crate) fn new(shared: Arc<SimulatorShared>, model: &str) -> Self {
        let config = Config::new(&shared.ids.next("sess_"), model);
        Self {
            delivery: Delivery::new(shared.voice.clone(), shared.faults.late_end()),
            vad: Vad::new(config.coding(), config.silence_ms()),
            shared,
            config,
            entries: Vec::new(),
            active: None,
            beside: VecDeque::new(),
            recording: HeardAudio::default(),
            buffer_ms: 0,
            speech: None,
            last_calls: Vec::new(),
        }
    }

    /// Sends an event: its type, and its fields.
    fn send(&self, kind: &str, fields: Value, out: &mut HandlerOutput) {
        let mut event = Map::new();
        event.insert("type".to_owned(), kind.into());
        event.insert("event_id".to_owned(), self.shared.ids.next("event_").into());
        if let Value::Object(fields) = fields {
            event.extend(fields);
        }
        out.send(Value::Object(event));
    }

    fn handle(&mut self, body: Body, out: &mut HandlerOutput) -> Result<(), EventRefusal> {
        match body {
            Body::SessionUpdate(session) => self.update(session, out),
            Body::Append { audio } => self.append(&audio, out),
            Body::Commit => self.commit(out),
            Body::Clear => {
                self.clear(out);
                Ok(())
            }
            Body::ItemCreate { item, previous } => self.add(item, previous, out),
            Body::ItemRetrieve { item_id } => self.retrieve(&item_id, out),
            Body::ItemTruncate { item_id, content_index, audio_end_ms } => {
                self.truncate(&item_id, content_index, audio_end_ms, out)
            }
            Body::ItemDelete { item_id } => self.delete(&item_id, out),
            Body::ResponseCreate(response) => self.create_response(response, out),
            Body::ResponseCancel { response_id } => self.cancel(response_id.as_deref(), out),
        }
    }

    fn update(
        &mut self,
        session: Map<String, Value>,
        out: &mut HandlerOutput,
    ) -> Result<(), EventRefusal> {
        self.config.update(session)?;
        self.vad.tune(self.config.coding(), self.config.silence_ms());
        out.show(ObservedEvent::Setup(self.config.shown().clone()));
        self.send("session.updated", json!({ "session": self.config.shown() }), out);
        Ok(())
    }

    fn refuse(&mut self, refusal: EventRefusal, event_id: Option<String>, out: &mut HandlerOutput) {
        let EventRefusal { kind, code, message, param } = refusal;
        out.show(ObservedEvent::Refused { code: code.to_owned(), message: message.clone() });
        let error = json!({
            "type": kind, "code": code, "message": message, "param": param, "event_id": event_id,
        });
        self.send("error", json!({ "error": error }), out);
    }

    /// The protocol has no announcement: a session that reaches its limit gets an error and is
    /// closed.
    fn go_away(&self, left: Duration, out: &mut HandlerOutput) {
        let error = json!({
            "type": "invalid_request_error", "code": "session_expired", "message": EXPIRED,
            "param": null, "event_id": null,
        });
        let event_id = self.shared.ids.next("event_");
        let farewell = json!({ "type": "error", "event_id": event_id, "error": error });
        let close =
            CloseReason { code: 1001, reason: EXPIRED.to_owned(), farewell: Some(farewell) };
        out.end_in = Some((left, close));
    }
}

impl Protocol for OpenaiRealtime {
    fn via(&self) -> LiveProtocol {
        LiveProtocol::OpenaiRealtime
    }

    fn framing(&self) -> Framing {
        Framing::Text
    }

    fn open(&mut self, out: &mut HandlerOutput) {
        self.send("session.created", json!({ "session": self.config.shown() }), out);
    }

    fn receive(&mut self, message: &str, out: &mut HandlerOutput) {
        match wire::read(message) {
            Ok(event) => {
                if let Err(refusal) = self.handle(event.body, out) {
                    self.refuse(refusal, event.event_id, out);
                }
            }
            Err((refusal, event_id)) => self.refuse(refusal, event_id, out),
        }
    }

    fn perform(&mut self, steps: Vec<ModelAction>, _out: &mut HandlerOutput) {
        self.begin(steps);
    }

    fn next_in(&self) -> Option<Duration> {
        self.delivery.next_in(self.shared.pace)
    }

    fn deliver(&mut self, out: &mut HandlerOutput) {
        if let Some(piece) = self.delivery.next() {
            self.put(piece, out);
        }
    }

    fn obey(&mut self, order: ControlCommand, out: &mut HandlerOutput) {
        match order {
            ControlCommand::Hear(words) => self.hear_words(words, out),
            ControlCommand::Act(steps) => {
                if self.active.is_none() {
                    self.open_response(RequestedResponse::unasked(&self.config), out);
                }
                self.delivery.load(steps, AfterCalls::End);
            }
            ControlCommand::Interrupt => self.hear_noise(out),
            ControlCommand::GoAway(left) => self.go_away(left, out),
            ControlCommand::Hold(hold) => self.delivery.hold(hold),
            ControlCommand::DuplicateCall => out.frames.extend(self.last_calls.clone()),
            // The protocol has no message for cancelled calls.
            ControlCommand::Cancel(_)
            | ControlCommand::Malformed
            | ControlCommand::Drop
            | ControlCommand::Close(..) => {}
        }
    }

    fn has_open_calls(&self) -> bool {
        false
    }
}

#[cfg(test)]
#[path = "session_tests.rs"]
mod tests;
