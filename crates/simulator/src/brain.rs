//! What the model in the box says and calls: a function of all it has seen.
//!
//! A provider whose requests carry the whole history and one that keeps it are driven alike. How a
//! step is put on the wire, and what goes wrong on the way, is left to the protocols.

use std::fmt;

use aileron_contract::CallId;
use futures_util::future::BoxFuture;
use serde_json::{Map, Value};

use crate::speech::Sound;

/// Decides what the model does.
pub trait Brain: Send + Sync + fmt::Debug {
    /// What comes next. The last item of the scene is news: words of the person, or results.
    fn reply(&self, scene: Scene) -> BoxFuture<'_, Vec<Step>>;

    /// What the person is taken to have said when sound came; nothing from who cannot tell.
    fn words_for_sound(&self, _sound: &Sound, _scene: &Scene) -> Option<String> {
        None
    }
}

/// All that a model is given.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Scene {
    pub instructions: String,
    pub tools: Vec<Declared>,
    pub items: Vec<Item>,
}

/// A tool as it was declared.
#[derive(Debug, Clone, PartialEq)]
pub struct Declared {
    pub name: String,
    pub description: String,
    /// The schema of its arguments, in the provider's own dialect.
    pub parameters: Value,
}

/// One thing that happened in the conversation.
#[derive(Debug, Clone, PartialEq)]
pub enum Item {
    /// The person's words.
    Heard {
        text: String,
        channel: Channel,
    },
    /// The model's words.
    Said {
        text: String,
    },
    Called(Call),
    Returned(Returned),
}

/// How words reached the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Channel {
    Written,
    Spoken,
}

/// A call the model made.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    pub id: CallId,
    pub name: String,
    pub args: Map<String, Value>,
}

/// What a call was answered.
#[derive(Debug, Clone, PartialEq)]
pub struct Returned {
    pub id: CallId,
    pub name: String,
    /// The object or the text, as the client sent it.
    pub result: Value,
}

/// What the model does.
#[derive(Debug, Clone, PartialEq)]
pub enum Step {
    /// Reasons, where the protocol shows that.
    Think(String),
    /// Speaks or writes.
    Say(String),
    /// Makes calls in one message, and waits for their results.
    Call(Vec<Asked>),
}

/// A call to be made.
#[derive(Debug, Clone, PartialEq)]
pub struct Asked {
    /// The protocol makes one up if there is none.
    pub id: Option<CallId>,
    pub name: String,
    pub args: Map<String, Value>,
}
