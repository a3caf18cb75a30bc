//! One connection of Gemini Live: what the client may do when, and what the model is
//! in the middle of.

mod input;
mod output;

use std::sync::Arc;
use std::time::Duration;

use aileron_contract::CallId;
use serde_json::Value;

use super::map::{self, Config, Refusal};
use super::wire::{self, ClientMessage, Setup};
use crate::brain::{Channel, Item, Scene, Step};
use crate::control::{Order, Seen, Via};
use crate::delivery::Delivery;
use crate::ears::{Coding, Ears};
use crate::fault::Fault;
use crate::live::{Framing, Out, Protocol, World};
use crate::speech::Recording;

/// Samples a second of what the client sends, where it does not say.
const RATE_IN: u32 = 16_000;

const NO_SESSION: &str = "BidiGenerateContent session not found";

/// The server's side of one connection.
#[derive(Debug)]
pub(crate) struct GeminiLive {
    world: Arc<World>,
    framing: Framing,
    /// Nothing until the setup was taken.
    config: Option<Config>,
    scene: Scene,
    /// Functions that do not keep the model waiting.
    asynchronous: Vec<String>,
    ears: Ears,
    /// What was heard since the client said that speech began.
    talked_ms: u64,
    recording: Recording,
    delivery: Delivery,
    thinking: bool,
    /// The words of the turn, and those of it that are not in the scene yet.
    said: String,
    unsaved: String,
    open: Vec<Open>,
    cancelled: Vec<CallId>,
    /// The last message with calls.
    last_calls: Option<Value>,
    /// Somebody waits for the end of the turn: words, or results.
    waiting: bool,
    history_first: bool,
}

/// A call that was not answered yet.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Open {
    id: CallId,
    name: String,
    waited_for: bool,
}

impl GeminiLive {
    pub(crate) fn new(world: Arc<World>, framing: Framing) -> Self {
        let delivery = Delivery::new(world.voice.clone(), world.faults.late_end());
        let delivery = match world.faults.has(Fault::SeveralTurns) {
            true => delivery.in_several_turns(),
            false => delivery,
        };
        Self {
            world,
            framing,
            config: None,
            scene: Scene::default(),
            asynchronous: Vec::new(),
            ears: Ears::new(Coding::Pcm { rate: RATE_IN }, 500),
            talked_ms: 0,
            recording: Recording::default(),
            delivery,
            thinking: false,
            said: String::new(),
            unsaved: String::new(),
            open: Vec::new(),
            cancelled: Vec::new(),
            last_calls: None,
            waiting: false,
            history_first: false,
        }
    }

    /// Whether the model is in the middle of something.
    fn is_busy(&self) -> bool {
        self.thinking || !self.delivery.is_empty() || self.open.iter().any(|open| open.waited_for)
    }

    fn handle(&mut self, message: ClientMessage, out: &mut Out) -> Result<(), Refusal> {
        let begun = self.config.is_some();
        match message {
            ClientMessage::Setup(setup, shown) if !begun => self.set_up(&setup, shown, out),
            ClientMessage::Setup(..) => Err((1007, "setup: only the first message".to_owned())),
            _ if !begun => Err((1007, "expected setup as the first message".to_owned())),
            ClientMessage::Content(content) => self.content(&content, out),
            ClientMessage::Realtime(input) => self.realtime(input, out),
            ClientMessage::Results(results) => self.results(results, out),
            ClientMessage::Context(update) => self.update(update),
        }
    }

    fn set_up(&mut self, setup: &Setup, shown: Value, out: &mut Out) -> Result<(), Refusal> {
        let config = map::config(setup)?;
        self.scene.instructions = map::instructions(setup.system_instruction.as_ref())?;
        let tools = setup.tools.as_deref().unwrap_or_default();
        (self.scene.tools, self.asynchronous) = map::declared(tools, "setup.")?;
        let handle = setup.session_resumption.as_ref().and_then(|it| it.handle.as_deref());
        if let Some(handle) = handle.filter(|handle| !handle.is_empty()) {
            let kept = self.world.sessions.resume(handle);
            self.scene.items = kept.ok_or((1008, NO_SESSION.to_owned()))?;
        }
        self.ears = Ears::new(Coding::Pcm { rate: RATE_IN }, config.silence_ms);
        self.history_first = config.history_first;
        self.config = Some(config);
        out.show(Seen::Setup(shown));
        out.send(map::setup_complete(&self.world.ids.next("session-")));
        self.offer_handle(out);
        Ok(())
    }

    fn update(&mut self, update: wire::ContextUpdate) -> Result<(), Refusal> {
        if let Some(list) = &update.tools {
            (self.scene.tools, self.asynchronous) =
                map::declared(&list.tools, "context_update.tools.")?;
        }
        if update.system_instruction.is_some() {
            self.scene.instructions = map::instructions(update.system_instruction.as_ref())?;
        }
        Ok(())
    }

    /// Gives the client a handle for what was said so far.
    fn offer_handle(&mut self, out: &mut Out) {
        if self.config.as_ref().is_some_and(|config| config.resumable) {
            let handle = self.world.ids.next("handle-");
            self.world.sessions.keep(handle.clone(), self.scene.items.clone());
            out.send(map::resumption(Some(&handle)));
        }
    }

    /// The person has said something; the model is to answer, at once or after what it says.
    fn heard(&mut self, text: String, channel: Channel, out: &mut Out) {
        self.save();
        self.scene.items.push(Item::Heard { text, channel });
        self.answer(out);
    }

    fn refuse(&mut self, (code, reason): Refusal, out: &mut Out) {
        out.show(Seen::Refused { code: code.to_string(), message: reason.clone() });
        out.close(code, reason);
    }
}

impl Protocol for GeminiLive {
    fn via(&self) -> Via {
        Via::GeminiLive
    }

    fn framing(&self) -> Framing {
        self.framing
    }

    fn open(&mut self, _out: &mut Out) {}

    fn receive(&mut self, message: &str, out: &mut Out) {
        let handled = match wire::read(message) {
            Ok(message) => self.handle(message, out),
            Err(reason) => Err((1007, reason)),
        };
        if let Err(refusal) = handled {
            self.refuse(refusal, out);
        }
    }

    fn perform(&mut self, steps: Vec<Step>, _out: &mut Out) {
        self.thinking = false;
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
            Order::Hear(text) => self.hear_words(text, out),
            Order::Act(steps) => self.begin(steps),
            Order::Cancel(ids) => self.take_back(&ids, out),
            Order::Interrupt => self.cut_short(out),
            Order::GoAway(left) => self.go_away(left, out),
            Order::Hold(hold) => self.delivery.hold(hold),
            Order::DuplicateCall => out.frames.extend(self.last_calls.clone()),
            Order::Malformed | Order::Drop | Order::Close(..) => {}
        }
    }

    fn has_open_calls(&self) -> bool {
        !self.open.is_empty()
    }
}

#[cfg(test)]
#[path = "session_tests.rs"]
mod tests;
