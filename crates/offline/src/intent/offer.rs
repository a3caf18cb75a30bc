//! The person's reply to an offer: a time to book, a picture to generate. Nothing is committed
//! before.
//!
//! An offer is open while every message since it chose from it or asked to change it. It closes
//! when it is declined, when its call succeeded, and with the first message about anything else. A
//! change that can be parsed is requested again, together with the earlier words.

use serde_json::{Value, json};

use super::{past_courtesies, say, small_talk};
use crate::argument;
use crate::choice::{self, Choice};
use crate::date_time::LocalDate;
use crate::family::Family;
use crate::outcome::ToolOutcome;
use crate::revision::{self, Revision};
use crate::situation::{CompletedCall, Situation, heard};
use crate::slot;
use crate::word::{fold, has};
use aileron_contract::ErrorType;
use aileron_contract::model_input::{HistoryItem, ModelAction, ToolDeclaration};

const DECLINED: &str = "All right, nothing was done.";
const NOT_HERE: &str = "I cannot do that in this mode. Ask me again in writing.";
const NOT_MINE: &str =
    "I cannot approve that for you: please answer the question where you are asked.";
const WITHDRAWN: &str = "All right, I withdraw it. Nothing was done.";
const NOT_READ: &str = "I cannot read that change. Please say the whole request again";
const DONE: &str =
    "That is done, and I cannot change it any more. Please say the whole request again.";
const BOOKED: &str =
    "That is booked, and I cannot cancel it. Please remove it from the calendar yourself.";
const NOTHING_OPEN: &str = "There is nothing open to choose or to say yes to. What shall I do?";

/// Tools that make offers, and tools that commit them.
const STAGES: &[Family] = &[Family::Propose, Family::DraftImage, Family::Book, Family::MakeImage];

/// The maximum number of offers, because each needs a number to choose it by.
const MOST: usize = 5;

/// The offers: the words that name each, and the arguments of the call that commits it.
struct Offer {
    names: Vec<Vec<String>>,
    args: Vec<Value>,
    commit: Family,
}

pub(super) fn claim(situation: &Situation<'_>) -> Option<Vec<ModelAction>> {
    let offer = open(&situation.known, situation.before(), situation.today.as_ref())
        .map(|(_, offer)| offer);
    approval(situation, offer.as_ref())
        .or_else(|| offer.as_ref().and_then(|offer| choose(situation, offer)))
        .or_else(|| changed(situation, offer.as_ref()))
        .or_else(|| nothing(situation))
}

/// The last successful stage among the results before these items end.
fn last_stage<'a>(
    known: &'a [CompletedCall],
    items: &[HistoryItem],
) -> Option<(&'a CompletedCall, &'a Value)> {
    let before = known.iter().filter(|known| known.at < items.len());
    before.rev().find_map(|known| match &known.outcome {
        ToolOutcome::Done(output) => STAGES.contains(&known.family?).then_some((known, output)),
        ToolOutcome::Failed(_) => None,
    })
}

/// The last offer, if it is still open when these items end.
fn open<'a>(
    known: &'a [CompletedCall],
    items: &[HistoryItem],
    today: Option<&LocalDate>,
) -> Option<(&'a CompletedCall, Offer)> {
    let (known, output) = last_stage(known, items)?;
    let offer = match known.family {
        Some(Family::Propose) => times(today, output),
        Some(Family::DraftImage) => pictures(output)?,
        _ => return None,
    };
    let stays = |words: &str| {
        let words = past_courtesies(words);
        let folded = fold(words);
        let choice = choice::of(&folded, &offer.names);
        matches!(choice, Some(Choice::Take(_) | Choice::Unclear))
            || (choice.is_none() && revision::of(words, today).is_some())
            || small_talk::is_pause(&folded)
    };
    heard(&items[known.at..]).all(stays).then_some((known, offer))
}

/// The result whose request a message changes. A picture that was just generated can be requested
/// again.
pub(crate) fn changes<'a>(
    text: &str,
    known: &'a [CompletedCall],
    items: &[HistoryItem],
    today: Option<&LocalDate>,
) -> Option<&'a CompletedCall> {
    let revision = revision::of(text, today)?;
    if let Some((known, offer)) = open(known, items, today) {
        let chosen = choice::of(&fold(text), &offer.names).is_some();
        let read = known.family == Some(Family::DraftImage) || revision != Revision::Other;
        return (read && !chosen).then_some(known);
    }
    let (made, _) = last_stage(known, items)?;
    let just_made =
        made.family == Some(Family::MakeImage) && heard(&items[made.at..]).next().is_none();
    let drafts = known.iter().filter(|known| known.at < made.at);
    drafts.rev().find(|known| just_made && known.family == Some(Family::DraftImage))
}

