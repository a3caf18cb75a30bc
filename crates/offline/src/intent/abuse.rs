//! Abuse of the agent: one warning, then a block that grows. Threats, hate and sexual harassment
//! are blocked without a warning.

mod offence;

pub(crate) use offence::without_insults;

use offence::Offence;
use serde_json::json;

use super::say;
use crate::argument;
use crate::family::Family;
use crate::situation::{CompletedCall, Situation};
use aileron_contract::model_input::{HistoryItem, ModelAction};

const WARNING: &str =
    "I would like to help, but not in this tone. If it goes on, I will end the conversation.";
const FAREWELL: &str = "I asked for a civil tone. We can talk again in a minute.";
const AGAIN: &str =
    "This is not the first time. I am closing the conversation for fifteen minutes.";
const THREATENED: &str = "I do not continue after a threat. This conversation is closed for a day.";
const HATED: &str = "I do not continue after hate. This conversation is closed for a day.";
const HARASSED: &str =
    "I do not continue after sexual harassment. This conversation is closed for a day.";
const NO_BLOCK: &str = "I will not answer in this tone.";

const MINUTE: u32 = 60;
const DAY: u32 = 86_400;

pub(super) fn claim(situation: &Situation<'_>) -> Option<Vec<ModelAction>> {
    let offence = offence::of(&situation.folded)?;
    if offence == Offence::Insult && !is_warned(situation) {
        return Some(warn(situation));
    }
    let Some(tool) = situation.tool(Family::Block) else { return Some(say(NO_BLOCK)) };
    let before = situation.last_done(Family::Block).is_some();
    let (seconds, farewell, reason) = match (offence, before) {
        (Offence::Threat, _) => (DAY, THREATENED, "threat"),
        (Offence::Hate, _) => (DAY, HATED, "hate"),
        (Offence::SexualHarassment, _) => (DAY, HARASSED, "harassment"),
        (Offence::Insult, true) => (15 * MINUTE, AGAIN, "harassment"),
        (Offence::Insult, false) => (MINUTE, FAREWELL, "disrespect"),
    };
    let args =
        json!({ "duration_seconds": seconds, "farewell_message": farewell, "reason": reason });
    Some(argument::call(tool, args))
}

fn is_warned(situation: &Situation<'_>) -> bool {
    let warned =
        |item: &HistoryItem| matches!(item, HistoryItem::Said { text } if text.contains(WARNING));
    situation.input.items.iter().any(warned)
}

/// Asks for a civil tone, and answers the question if there is one.
fn warn(situation: &Situation<'_>) -> Vec<ModelAction> {
    let matter = if situation.latest.contains('?') {
        super::search::claim(situation).unwrap_or_default()
    } else {
        Vec::new()
    };
    match matter.as_slice() {
        [ModelAction::Say(text)] => say(format!("{WARNING} {text}")),
        _ => say(WARNING).into_iter().chain(matter).collect(),
    }
}

/// The farewell is the last message.
pub(crate) fn blocked(known: &CompletedCall) -> Vec<ModelAction> {
    let farewell = known.args.get("farewell_message").and_then(|text| text.as_str());
    say(farewell.unwrap_or(FAREWELL))
}
