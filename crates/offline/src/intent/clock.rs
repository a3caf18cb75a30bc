//! Questions for the date and the time, answered from the instructions.

use super::say;
use crate::date_time::LocalDate;
use crate::situation::{AddressStyle, Situation};
use crate::word::{fold, has_any, telling};
use aileron_contract::model_input::ModelAction;

const UNKNOWN: &str = "I was not told the date and the time, and I have no clock of my own.";

const HOURS: &[&str] =
    &["what time is it", "whats the time", "what is the time", "wie spat ist es"];

const DAYS: &[&str] = &[
    "what day is it",
    "what day is today",
    "what is today",
    "whats the date",
    "what is the date",
    "what date is it",
    "what date is today",
    "todays date",
    "which day is it",
    "welcher tag ist heute",
];

/// The words of a question for the date or the time. With any other word, it is about something
/// else.
const WORDS: &[&str] = &[
    "current",
    "currently",
    "date",
    "day",
    "exact",
    "heute",
    "hour",
    "right",
    "spat",
    "tag",
    "time",
    "today",
    "todays",
    "welcher",
    "week",
];

pub(super) fn claim(situation: &Situation<'_>) -> Option<Vec<ModelAction>> {
    let hour = has_any(&situation.folded, HOURS);
    let about_it = |word: &String| WORDS.contains(&fold(word).trim());
    if (!hour && !has_any(&situation.folded, DAYS))
        || !telling(&situation.latest).iter().all(about_it)
    {
        return None;
    }
    let Some(today) = &situation.today else { return Some(say(UNKNOWN)) };
    let told = match clock(today).filter(|_| hour) {
        Some(clock) => format!("{clock} on {}", today.date.strftime("%A, %-d %B %Y")),
        None => today.date.strftime("%A, %-d %B %Y").to_string(),
    };
    // In voice, the instructions contain the time only once, from when the session began.
    Some(say(match situation.manner {
        AddressStyle::Written => format!("It is {told}."),
        AddressStyle::Spoken => format!("When this session began, it was {told}."),
    }))
}

fn clock(today: &LocalDate) -> Option<String> {
    let zone = match today.offset.as_str() {
        "Z" | "+00:00" => "UTC".to_owned(),
        offset => format!("UTC{offset}"),
    };
    today.time.map(|time| format!("{} {zone}", time.strftime("%H:%M")))
}
