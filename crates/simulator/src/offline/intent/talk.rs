//! Thanks and the like.

use super::say;
use crate::brain::Step;
use crate::offline::view::View;
use crate::offline::word::has_any;

const WELCOME: &str = "You are welcome. Is there anything else?";
const ALL_RIGHT: &str = "All right.";
const LONGEST_WORDS: usize = 5;

pub(super) fn claim(view: &View<'_>) -> Option<Vec<Step>> {
    if view.folded.split_whitespace().count() > LONGEST_WORDS {
        return None;
    }
    if has_any(&view.folded, &["thanks", "thank you", "thx", "cheers", "danke"]) {
        return Some(say(WELCOME));
    }
    let bare = matches!(
        view.folded.trim(),
        "ok" | "okay"
            | "great"
            | "good"
            | "fine"
            | "nice"
            | "cool"
            | "perfect"
            | "i see"
            | "alright"
            | "all right"
    );
    bare.then(|| say(ALL_RIGHT))
}
