//! One connection of Gemini Live: which messages are allowed when, and the state of the model.

mod input;
mod output;

use std::sync::Arc;
use std::time::Duration;

use aileron_contract::CallId;
use serde_json::Value;

use super::map::{self, Config, Refusal};
use super::wire::{self, ClientMessage, Setup};
use crate::control::{ControlCommand, LiveProtocol, ObservedEvent};
use crate::delivery::Delivery;
use crate::fault::InjectedFault;
use crate::live::{Framing, HandlerOutput, Protocol, SimulatorShared};
use crate::simulated_model::{Channel, HistoryItem, ModelAction, ModelInput};
use crate::speech::HeardAudio;
use crate::vad::{AudioCoding, Vad};

/// Default sample rate of the client's audio.
const RATE_IN: u32 = 16_000;

const NO_SESSION: &str = "BidiGenerateContent session not found";

/// The server's side of one connection.
#[derive(Debug)]
pub(crate) struct GeminiLive {
    shared: Arc<SimulatorShared>,
    framing: Framing,
    /// Absent until the setup was accepted.
    config: Option<Config>,
    scene: ModelInput,
    /// Non-blocking functions.
    asynchronous: Vec<String>,
    vad: Vad,
    /// Audio since the client announced speech.
    talked_ms: u64,
    recording: HeardAudio,
    delivery: Delivery,
    thinking: bool,
    /// The transcript of the turn, and the part that is not in the model's input yet.
    said: String,
    unsaved: String,
    open: Vec<OpenCall>,
    cancelled: Vec<CallId>,
    /// The last message with calls.
    last_calls: Option<Value>,
    /// Whether an input waits for the end of the turn: words, or results.
    waiting: bool,
    history_first: bool,
}

/// A call that was not answered yet.
#[derive(Debug, Clone, PartialEq, Eq)]
struct OpenCall {
    id: CallId,
    name: String,
    waited_for: bool,
}

impl GeminiLive {
    pub(crate) fn new(shared: Arc<SimulatorShared>, framing: Framing) -> Self {
        let delivery = Delivery::new(shared.voice.clone(), shared.faults.late_end());
        let delivery = match shared.faults.has(InjectedFault::SeveralTurns) {
            true => delivery.in_several_turns(),
            false => delivery,
        };
        Self {
            shared,
            framing,
            config: None,
            scene: ModelInput::default(),
            asynchronous: Vec::new(),
            vad: Vad::new(AudioCoding::Pcm { rate: RATE_IN }, 500),
            talked_ms: 0,
            recording: HeardAudio::default(),
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

    /// Whether the model is busy.
    fn is_busy(&self) -> bool {
        self.thinking || !self.delivery.is_empty() || self.open.iter().any(|open| open.waited_for)
    }

    fn handle(&mut self, message: ClientMessage, out: &mut HandlerOutput) -> Result<(), Refusal> {
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

    fn set_up(
        &mut self,
        setup: &Setup,
        shown: Value,
        out: &mut HandlerOutput,
    ) -> Result<(), Refusal> {
        let config = map::config(setup)?;
        self.scene.instructions = map::instructions(setup.system_instruction.as_ref())?;
        let tools = setup.tools.as_deref().unwrap_or_default();
        (self.scene.tools, self.asynchronous) = map::declared(config.contract, tools, "setup.")?;
        let handle = setup.session_resumption.as_ref().and_then(|it| it.handle.as_deref());
        if let Some(handle) = handle.filter(|handle| !handle.is_empty()) {
            let kept = self.shared.sessions.resume(handle);
            self.scene.items = kept.ok_or((1008, NO_SESSION.to_owned()))?;
        }
        self.vad = Vad::new(AudioCoding::Pcm { rate: RATE_IN }, config.silence_ms);
        self.history_first = config.history_first;
        self.config = Some(config);
        out.show(ObservedEvent::Setup(shown));
        out.send(map::setup_complete(&self.shared.ids.next("session-")));
        self.offer_handle(out);
        Ok(())
    }

    fn update(&mut self, update: wire::ContextUpdate) -> Result<(), Refusal> {
        if let (Some(list), Some(config)) = (&update.tools, &self.config) {
            (self.scene.tools, self.asynchronous) =
                map::declared(config.contract, &list.tools, "context_update.tools.")?;
        }
        if update.system_instruction.is_some() {
            self.scene.instructions = map::instructions(update.system_instruction.as_ref())?;
        }
        Ok(())
    }

    /// Sends the client a handle for the conversation so far.
    fn offer_handle(&mut self, out: &mut HandlerOutput) {
        if self.config.as_ref().is_some_and(|config| config.resumable) {
            let handle = self.shared.ids.next("handle-");
            self.shared.sessions.keep(handle.clone(), self.scene.items.clone());
            out.send(map::resumption(Some(&handle)));
        }
    }

    /// Adds words of the person; the model answers now or after its current turn.
    fn heard(&mut self, text: String, channel: Channel, out: &mut HandlerOutput) {
        self.save();
        self.scene.items.push(HistoryItem::Heard { text, channel });
        self.answer(out);
    }

    fn refuse(&mut self, (code, reason): Refusal, out: &mut HandlerOutput) {
        out.show(ObservedEvent::Refused { code: code.to_string(), message: reason.clone() });
        out.close(code, reason);
    }
}

impl Protocol for GeminiLive {
    fn via(&self) -> LiveProtocol {
        LiveProtocol::GeminiLive
    }

    fn framing(&self) -> Framing {
        self.framing
    }

    fn open(&mut self, _out: &mut HandlerOutput) {}

    fn receive(&mut self, message: &str, out: &mut HandlerOutput) {
        let handled = match wire::read(message) {
            Ok(message) => self.handle(message, out),
            Err(reason) => Err((1007, reason)),
        };
        if let Err(refusal) = handled {
            self.refuse(refusal, out);
        }
    }

    fn perform(&mut self, steps: Vec<ModelAction>, _out: &mut HandlerOutput) {
        self.thinking = false;
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
            ControlCommand::Hear(text) => self.hear_words(text, out),
            ControlCommand::Act(steps) => self.begin(steps),
            ControlCommand::Cancel(ids) => self.take_back(&ids, out),
            ControlCommand::Interrupt => self.cut_short(out),
            ControlCommand::GoAway(left) => self.go_away(left, out),
            ControlCommand::Hold(hold) => self.delivery.hold(hold),
            ControlCommand::DuplicateCall => out.frames.extend(self.last_calls.clone()),
            ControlCommand::Malformed | ControlCommand::Drop | ControlCommand::Close(..) => {}
        }
    }

    fn has_open_calls(&self) -> bool {
        !self.open.is_empty()
    }
}

#[cfg(test)]
#[path = "session_tests.rs"]
mod tests;