/// A change that cannot be parsed leaves the offer as it is; a completed action cannot be changed.
fn changed(situation: &Situation<'_>, offer: Option<&Offer>) -> Option<Vec<ModelAction>> {
    let revision = revision::of(&situation.latest, situation.today.as_ref())?;
    let (stage, _) = last_stage(&situation.known, situation.before())?;
    match (offer, stage.family) {
        (Some(offer), Some(Family::Propose)) if revision == Revision::Other => {
            Some(say(format!("{NOT_READ}, or choose one: 1 to {}.", offer.names.len())))
        }
        (None, Some(Family::Book)) if heard(&situation.before()[stage.at..]).next().is_none() => {
            Some(say(DONE))
        }
        _ => None,
    }
}

fn times(today: Option<&LocalDate>, output: &Value) -> Offer {
    let slots = slot::read(output);
    Offer {
        names: slots.iter().map(|slot| slot.names(today)).collect(),
        args: slots.iter().map(|slot| json!({ "event_draft_id": slot.draft })).collect(),
        commit: Family::Book,
    }
}

fn pictures(output: &Value) -> Option<Offer> {
    let variants = output.get("variants")?.as_array()?;
    let names = |variant: &Value| {
        let label = fold(variant.get("label").and_then(Value::as_str).unwrap_or_default());
        label.split_whitespace().map(str::to_owned).collect()
    };
    let args = |variant: &Value| {
        json!({
            "prompt": variant.get("prompt"),
            "negative_prompt": variant.get("negative_prompt"),
            "user_requested": true,
            "sensitive_topics": output.get("sensitive_topics"),
        })
    };
    Some(Offer {
        names: variants.iter().map(names).collect(),
        args: variants.iter().map(args).collect(),
        commit: Family::MakeImage,
    })
}

fn choose(situation: &Situation<'_>, offer: &Offer) -> Option<Vec<ModelAction>> {
    Some(match choice::of(&situation.folded, &offer.names)? {
        Choice::Decline => say(DECLINED),
        Choice::Unclear => say(format!("Which one? Say its number, 1 to {}.", offer.names.len())),
        Choice::Take(at) => commit(situation.tool(offer.commit), offer.args.get(at)?),
    })
}

fn commit(tool: Option<&ToolDeclaration>, args: &Value) -> Vec<ModelAction> {
    tool.map_or_else(|| say(NOT_HERE), |tool| argument::call(tool, args.clone()))
}

/// A yes or a no to a confirmation, which only the person's own approval can resolve.
fn approval(situation: &Situation<'_>, offer: Option<&Offer>) -> Option<Vec<ModelAction>> {
    let CompletedCall { outcome: ToolOutcome::Failed(failed), at, .. } = situation.known.last()?
    else {
        return None;
    };
    let waits = failed.kind == Some(ErrorType::ConfirmationRequired);
    let mut since = situation.heard_since(*at).map(fold);
    if !waits || !since.all(|words| choice::of(&words, &bare(MOST)).is_some()) {
        return None;
    }
    let names = offer.map_or_else(|| bare(1), |offer| offer.names.clone());
    match choice::of(&situation.folded, &names)? {
        Choice::Decline => Some(say(WITHDRAWN)),
        _ => choice::agreed(&situation.folded).then(|| say(NOT_MINE)),
    }
}

/// Words that only choose, when there is no offer.
fn nothing(situation: &Situation<'_>) -> Option<Vec<ModelAction>> {
    let stage =
        last_stage(&situation.known, situation.before()).and_then(|(known, _)| known.family);
    let booked = stage == Some(Family::Book);
    match choice::of(&situation.folded, &bare(MOST))? {
        Choice::Decline if booked && has(&situation.folded, "cancel") => Some(say(BOOKED)),
        Choice::Decline => Some(say(small_talk::ALL_RIGHT)),
        _ if small_talk::is_assent(&situation.folded) => None,
        _ => Some(say(NOTHING_OPEN)),
    }
}

/// Offers that have no names.
fn bare(count: usize) -> Vec<Vec<String>> {
    vec![Vec::new(); count]
}
