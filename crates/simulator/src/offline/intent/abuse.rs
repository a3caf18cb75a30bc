//! Abuse of the agent: one warning, then a block that grows; none is owed to a threat.
//!
//! Swearing at a problem is not abuse.

use serde_json::json;

use super::say;
use crate::brain::{Item, Step};
use crate::offline::argument;
use crate::offline::family::Family;
use crate::offline::view::{Known, View};
use crate::offline::word::has_any;

const WARNING: &str =
    "I would like to help, but not in this tone. If it goes on, I will end the conversation.";
const FAREWELL: &str = "I asked for a civil tone. We can talk again in a minute.";
const AGAIN: &str =
    "This is not the first time. I am closing the conversation for fifteen minutes.";
const THREATENED: &str = "I do not continue after a threat. This conversation is closed for a day.";
const NO_BLOCK: &str = "I will not answer in this tone.";

/// Insults that are meant for whoever is spoken to.
const DIRECT: &[&str] =
    &["shut up", "fuck you", "fuck off", "screw you", "piss off", "go to hell", "you suck", "stfu"];

/// Insults that need somebody to be meant.
const INSULTS: &[&str] = &[
    "idiot",
    "stupid",
    "moron",
    "dumb",
    "useless",
    "worthless",
    "pathetic",
    "imbecile",
    "garbage",
    "trash",
    "bastard",
    "asshole",
    "bitch",
    "loser",
    "braindead",
];

const AIMED: &[&str] = &["you", "your", "youre", "u"];

/// What is said of the agent's work rather than of the agent.
const ABOUT_THINGS: &[&str] =
    &["think", "feel", "know", "tell", "help", "find", "can you", "could you", "do you"];

const THREATS: &[&str] = &[
    "kill you",
    "hurt you",
    "find you and",
    "beat you",
    "stab you",
    "shoot you",
    "i will destroy you",
];

pub(super) fn claim(view: &View<'_>) -> Option<Vec<Step>> {
    let threat = has_any(&view.folded, THREATS);
    if !threat && !is_insult(&view.folded) {
        return None;
    }
    let warned = view
        .scene
        .items
        .iter()
        .any(|item| matches!(item, Item::Said { text } if text.contains(WARNING)));
    if !threat && !warned {
        return Some(say(WARNING));
    }
    let Some(tool) = view.tool(Family::Block) else { return Some(say(NO_BLOCK)) };
    let before = view.last_done(Family::Block).is_some();
    let (seconds, farewell, reason) = match (threat, before) {
        (true, _) => (86_400, THREATENED, "threat"),
        (false, true) => (900, AGAIN, "harassment"),
        (false, false) => (60, FAREWELL, "disrespect"),
    };
    let args =
        json!({ "duration_seconds": seconds, "farewell_message": farewell, "reason": reason });
    Some(argument::call(tool, args))
}

fn is_insult(folded: &str) -> bool {
    if has_any(folded, DIRECT) {
        return true;
    }
    let words = folded.split_whitespace().count();
    let aimed = has_any(folded, AIMED) && !has_any(folded, ABOUT_THINGS);
    has_any(folded, INSULTS) && (aimed || words <= 2)
}

/// The farewell is the last thing that is said.
pub(in crate::offline) fn blocked(known: &Known) -> Vec<Step> {
    let farewell = known.args.get("farewell_message").and_then(|text| text.as_str());
    say(farewell.unwrap_or(FAREWELL))
}
