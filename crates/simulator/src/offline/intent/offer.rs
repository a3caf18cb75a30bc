//! The person's answer to an offer: a time to book, a picture to make. Nothing is committed before.

use serde_json::{Value, json};

use super::say;
use crate::brain::Step;
use crate::offline::argument;
use crate::offline::choice::{self, Choice};
use crate::offline::family::Family;
use crate::offline::outcome::Outcome;
use crate::offline::slot;
use crate::offline::view::View;
use aileron_contract::ErrorType;

const DECLINED: &str = "All right, nothing was done.";
const NOT_HERE: &str = "I cannot do that in this mode. Ask me again in writing.";
const NOT_MINE: &str =
    "I cannot approve that for you: please answer the question that is open on the page.";
const NOTHING_OPEN: &str = "There is nothing open to say yes or no to. What shall I do?";

/// Offers, and what becomes of them.
const STAGES: &[Family] = &[Family::Propose, Family::DraftImage, Family::Book, Family::MakeImage];

/// What a choice is made of.
const CHOOSING: &[&str] = &[
    "yes", "no", "please", "thanks", "go", "ahead", "book", "take", "make", "it", "the", "first",
    "second", "third", "fourth", "one", "number", "option", "that", "last", "do", "approve",
    "confirm",
];

pub(super) fn claim(view: &View<'_>) -> Option<Vec<Step>> {
    approval(view).or_else(|| open(view)).or_else(|| nothing(view))
}

/// The last offer, unless something came of it.
fn open(view: &View<'_>) -> Option<Vec<Step>> {
    let (family, output) = view.known.iter().rev().find_map(|known| match &known.outcome {
        Outcome::Done(output) => STAGES.contains(&known.family?).then_some((known.family, output)),
        Outcome::Failed(_) => None,
    })?;
    match family {
        Some(Family::Propose) => times(view, output),
        Some(Family::DraftImage) => pictures(view, output),
        _ => None,
    }
}

fn times(view: &View<'_>, output: &Value) -> Option<Vec<Step>> {
    let slots = slot::read(output);
    let short = view.folded.split_whitespace().count() <= 10;
    let named = slots.iter().position(|slot| slot.is_named(&view.folded)).filter(|_| short);
    let choice = named.map(Choice::Take).or_else(|| choice::of(&view.folded, slots.len()));
    let slot = match choice? {
        Choice::Decline => return Some(say(DECLINED)),
        Choice::Take(at) => slots.get(at)?,
    };
    let Some(tool) = view.tool(Family::Book) else { return Some(say(NOT_HERE)) };
    Some(argument::call(tool, json!({ "event_draft_id": slot.draft })))
}

fn pictures(view: &View<'_>, output: &Value) -> Option<Vec<Step>> {
    let variants = output.get("variants")?.as_array()?;
    let variant = match choice::of(&view.folded, variants.len())? {
        Choice::Decline => return Some(say(DECLINED)),
        Choice::Take(at) => variants.get(at)?,
    };
    let Some(tool) = view.tool(Family::MakeImage) else { return Some(say(NOT_HERE)) };
    let args = json!({
        "prompt": variant.get("prompt"),
        "negative_prompt": variant.get("negative_prompt"),
        "user_requested": true,
        "sensitive_topics": output.get("sensitive_topics"),
    });
    Some(argument::call(tool, args))
}

/// A yes to a question that only the person's own approval answers.
fn approval(view: &View<'_>) -> Option<Vec<Step>> {
    let Outcome::Failed(failed) = &view.known.last()?.outcome else { return None };
    let waits = failed.kind == Some(ErrorType::ConfirmationRequired);
    (waits && choice::agreed(&view.folded)).then(|| say(NOT_MINE))
}

/// Words that only choose, when there is nothing to choose from.
fn nothing(view: &View<'_>) -> Option<Vec<Step>> {
    let mut words = view.folded.split_whitespace().peekable();
    let bare = words.peek().is_some() && words.all(|word| CHOOSING.contains(&word));
    bare.then(|| say(NOTHING_OPEN))
}
