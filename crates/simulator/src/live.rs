//! One live connection, driven: the socket, the brain, the control and the faults
//! around a protocol that only decides what is sent.

mod connection;
#[cfg(test)]
pub(crate) mod world_for_tests;

use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;

use crate::brain::{Brain, Scene, Step};
use crate::control::{Control, Order, Seen, Via};
use crate::fault::Faults;
use crate::ids::Ids;
use crate::sessions::Sessions;
use crate::speech::{Sound, Voice};

pub(crate) use self::connection::drive;

/// How fast the model is heard.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Pace {
    /// As fast as it goes.
    #[default]
    Fast,
    /// A word takes as long as it sounds, so that there is time to cut in.
    RealTime,
}

/// How the simulator's messages are framed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Framing {
    Text,
    Binary,
}

/// What the connections of one simulator share.
#[derive(Debug)]
pub(crate) struct World {
    pub(crate) brain: Arc<dyn Brain>,
    pub(crate) voice: Arc<dyn Voice>,
    pub(crate) faults: Faults,
    pub(crate) pace: Pace,
    pub(crate) ids: Ids,
    pub(crate) sessions: Sessions,
    pub(crate) control: Control,
}

/// The server side of one live protocol over one connection.
pub(crate) trait Protocol: Send {
    fn via(&self) -> Via;

    fn framing(&self) -> Framing;

    /// The client is there.
    fn open(&mut self, out: &mut Out);

    /// Takes a message of the client.
    fn receive(&mut self, message: &str, out: &mut Out);

    /// The brain has decided.
    fn perform(&mut self, steps: Vec<Step>, out: &mut Out);

    /// How long to wait before more is delivered; nothing if there is no more.
    fn next_in(&self) -> Option<Duration>;

    /// Sends the next piece of what the model does.
    fn deliver(&mut self, out: &mut Out);

    /// Does what the control says; what it cannot do, it does not.
    fn obey(&mut self, order: Order, out: &mut Out);

    /// Whether calls wait for their results.
    fn has_open_calls(&self) -> bool;
}

/// What handling something leads to.
#[derive(Debug, Default)]
pub(crate) struct Out {
    pub(crate) frames: Vec<Value>,
    pub(crate) seen: Vec<Seen>,
    pub(crate) brain: Option<Ask>,
    pub(crate) close: Option<Close>,
    /// An end that was announced.
    pub(crate) end_in: Option<(Duration, Close)>,
}

/// What the brain is told.
#[derive(Debug)]
pub(crate) enum Ask {
    Reply(Scene),
    /// What it thinks about is not wanted any more.
    Nothing,
}

/// How a connection is closed.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Close {
    pub(crate) code: u16,
    pub(crate) reason: String,
    /// A last frame before it.
    pub(crate) farewell: Option<Value>,
}

impl Close {
    pub(crate) fn new(code: u16, reason: impl Into<String>) -> Self {
        Self { code, reason: reason.into(), farewell: None }
    }
}

impl Out {
    pub(crate) fn send(&mut self, frame: Value) {
        self.frames.push(frame);
    }

    pub(crate) fn show(&mut self, seen: Seen) {
        self.seen.push(seen);
    }

    pub(crate) fn ask(&mut self, scene: Scene) {
        self.brain = Some(Ask::Reply(scene));
    }

    pub(crate) fn hush(&mut self) {
        self.brain = Some(Ask::Nothing);
    }

    /// Ends the connection; the first reason stands.
    pub(crate) fn close(&mut self, code: u16, reason: impl Into<String>) {
        self.close.get_or_insert(Close::new(code, reason));
    }
}

/// How a client begins when it wants a given sentence spoken.
const SAY_EXACTLY: &str = "Say exactly the following sentence";

/// The sentence that a text tells the model to say, word for word: its last line.
pub(crate) fn dictated(text: &str) -> Option<&str> {
    let lines = text.contains(SAY_EXACTLY).then(|| text.lines().map(str::trim));
    lines?.rfind(|line| !line.is_empty())
}

/// What the person is taken to have said when sound came.
pub(crate) fn words_for_sound(world: &World, scene: &Scene, sound: &Sound) -> String {
    let words = world.brain.words_for_sound(sound, scene);
    words.unwrap_or_else(|| {
        let tenths = sound.lasted_ms.div_ceil(100);
        format!("[speech, {}.{} s: the simulator has no ears]", tenths / 10, tenths % 10)
    })
}
