//! What the model in the box says and calls: a function of all it has seen.
//!
//! A provider whose requests carry the whole history and one that keeps it are driven alike. How a
//! step is put on the wire, and what goes wrong on the way, is left to the protocols.

use std::fmt;

pub use aileron_contract::scene::{Asked, Call, Channel, Declared, Item, Returned, Scene, Step};
use futures_util::future::{BoxFuture, ready};

use crate::speech::Sound;

const NOTHING_HEARD: &str = "I repeat what you say, and you have said nothing so far.";

/// Decides what the model does.
pub trait Brain: Send + Sync + fmt::Debug {
    /// What comes next. The last item of the scene is news: words of the person, or results.
    fn reply(&self, scene: Scene) -> BoxFuture<'_, Vec<Step>>;

    /// The words for a sound, if the brain can tell them.
    fn words_for_sound(&self, _sound: &Sound, _scene: &Scene) -> Option<String> {
        None
    }
}

/// A brain that is a pure function of the scene.
#[derive(Clone, Copy)]
pub struct Rules(pub fn(&Scene) -> Vec<Step>);

impl fmt::Debug for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Rules")
    }
}

impl Brain for Rules {
    fn reply(&self, scene: Scene) -> BoxFuture<'_, Vec<Step>> {
        Box::pin(ready((self.0)(&scene)))
    }
}

/// Repeats the last words of the person, and calls nothing.
pub fn echo(scene: &Scene) -> Vec<Step> {
    let heard = scene.items.iter().rev().find_map(|item| match item {
        Item::Heard { text, .. } => Some(text.clone()),
        _ => None,
    });
    vec![Step::Say(heard.unwrap_or_else(|| NOTHING_HEARD.to_owned()))]
}
