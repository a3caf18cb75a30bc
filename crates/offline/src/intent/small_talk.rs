//! Thanks, greetings and other small talk.

use super::say;
use crate::request;
use crate::situation::Situation;
use crate::word::{fold, has_any};
use aileron_contract::model_input::ModelAction;

const WELCOME: &str = "You are welcome. Is there anything else?";
const PRAISED: &str = "Thank you. What else can I do?";
const SORRY: &str =
    "I am sorry. Other words may help: the name of a person, a project or a process.";
pub(super) const ALL_RIGHT: &str = "All right.";
const WELL: &str = "I am a set of rules, and they run. What can I do for you?";
const TAKE_YOUR_TIME: &str = "Take your time.";
const NO_HARM: &str = "No harm done. What can I do for you?";
const HOW_ARE_YOU: &[&str] = &["how are you", "how do you do", "wie geht es dir"];
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

const THANKS: &[&str] =
    &["thanks", "thank you", "thank u", "thx", "ty", "cheers", "danke", "merci", "gracias"];

/// Words that may accompany thanks without a request.
const WITH_THANKS: &[&str] = &[
    "a",
    "again",
    "agent",
    "all",
    "and",
    "answer",
    "awesome",
    "bot",
    "cool",
    "excellent",
    "fine",
    "for",
    "friend",
    "good",
    "got",
    "great",
    "help",
    "helped",
    "helpful",
    "helps",
    "i",
    "indeed",
    "info",
    "is",
    "it",
    "just",
    "kind",
    "lot",
    "lots",
    "man",
    "many",
    "mate",
    "me",
    "much",
    "nice",
    "now",
    "of",
    "oh",
    "ok",
    "okay",
    "perfect",
    "quick",
    "really",
    "so",
    "super",
    "sure",
    "that",
    "thats",
    "the",
    "this",
    "very",
    "was",
    "well",
    "wonderful",
    "you",
    "your",
];

/// Phrases that ask the agent to wait.
const PAUSES: &[&str] = &[
    "wait",
    "hold on",
    "one moment",
    "just a moment",
    "a moment",
    "one second",
    "just a second",
    "one sec",
    "let me think",
    "let me check",
    "hmm",
    "hm",
];

const APOLOGIES: &[&str] =
    &["sorry", "im sorry", "i am sorry", "my bad", "my mistake", "oops", "apologies", "excuse me"];

const LONGEST_WORDS: usize = 6;

pub(super) fn claim(situation: &Situation<'_>) -> Option<Vec<ModelAction>> {
    if is_thanks(&situation.folded) || thanks_for(situation) {
        return Some(say(WELCOME));
    }
    if is_pause(&situation.folded) {
        return Some(say(TAKE_YOUR_TIME));
    }
    if APOLOGIES.contains(&situation.folded.trim()) {
        return Some(say(NO_HARM));
    }
    if situation.folded.split_whitespace().count() > LONGEST_WORDS || asks_more(situation) {
        return None;
    }
    if has_any(&situation.folded, PRAISE) {
        return Some(say(PRAISED));
    }
    if has_any(&situation.folded, COMPLAINTS) {
        return Some(say(SORRY));
    }
    if has_any(
        &situation.folded,
        &["never mind", "nevermind", "forget it", "cancel that", "cancel it"],
    ) {
        return Some(say(ALL_RIGHT));
    }
    if has_any(&situation.folded, HOW_ARE_YOU) {
        return Some(say(WELL));
    }
    is_assent(&situation.folded).then(|| say(ALL_RIGHT))
}

/// Whether the words are only an acknowledgement.
pub(super) fn is_assent(folded: &str) -> bool {
    ASSENT.contains(&folded.trim())
}

/// Whether the words are thanks, and nothing is asked for with them.
pub(super) fn is_thanks(folded: &str) -> bool {
    let bare = THANKS
        .iter()
        .fold(folded.to_owned(), |rest, thanks| rest.replace(&format!(" {thanks} "), "  "));
    let declines = folded.starts_with(" no ");
    let rest =
        bare.split_whitespace().all(|word| WITH_THANKS.contains(&word) || THANKS.contains(&word));
    has_any(folded, THANKS) && rest && !declines
}

/// "Thanks for finding that out".
fn thanks_for(situation: &Situation<'_>) -> bool {
    let for_it = THANKS.iter().any(|thanks| situation.folded.contains(&format!(" {thanks} for ")));
    for_it && !situation.latest.contains('?')
}

/// A question without the thanks before it, if only spaces are between them.
pub(super) fn past_thanks(text: &str) -> &str {
    let behind = |thanks: &&str| {
        let words = thanks.split(' ').count();
        let head: Vec<&str> = text.split_whitespace().take(words).collect();
        let rest = text.trim_start().get(head.join(" ").len()..)?;
        let said = fold(&head.join(" ")).trim() == *thanks;
        (said && request::is_question(&fold(rest))).then(|| rest.trim_start())
    };
    THANKS.iter().find_map(behind).unwrap_or(text)
}

/// Whether the words only ask the agent to wait.
pub(super) fn is_pause(folded: &str) -> bool {
    PAUSES.contains(&folded.trim())
}

/// Whether there is a question besides "how are you".
fn asks_more(situation: &Situation<'_>) -> bool {
    situation.latest.contains('?') && !has_any(&situation.folded, HOW_ARE_YOU)
}
