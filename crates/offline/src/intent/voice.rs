//! Changes from text to voice and back.

use serde_json::json;

use super::say;
use crate::argument;
use crate::family::Family;
use crate::request;
use crate::situation::{AddressStyle, Situation};
use crate::word::{has, has_any};
use aileron_contract::model_input::ModelAction;

const GOODBYE: &str = "Goodbye.";
const GOODBYE_IN_TEXT: &str = "Goodbye. Write again whenever you like.";
const VOICE_COMES: &str = "Voice is being switched on. Please allow the microphone on the page.";
const TALKING: &str = "We are talking already.";
const WRITING: &str = "We are writing already.";
const NO_VOICE: &str = "There is no voice here, so let us go on in writing.";
const LEFT_IN_TEXT: &str = "Let us go on in writing.";

const ENDS: &[&str] = &[
    "goodbye",
    "good bye",
    "bye",
    "bye bye",
    "hang up",
    "end the call",
    "end the session",
    "end the conversation",
    "end voice",
    "thats all",
    "that is all",
    "see you",
    "see you later",
    "talk to you later",
    "stop talking",
    "tschuss",
];

const TO_TEXT: &[&str] = &[
    "continue in text",
    "switch to text",
    "go on in writing",
    "continue in writing",
    "rather write",
    "write instead",
    "text mode",
];

const STARTS: &[&str] = &["voice mode", "voice conversation", "call me", "start a call"];

/// Verbs that ask for voice instead of text, and words that may follow them.
const TALKS: &[&str] = &["talk", "speak"];
const AFTER_TALK: &[&str] =
    &["to you", "with you", "about this", "about it", "instead", "than", "please", "now"];

/// Verbs that ask for voice: "start a voice call".
const VERBS: &[&str] =
    &["start", "begin", "open", "use", "enable", "activate", "turn on", "switch on", "switch to"];

const LONGEST_WORDS: usize = 12;

pub(super) fn claim(situation: &Situation<'_>) -> Option<Vec<ModelAction>> {
    if situation.folded.split_whitespace().count() > LONGEST_WORDS {
        return None;
    }
    if has_any(&situation.folded, TO_TEXT) {
        return Some(end(situation, "continue_in_text", LEFT_IN_TEXT, WRITING));
    }
    if has_any(&situation.folded, ENDS) {
        return Some(end(situation, "user_requested", GOODBYE, GOODBYE_IN_TEXT));
    }
    let ordered = request::after(request::wish(&situation.folded), VERBS);
    let ordered = ordered.is_some_and(|rest| has(&format!(" {rest} "), "voice"));
    (ordered || talks(&situation.folded) || has_any(&situation.folded, STARTS))
        .then(|| start(situation))
}

/// "I'd rather talk than type", and not "can we talk about Atlas?"
fn talks(folded: &str) -> bool {
    let wish = request::wish(folded);
    let behind = request::after(wish, TALKS).filter(|_| wish != folded.trim());
    behind.is_some_and(|rest| rest.is_empty() || request::after(rest, AFTER_TALK).is_some())
}

fn end(
    situation: &Situation<'_>,
    reason: &str,
    closing: &str,
    otherwise: &str,
) -> Vec<ModelAction> {
    let Some(tool) = situation.tool(Family::EndVoice) else { return say(otherwise) };
    argument::call(
        tool,
        json!({ "reason": reason, "after": "farewell_spoken", "closing_message": closing }),
    )
}

fn start(situation: &Situation<'_>) -> Vec<ModelAction> {
    match situation.tool(Family::StartVoice) {
        Some(tool) => {
            argument::call(tool, json!({ "opening_message": "Here I am. What can I do for you?" }))
        }
        None if situation.manner == AddressStyle::Spoken => say(TALKING),
        None => say(NO_VOICE),
    }
}

/// The farewell, after which the session closes.
pub(crate) fn ended() -> Vec<ModelAction> {
    say(GOODBYE)
}

pub(crate) fn started() -> Vec<ModelAction> {
    say(VOICE_COMES)
}
