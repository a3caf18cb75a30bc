//! From writing to talking and back.

use serde_json::json;

use super::say;
use crate::argument;
use crate::family::Family;
use crate::request;
use crate::view::{Manner, View};
use crate::word::{has, has_any};
use aileron_contract::scene::Step;

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

/// What is wished for instead of writing, and what may follow it.
const TALKS: &[&str] = &["talk", "speak"];
const AFTER_TALK: &[&str] =
    &["to you", "with you", "about this", "about it", "instead", "than", "please", "now"];

/// What voice is asked for with: "start a voice call".
const VERBS: &[&str] =
    &["start", "begin", "open", "use", "enable", "activate", "turn on", "switch on", "switch to"];

const LONGEST_WORDS: usize = 12;

pub(super) fn claim(view: &View<'_>) -> Option<Vec<Step>> {
    if view.folded.split_whitespace().count() > LONGEST_WORDS {
        return None;
    }
    if has_any(&view.folded, TO_TEXT) {
        return Some(end(view, "continue_in_text", LEFT_IN_TEXT, WRITING));
    }
    if has_any(&view.folded, ENDS) {
        return Some(end(view, "user_requested", GOODBYE, GOODBYE_IN_TEXT));
    }
    let ordered = request::after(request::wish(&view.folded), VERBS);
    let ordered = ordered.is_some_and(|rest| has(&format!(" {rest} "), "voice"));
    (ordered || talks(&view.folded) || has_any(&view.folded, STARTS)).then(|| start(view))
}

/// "I'd rather talk than type", and not "can we talk about Atlas?"
fn talks(folded: &str) -> bool {
    let wish = request::wish(folded);
    let behind = request::after(wish, TALKS).filter(|_| wish != folded.trim());
    behind.is_some_and(|rest| rest.is_empty() || request::after(rest, AFTER_TALK).is_some())
}

fn end(view: &View<'_>, reason: &str, closing: &str, otherwise: &str) -> Vec<Step> {
    let Some(tool) = view.tool(Family::EndVoice) else { return say(otherwise) };
    argument::call(
        tool,
        json!({ "reason": reason, "after": "farewell_spoken", "closing_message": closing }),
    )
}

fn start(view: &View<'_>) -> Vec<Step> {
    match view.tool(Family::StartVoice) {
        Some(tool) => {
            argument::call(tool, json!({ "opening_message": "Here I am. What can I do for you?" }))
        }
        None if view.manner == Manner::Spoken => say(TALKING),
        None => say(NO_VOICE),
    }
}

/// The farewell, after which the line closes.
pub(crate) fn ended() -> Vec<Step> {
    say(GOODBYE)
}

pub(crate) fn started() -> Vec<Step> {
    say(VOICE_COMES)
}
