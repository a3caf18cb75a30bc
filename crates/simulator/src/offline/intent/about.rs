//! Who the agent is and what it can do, by the tools it was given.

use super::say;
use crate::brain::Step;
use crate::offline::family::Family;
use crate::offline::label::LABEL;
use crate::offline::view::View;
use crate::offline::word::{has_any, telling};

const LIMITS: &str =
    "I cannot chat freely, write texts or reason: for that, set the key of a provider.";
const NOT_UNDERSTOOD: &str = "I did not understand that.";

const GREETINGS: &[&str] = &[
    "hello",
    "hi",
    "hey",
    "good morning",
    "good afternoon",
    "good evening",
    "hallo",
    "moin",
    "greetings",
];

const IDENTITY: &[&str] = &[
    "who are you",
    "what are you",
    "are you a",
    "are you an",
    "are you real",
    "are you offline",
    "are you human",
    "which model",
    "what model",
    "introduce yourself",
];

const HELP: &[&str] = &[
    "what can you do",
    "what do you do",
    "how do you work",
    "what can i ask",
    "how can you help",
    "what can i do here",
    "your capabilities",
    "what tools do you have",
    "which tools do you have",
];

/// What each family lets the agent do.
const ABILITIES: &[(Family, &str)] = &[
    (Family::Search, "answer questions from the knowledge base, with sources"),
    (Family::Propose, "find times for a meeting, and book one once you approve it"),
    (Family::DraftImage, "draft and make pictures"),
    (Family::Contacts, "extract contacts from a text"),
    (Family::FormatDate, "format dates"),
    (Family::Rank, "rank things by numbers"),
    (Family::StartVoice, "switch to voice"),
    (Family::EndVoice, "end the call"),
];

pub(super) fn claim(view: &View<'_>) -> Option<Vec<Step>> {
    let short = view.folded.split_whitespace().count() <= 3;
    let greets = GREETINGS.contains(&view.folded.trim())
        || (has_any(&view.folded, GREETINGS) && telling(&view.latest).len() <= 1 && short);
    let asks =
        has_any(&view.folded, HELP) || (short && has_any(&view.folded, &["help", "help me"]));
    if greets {
        return Some(say(format!("Hello. {}", abilities(view))));
    }
    if has_any(&view.folded, IDENTITY) || asks {
        return Some(say(format!("{LABEL} {} {LIMITS}", abilities(view))));
    }
    None
}

/// What is said to words that nothing else understood.
pub(super) fn claim_anything(view: &View<'_>) -> Option<Vec<Step>> {
    Some(say(format!("{NOT_UNDERSTOOD} {}", abilities(view))))
}

/// The tools that were declared, in words.
pub(super) fn abilities(view: &View<'_>) -> String {
    let known = ABILITIES.iter().filter(|(family, _)| view.tool(*family).is_some());
    let mut can: Vec<String> = known.map(|(_, ability)| (*ability).to_owned()).collect();
    let others = view.scene.tools.iter().filter(|tool| Family::of(tool).is_none());
    let others: Vec<String> =
        others.take(6).map(|tool| tool.name.replace(['_', '-'], " ")).collect();
    if !others.is_empty() {
        can.push(format!("use {}", others.join(", ")));
    }
    match can.as_slice() {
        [] => "I was given no tools, so there is little I can do here.".to_owned(),
        [one] => format!("I can {one}."),
        [most @ .., last] => format!("I can {}; and {last}.", most.join("; ")),
    }
}
