//! The simulated model: a function from its input to its actions.
//!
//! It works for providers whose requests carry the whole history and for those that store it. The
//! protocols encode the actions and inject faults.

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
    /// The next actions. The last item of the input is new: words of the person, or results.
    fn reply(&self, scene: ModelInput) -> BoxFuture<'_, Vec<ModelAction>>;

    /// The transcript of an audio, if the model recognises speech.
    fn transcribe(&self, _sound: &UtteranceAudio, _scene: &ModelInput) -> Option<String> {
        None
    }
}

/// A model that is a pure function of its input.
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
