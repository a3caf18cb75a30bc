//! Drives one live connection: the socket, the model, the control and the faults. The protocol only
//! decides which frames are sent.

mod connection;
#[cfg(test)]
pub(crate) mod world_for_tests;

use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;

use crate::control::{Control, ControlCommand, LiveProtocol, ObservedEvent};
use crate::fault::Faults;
use crate::ids::Ids;
use crate::sessions::Sessions;
use crate::simulated_model::{ModelAction, ModelInput, SimulatedModel};
use crate::speech::{Synthesizer, UtteranceAudio};

pub(crate) use self::connection::drive;

/// The pace of the model's audio.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum SpeechPace {
    /// Without delay.
    #[default]
    Fast,
    /// In real time, so that barge-in can be tested.
    RealTime,
}

/// How the simulator's messages are framed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Framing {
    Text,
    Binary,
}

/// The shared state of a simulator's connections.
#[derive(Debug)]
pub(crate) struct SimulatorShared {
    pub(crate) model: Arc<dyn SimulatedModel>,
    pub(crate) voice: Arc<dyn Synthesizer>,
    pub(crate) faults: Faults,
    pub(crate) pace: SpeechPace,
    pub(crate) ids: Ids,
    pub(crate) sessions: Sessions,
    pub(crate) control: Control,
}

/// The server side of one live protocol over one connection.
pub(crate) trait Protocol: Send {
    fn via(&self) -> LiveProtocol;

    fn framing(&self) -> Framing;

    /// The client has connected.
    fn open(&mut self, out: &mut HandlerOutput);

    /// Handles a message of the client.
    fn receive(&mut self, message: &str, out: &mut HandlerOutput);

    /// Performs the actions that the model decided.
    fn perform(&mut self, steps: Vec<ModelAction>, out: &mut HandlerOutput);

    /// The wait before the next chunk; `None` if there is none.
    fn next_in(&self) -> Option<Duration>;

    /// Sends the next chunk of the model's output.
    fn deliver(&mut self, out: &mut HandlerOutput);

    /// Executes a command of the control; ignores one that the protocol does not have.
    fn obey(&mut self, order: ControlCommand, out: &mut HandlerOutput);

    /// Whether calls wait for their results.
    fn has_open_calls(&self) -> bool;
}

/// The output of a handler.
#[derive(Debug, Default)]
pub(crate) struct HandlerOutput {
    pub(crate) frames: Vec<Value>,
    pub(crate) seen: Vec<ObservedEvent>,
    pub(crate) model: Option<ModelPrompt>,
    pub(crate) close: Option<CloseReason>,
    /// An announced end of the connection.
    pub(crate) end_in: Option<(Duration, CloseReason)>,
}

/// A request to the model.
#[derive(Debug)]
pub(crate) enum ModelPrompt {
    Reply(ModelInput),
    /// Cancels the current request.
    Nothing,
}

/// The code of a connection that ends without a close frame.
pub(crate) const ABORT: u16 = 0;

/// How a connection is closed.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct CloseReason {
    pub(crate) code: u16,
    pub(crate) reason: String,
    /// A last frame before it.
    pub(crate) farewell: Option<Value>,
}

impl CloseReason {
    pub(crate) fn new(code: u16, reason: impl Into<String>) -> Self {
        Self { code, reason: reason.into(), farewell: None }
    }
}

impl HandlerOutput {
    pub(crate) fn send(&mut self, frame: Value) {
        self.frames.push(frame);
    }

    pub(crate) fn show(&mut self, seen: ObservedEvent) {
        self.seen.push(seen);
    }

    pub(crate) fn ask(&mut self, scene: ModelInput) {
        self.model = Some(ModelPrompt::Reply(scene));
    }

    pub(crate) fn hush(&mut self) {
        self.model = Some(ModelPrompt::Nothing);
    }

    /// Ends the connection; the first reason is kept.
    pub(crate) fn close(&mut self, code: u16, reason: impl Into<String>) {
        self.close.get_or_insert(CloseReason::new(code, reason));
    }
}

/// The beginning of a client's text that dictates a sentence.
const SAY_EXACTLY: &str = "Say exactly the following sentence";

/// The dictated sentence of a text: its last line.
pub(crate) fn dictated(text: &str) -> Option<&str> {
    let lines = text.contains(SAY_EXACTLY).then(|| text.lines().map(str::trim));
    lines?.rfind(|line| !line.is_empty())
}

/// The transcript of the person's audio.
pub(crate) fn words_for_sound(
    shared: &SimulatorShared,
    scene: &ModelInput,
    sound: &UtteranceAudio,
) -> String {
    let words = shared.model.transcribe(sound, scene);
    words.unwrap_or_else(|| {
        let tenths = sound.lasted_ms.div_ceil(100);
        format!("[speech, {}.{} s: the simulator has no ears]", tenths / 10, tenths % 10)
    })
}
