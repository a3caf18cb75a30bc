//! Formats dates for reading and speaking.

use serde_json::{Value, json};

use super::say;
use crate::argument;
use crate::date_time;
use crate::extract;
use crate::family::Family;
use crate::request;
use crate::schema::{Parameters, texts};
use crate::situation::{AddressStyle, Situation};
use crate::word::{fold, has, has_any, number as number_word, telling};
use aileron_contract::model_input::ModelAction;

const ASKS: &[&str] = &[
    "format",
    "weekday",
    "what day",
    "which day",
    "day of the week",
    "convert",
    "how long until",
    "how far away is",
    "write out",
    "what date",
    "which date",
    "what is the date",
    "whats the date",
];

/// Words that ask for a format, and words before its name.
const FORMATS: &[&str] = &["format", "convert", "write", "write out", "put"];
const LEADS: &[&str] = &["as", "into", "in", "to"];

/// Words that may accompany the name of a format.
const FORM_WORDS: &[&str] = &[
    "date",
    "day",
    "days",
    "english",
    "form",
    "format",
    "full",
    "style",
    "text",
    "time",
    "timestamp",
    "week",
    "weeks",
    "weekday",
    "words",
];

pub(super) fn claim(situation: &Situation<'_>) -> Option<Vec<ModelAction>> {
    let tool = situation.tool(Family::FormatDate)?;
    if !has_any(&situation.folded, ASKS) {
        return None;
    }
    let value = date_time::moment(&situation.latest, situation.today.as_ref())?;
    let styles = Parameters::new(&tool.parameters).one("style").map(texts).unwrap_or_default();
    if let Some(form) = unknown_form(situation, &styles) {
        return Some(say(format!(
            "I know no form “{form}”. I write dates in English, {}.",
            listed(&styles)
        )));
    }
    let named = styles
        .iter()
        .copied()
        .filter(|style| *style != "date" && *style != "time")
        .find(|style| has(&situation.folded, fold(style).trim()));
    let until =
        has_any(&situation.folded, &["how long until", "how far away is"]).then_some("relative");
    let spoken = (situation.manner == AddressStyle::Spoken).then_some("spoken");
    let style = until.or(named).or(spoken);
    Some(argument::call(
        tool,
        json!({ "value": value, "style": style, "utc_offset": offset(&value) }),
    ))
}

/// The name of a format that the tool does not have: "as a German date".
fn unknown_form(situation: &Situation<'_>, styles: &[&str]) -> Option<String> {
    request::after(request::wish(&situation.folded), FORMATS)?;
    let named = extract::after(&situation.latest, LEADS)?;
    let known = |word: &String| {
        let folded = fold(word);
        let bare = folded.trim();
        let number = bare.starts_with(|letter: char| letter.is_ascii_digit());
        number
            || FORM_WORDS.contains(&bare)
            || styles.contains(&bare)
            || number_word(bare).is_some()
    };
    let words: Vec<String> = telling(named).into_iter().filter(|word| !known(word)).collect();
    (!words.is_empty()).then(|| words.join(" "))
}

/// `as iso, short or long`
fn listed(styles: &[&str]) -> String {
    match styles {
        [] => "in one form".to_owned(),
        [one] => format!("as {one}"),
        [most @ .., last] => format!("as {} or {last}", most.join(", ")),
    }
}

/// The offset the moment was given with.
fn offset(value: &str) -> Option<&str> {
    let at = value.rfind(['+', '-']).filter(|at| *at > 10)?;
    value.get(at..)
}

/// A requested day is shown without a time.
pub(crate) fn formatted(situation: &Situation<'_>, output: &Value) -> Vec<ModelAction> {
    let text = output.get("text").and_then(Value::as_str).or_else(|| output.as_str());
    let text = text.unwrap_or("That date could not be read").trim_end_matches('.');
    let hour = date_time::time(&situation.latest).is_some();
    let text = if hour { text } else { text.trim_end_matches(" at 00:00") };
    say(format!("{text}."))
}
