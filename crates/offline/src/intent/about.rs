//! Questions about the agent and its abilities, answered from its tools.

use super::{say, search};
use crate::family::Family;
use crate::label::LABEL;
use crate::schema::{Parameters, texts};
use crate::situation::Situation;
use crate::word::{has, has_any, telling};
use aileron_contract::model_input::ModelAction;

const LIMITS: &str =
    "I cannot chat freely, write texts or reason: for that, set the key of a provider.";
const NOT_UNDERSTOOD: &str = "I did not understand that.";
const ASK: &str = "Ask who somebody is, when something is due, or how something is done.";

pub(super) const GREETINGS: &[&str] = &[
    "hello",
    "hi",
    "hey",
    "good morning",
    "good afternoon",
    "good evening",
    "hallo",
    "moin",
    "greetings",
    "good day",
    "guten tag",
    "guten morgen",
    "are you there",
];

const IDENTITY: &[&str] = &[
    "who are you",
    "what are you",
    "are you a",
    "are you an",
    "are you real",
    "are you offline",
    "are you human",
    "introduce yourself",
    "who made you",
    "who built you",
    "do you speak",
    "your name",
];

/// Questions about the agent if they name nothing else: "which model is this?"
const IDENTITY_ALONE: &[&str] = &["which model", "what model", "which version", "what version"];

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
    "i have a question",
];

/// Questions about the knowledge base as a whole, if they name nothing in it.
const KNOWLEDGE: &[&str] = &[
    "knowledge base",
    "do you know",
    "can you tell me",
    "can you find",
    "can i search",
    "can i look up",
];

/// The ability that each family gives the agent.
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

pub(super) fn claim(situation: &Situation<'_>) -> Option<Vec<ModelAction>> {
    let short = situation.folded.split_whitespace().count() <= 3;
    let about_nothing = telling(&situation.latest).is_empty();
    let greets = GREETINGS.contains(&situation.folded.trim())
        || (has_any(&situation.folded, GREETINGS)
            && telling(&situation.latest).len() <= 1
            && short);
    if greets {
        return Some(say(format!("Hello. {}", abilities(situation))));
    }
    if about_nothing && has_any(&situation.folded, KNOWLEDGE) {
        return Some(say(knowledge(situation)));
    }
    let asks =
        has_any(&situation.folded, HELP) || (about_nothing && has(&situation.folded, "help"));
    let ours = has(&situation.folded, "you") || telling(&situation.latest).len() <= 1;
    let alone = ours && has_any(&situation.folded, IDENTITY_ALONE);
    if has_any(&situation.folded, IDENTITY) || alone || asks {
        return Some(say(format!("{LABEL} {} {LIMITS}", abilities(situation))));
    }
    None
}

/// The kinds of records that can be searched, from the declaration of the search.
fn knowledge(situation: &Situation<'_>) -> String {
    let Some(tool) = situation.tool(Family::Search) else { return abilities(situation) };
    let parameters = Parameters::new(&tool.parameters);
    let parts = parameters.one("namespace").map(texts).unwrap_or_default();
    let kinds = match listed(&search::kinds(tool)) {
        Some(types) => format!("It has records of these kinds: {types}."),
        None => "It has records.".to_owned(),
    };
    let parts = listed(&parts).map(|parts| format!(" Its parts are {parts}.")).unwrap_or_default();
    format!("I answer from the knowledge base. {kinds}{parts} {ASK}")
}

/// `a, b and c`.
fn listed(names: &[&str]) -> Option<String> {
    match names {
        [] => None,
        [one] => Some((*one).to_owned()),
        [most @ .., last] => Some(format!("{} and {last}", most.join(", "))),
    }
}

/// The reply to words that no other rule matched.
pub(super) fn claim_anything(situation: &Situation<'_>) -> Option<Vec<ModelAction>> {
    Some(say(format!("{NOT_UNDERSTOOD} {}", abilities(situation))))
}

/// The declared tools as text.
pub(super) fn abilities(situation: &Situation<'_>) -> String {
    let known = ABILITIES.iter().filter(|(family, _)| situation.tool(*family).is_some());
    let mut can: Vec<String> = known.map(|(_, ability)| (*ability).to_owned()).collect();
    let others = situation.input.tools.iter().filter(|tool| Family::of(tool).is_none());
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
