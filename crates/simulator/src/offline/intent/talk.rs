//! Thanks and the like.

use super::say;
use crate::brain::Step;
use crate::offline::view::View;
use crate::offline::word::has_any;

const WELCOME: &str = "You are welcome. Is there anything else?";
const THANKS: &str = "Thank you. What else can I do?";
const SORRY: &str =
    "I am sorry. Other words may help: the name of a person, a project or a process.";
pub(super) const ALL_RIGHT: &str = "All right.";
const WELL: &str = "I am a set of rules, and they run. What can I do for you?";
const PRAISE: &[&str] =
    &["you are great", "youre great", "good job", "well done", "nice work", "awesome"];

const COMPLAINTS: &[&str] = &[
    "this is useless",
    "not helpful",
    "did not help",
    "didnt help",
    "that is wrong",
    "thats wrong",
    "you are wrong",
    "youre wrong",
    "wrong answer",
    "bad answer",
    "not what i asked",
    "not what i meant",
    "bullshit",
    "not very smart",
];

const ASSENT: &[&str] = &[
    "ok",
    "okay",
    "sure",
    "great",
    "good",
    "fine",
    "nice",
    "cool",
    "perfect",
    "i see",
    "alright",
    "all right",
];

const LONGEST_WORDS: usize = 6;

pub(super) fn claim(view: &View<'_>) -> Option<Vec<Step>> {
    if view.folded.split_whitespace().count() > LONGEST_WORDS {
        return None;
    }
    if has_any(&view.folded, &["thanks", "thank you", "thx", "cheers", "danke", "merci"]) {
        return Some(say(WELCOME));
    }
    if has_any(&view.folded, PRAISE) {
        return Some(say(THANKS));
    }
    if has_any(&view.folded, COMPLAINTS) {
        return Some(say(SORRY));
    }
    if has_any(&view.folded, &["never mind", "nevermind", "forget it", "cancel that", "cancel it"])
    {
        return Some(say(ALL_RIGHT));
    }
    if has_any(&view.folded, &["how are you", "how do you do", "wie geht es dir"]) {
        return Some(say(WELL));
    }
    is_assent(&view.folded).then(|| say(ALL_RIGHT))
}

/// Whether the words only say that they were heard.
pub(super) fn is_assent(folded: &str) -> bool {
    ASSENT.contains(&folded.trim())
}
