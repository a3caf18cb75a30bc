//! Handles results: each family of tools has its own rules.

use aileron_contract::ErrorType;
use serde_json::Value;

use super::failure;
use super::family::Family;
use super::intent::{abuse, contacts, date, draw, rank, schedule, search, voice};
use super::outcome::ToolOutcome;
use super::situation::{CompletedCall, Situation};
use aileron_contract::model_input::{ModelAction, PlannedCall};

/// How many values of a result that no rule knows are listed.
const MOST_VALUES: usize = 8;

/// The actions after results: one text about all of them, then the next calls.
pub(super) fn follow(situation: &Situation<'_>, results: &[CompletedCall]) -> Vec<ModelAction> {
    let mut said: Vec<String> = Vec::new();
    let mut calls: Vec<PlannedCall> = Vec::new();
    for step in steps(situation, results) {
        match step {
            ModelAction::Say(text) if said.contains(&text) => {}
            ModelAction::Say(text) => said.push(text),
            ModelAction::Call(more) => calls.extend(more),
            ModelAction::Think(_) => {}
        }
    }
    let said = (!said.is_empty()).then(|| ModelAction::Say(said.join("\n\n")));
    let calls = (!calls.is_empty()).then_some(ModelAction::Call(calls));
    said.into_iter().chain(calls).collect()
}

fn steps(situation: &Situation<'_>, results: &[CompletedCall]) -> Vec<ModelAction> {
    let done = |known: &CompletedCall| matches!(known.outcome, ToolOutcome::Done(_));
    let is_search = |known: &CompletedCall| known.family == Some(Family::Search);
    if results.iter().any(is_search) && schedule::is_wanted(situation) {
        return schedule::with_people(situation, results);
    }
    // The searches of one message belong together; a failed one matters only if all failed.
    let found = results.iter().any(|known| is_search(known) && done(known));
    let together = if found { search::found(situation) } else { Vec::new() };
    let others = results.iter().filter(|known| !found || !is_search(known));
    together.into_iter().chain(others.flat_map(|known| one(situation, known))).collect()
}

fn one(situation: &Situation<'_>, known: &CompletedCall) -> Vec<ModelAction> {
    let output = match &known.outcome {
        ToolOutcome::Done(output) => output,
        ToolOutcome::Failed(failed) => {
            let full = failed.kind == Some(ErrorType::Conflict);
            let unfit = known.family == Some(Family::Propose) && full;
            if let Some(steps) = schedule::nothing_fits(known).filter(|_| unfit) {
                return steps;
            }
            let from_before = search::from_what_is_known(situation)
                .filter(|_| known.family == Some(Family::Read));
            let told = from_before
                .unwrap_or_else(|| failure::explain(&known.tool, failed, situation.manner));
            return vec![ModelAction::Say(told)];
        }
    };
    match known.family {
        Some(Family::Search) => search::found(situation),
        Some(Family::Read) => search::was_read(situation, output),
        Some(Family::Propose) => schedule::proposed(situation, known, output),
        Some(Family::Book) => schedule::booked(output),
        Some(Family::DraftImage) => draw::drafted(output),
        Some(Family::MakeImage) => draw::made(situation, known, output),
        Some(Family::ShowImage) => draw::shown(output),
        Some(Family::Contacts) => contacts::extracted(output),
        Some(Family::FormatDate) => date::formatted(situation, output),
        Some(Family::Rank) => rank::ranked(output),
        Some(Family::EndVoice) => voice::ended(),
        Some(Family::StartVoice) => voice::started(),
        Some(Family::Block) => abuse::blocked(known),
        Some(Family::Guide) | None => vec![ModelAction::Say(plain(&known.tool, output))],
    }
}

/// A result that no rule knows, value by value.
fn plain(tool: &str, output: &Value) -> String {
    let what = tool.replace(['_', '-'], " ");
    let mut values = Vec::new();
    flatten("", output, &mut values);
    let more = values.len().saturating_sub(MOST_VALUES);
    values.truncate(MOST_VALUES);
    let values = if values.is_empty() { "done".to_owned() } else { values.join(", ") };
    let more = if more == 0 { String::new() } else { format!(", and {more} more values") };
    format!("Result of {what}: {values}{more}.")
}

fn flatten(path: &str, value: &Value, out: &mut Vec<String>) {
    let named =
        |text: &str| if path.is_empty() { text.to_owned() } else { format!("{path} {text}") };
    match value {
        Value::Null => {}
        Value::Bool(flag) => out.push(named(if *flag { "yes" } else { "no" })),
        Value::Number(number) => out.push(named(&number.to_string())),
        Value::String(text) => out.push(named(text)),
        Value::Array(values) => values.iter().for_each(|value| flatten(path, value, out)),
        Value::Object(fields) => fields.iter().for_each(|(name, value)| {
            let name = name.replace('_', " ");
            let path = if path.is_empty() { name } else { format!("{path} {name}") };
            flatten(&path, value, out);
        }),
    }
}
