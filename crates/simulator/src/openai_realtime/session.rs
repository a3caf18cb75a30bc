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

use self::response::{Active, Wanted};
use super::config::Config;
use super::map::Entry;
use super::wire::{self, Body, Refusal};
use crate::brain::Step;
use crate::control::{Order, Seen, Via};
use crate::delivery::{AfterCalls, Delivery};
use crate::ears::Ears;
use crate::live::{Close, Framing, Out, Protocol, World};
use crate::speech::Recording;

const EXPIRED: &str = "Your session hit the maximum duration of 60 minutes.";

/// The server's side of one connection.
#[derive(Debug)]
pub(crate) struct OpenaiRealtime {
    world: Arc<World>,
    config: Config,
    entries: Vec<Entry>,
    active: Option<Active>,
    /// Responses that wait for the active one: those beside the conversation, and to speech.
    beside: VecDeque<Wanted>,
    delivery: Delivery,
    ears: Ears,
    recording: Recording,
    /// Audio since the last commit.
    buffer_ms: u64,
    /// The item that the speech which is being heard will be.
    speech: Option<String>,
    /// The events of the last calls, for those who want them twice.
    last_calls: Vec<Value>,
}

impl OpenaiRealtime {
    pub(crate) fn new(world: Arc<World>, model: &str) -> Self {
        let config = Config::new(&world.ids.next("sess_"), model);
        Self {
            delivery: Delivery::new(world.voice.clone(), world.faults.late_end()),
            ears: Ears::new(config.coding(), config.silence_ms()),
            world,
            config,
            entries: Vec::new(),
            active: None,
            beside: VecDeque::new(),
            recording: Recording::default(),
            buffer_ms: 0,
            speech: None,
            last_calls: Vec::new(),
        }
    }

    /// Sends an event: its type, and its fields.
    fn send(&self, kind: &str, fields: Value, out: &mut Out) {
        let mut event = Map::new();
        event.insert("type".to_owned(), kind.into());
        event.insert("event_id".to_owned(), self.world.ids.next("event_").into());
        if let Value::Object(fields) = fields {
            event.extend(fields);
        }
        out.send(Value::Object(event));
    }

    fn handle(&mut self, body: Body, out: &mut Out) -> Result<(), Refusal> {
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

    fn update(&mut self, session: Map<String, Value>, out: &mut Out) -> Result<(), Refusal> {
        self.config.update(session)?;
        self.ears.tune(self.config.coding(), self.config.silence_ms());
        out.show(Seen::Setup(self.config.shown().clone()));
        self.send("session.updated", json!({ "session": self.config.shown() }), out);
        Ok(())
    }

    fn refuse(&mut self, refusal: Refusal, event_id: Option<String>, out: &mut Out) {
        let Refusal { kind, code, message, param } = refusal;
        out.show(Seen::Refused { code: code.to_owned(), message: message.clone() });
        let error = json!({
            "type": kind, "code": code, "message": message, "param": param, "event_id": event_id,
        });
        self.send("error", json!({ "error": error }), out);
    }

    /// There is no announcement: at the end of its time a session is told so, and closed.
    fn go_away(&self, left: Duration, out: &mut Out) {
        let error = json!({
            "type": "invalid_request_error", "code": "session_expired", "message": EXPIRED,
            "param": null, "event_id": null,
        });
        let event_id = self.world.ids.next("event_");
        let farewell = json!({ "type": "error", "event_id": event_id, "error": error });
        let close = Close { code: 1001, reason: EXPIRED.to_owned(), farewell: Some(farewell) };
        out.end_in = Some((left, close));
    }
}

impl Protocol for OpenaiRealtime {
    fn via(&self) -> Via {
        Via::OpenaiRealtime
    }

    fn framing(&self) -> Framing {
        Framing::Text
    }

    fn open(&mut self, out: &mut Out) {
        self.send("session.created", json!({ "session": self.config.shown() }), out);
    }

    fn receive(&mut self, message: &str, out: &mut Out) {
        match wire::read(message) {
            Ok(event) => {
                if let Err(refusal) = self.handle(event.body, out) {
                    self.refuse(refusal, event.event_id, out);
                }
            }
            Err((refusal, event_id)) => self.refuse(refusal, event_id, out),
        }
    }

    fn perform(&mut self, steps: Vec<Step>, _out: &mut Out) {
        self.begin(steps);
    }

    fn next_in(&self) -> Option<Duration> {
        self.delivery.next_in(self.world.pace)
    }

    fn deliver(&mut self, out: &mut Out) {
        if let Some(piece) = self.delivery.next() {
            self.put(piece, out);
        }
    }

    fn obey(&mut self, order: Order, out: &mut Out) {
        match order {
            Order::Hear(words) => self.hear_words(words, out),
            Order::Act(steps) => {
                if self.active.is_none() {
                    self.open_response(Wanted::unasked(&self.config), out);
                }
                self.delivery.load(steps, AfterCalls::End);
            }
            Order::Interrupt => self.hear_noise(out),
            Order::GoAway(left) => self.go_away(left, out),
            Order::Hold(hold) => self.delivery.hold(hold),
            Order::DuplicateCall => out.frames.extend(self.last_calls.clone()),
            // The protocol has no word for calls that are taken back.
            Order::Cancel(_) | Order::Malformed | Order::Drop | Order::Close(..) => {}
        }
    }

    fn has_open_calls(&self) -> bool {
        false
    }
}

#[cfg(test)]
#[path = "session_tests.rs"]
mod tests;
