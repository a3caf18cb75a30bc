//! Dates as people read and say them.

use serde_json::{Value, json};

use super::say;
use crate::brain::Step;
use crate::offline::argument;
use crate::offline::family::Family;
use crate::offline::schema::{Parameters, texts};
use crate::offline::view::{Manner, View};
use crate::offline::when;
use crate::offline::word::{fold, has, has_any};

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
];

pub(super) fn claim(view: &View<'_>) -> Option<Vec<Step>> {
    let tool = view.tool(Family::FormatDate)?;
    if !has_any(&view.folded, ASKS) {
        return None;
    }
    let value = when::moment(&view.latest, view.today.as_ref())?;
    let styles = Parameters::new(&tool.parameters).one("style").map(texts).unwrap_or_default();
    let named = styles
        .iter()
        .copied()
        .filter(|style| *style != "date" && *style != "time")
        .find(|style| has(&view.folded, fold(style).trim()));
    let until = has_any(&view.folded, &["how long until", "how far away is"]).then_some("relative");
    let spoken = (view.manner == Manner::Spoken).then_some("spoken");
    let style = until.or(named).or(spoken);
    Some(argument::call(
        tool,
        json!({ "value": value, "style": style, "utc_offset": offset(&value) }),
    ))
}

/// The offset the moment was given with.
fn offset(value: &str) -> Option<&str> {
    let at = value.rfind(['+', '-']).filter(|at| *at > 10)?;
    value.get(at..)
}

/// A day that was asked for has no hour.
pub(in crate::offline) fn formatted(view: &View<'_>, output: &Value) -> Vec<Step> {
    let text = output.get("text").and_then(Value::as_str).or_else(|| output.as_str());
    let text = text.unwrap_or("That date could not be read").trim_end_matches('.');
    let hour = when::time(&view.latest).is_some();
    let text = if hour { text } else { text.trim_end_matches(" at 00:00") };
    say(format!("{text}."))
}
