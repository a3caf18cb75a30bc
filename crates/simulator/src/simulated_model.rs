//! What the model in the box says and calls: a function of all it has seen.
//!
//! A provider whose requests carry the whole history and one that keeps it are driven alike. How a
//! step is put on the wire, and what goes wrong on the way, is left to the protocols.

use std::fmt;

pub use aileron_contract::model_input::{
    Channel, HistoryItem, ModelAction, ModelCall, ModelCallResult, ModelInput, PlannedCall,
    ToolDeclaration,
};
use futures_util::future::{BoxFuture, ready};

use crate::speech::UtteranceAudio;

const NOTHING_HEARD: &str = "I repeat what you say, and you have said nothing so far.";

/// Decides what the model does.
pub trait SimulatedModel: Send + Sync + fmt::Debug {
    /// What comes next. The last item of the scene is news: words of the person, or results.
    fn reply(&self, scene: ModelInput) -> BoxFuture<'_, Vec<ModelAction>>;

    /// The words for a sound, if the brain can tell them.
    fn transcribe(&self, _sound: &UtteranceAudio, _scene: &ModelInput) -> Option<String> {
        None
    }
}

/// A brain that is a pure function of the scene.
#[derive(Clone, Copy)]
pub struct Rules(pub fn(&ModelInput) -> Vec<ModelAction>);

impl fmt::Debug for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Rules")
    }
}

impl SimulatedModel for Rules {
    fn reply(&self, scene: ModelInput) -> BoxFuture<'_, Vec<ModelAction>> {
        Box::pin(ready((self.0)(&scene)))
    }
}

/// Repeats the last words of the person, and calls nothing.
pub fn echo(scene: &ModelInput) -> Vec<ModelAction> {
    let heard = scene.items.iter().rev().find_map(|item| match item {
        HistoryItem::Heard { text, .. } => Some(text.clone()),
        _ => None,
    });
    vec![ModelAction::Say(heard.unwrap_or_else(|| NOTHING_HEARD.to_owned()))]
}
