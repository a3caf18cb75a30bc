//! The smallest model: it says what it heard.

use futures_util::FutureExt;
use futures_util::future::BoxFuture;

use crate::brain::{Brain, Item, Scene, Step};

const NOTHING: &str = "I have not heard anything yet.";

/// Answers with what it heard, or with what a tool returned.
#[derive(Debug, Clone, Copy, Default)]
pub struct EchoBrain;

impl Brain for EchoBrain {
    fn reply(&self, scene: Scene) -> BoxFuture<'_, Vec<Step>> {
        let words = match scene.items.last() {
            Some(Item::Heard { text, .. }) => format!("You said: {text}"),
            Some(Item::Returned(returned)) => {
                format!("{} returned {}", returned.name, returned.result)
            }
            _ => NOTHING.to_owned(),
        };
        std::future::ready(vec![Step::Say(words)]).boxed()
    }
}
