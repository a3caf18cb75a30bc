//! What takes a model: said plainly, rather than searched for in vain.

use super::{about, say};
use crate::brain::Step;
use crate::offline::view::View;
use crate::offline::word::{fold, has_any};

const BEYOND: &str = "That takes a model, and I have none:";

const WISHES: &[&str] = &[
    "write a",
    "write me",
    "write an",
    "compose",
    "translate",
    "tell me a joke",
    "a joke",
    "a poem",
    "a story",
    "an essay",
    "calculate",
    "summarise this",
    "summarize this",
    "rewrite",
    "weather",
    "write code",
    "debug",
    "do you think",
    "your opinion",
    "do you feel",
    "how are you",
    "what time is it",
    "what day is today",
    "what day is it",
];

pub(super) fn claim(view: &View<'_>) -> Option<Vec<Step>> {
    let folded = fold(&view.latest);
    has_any(&folded, WISHES)
        .then(|| say(format!("{BEYOND} I follow rules. {}", about::abilities(view))))
}
