//! Questions: search first, read the best hit where the passage does not answer, then answer from
//! what was found and nothing else.

use serde_json::{Map, Value, json};

use super::say;
use crate::brain::Step;
use crate::offline::argument;
use crate::offline::evidence::{self, Evidence};
use crate::offline::extract;
use crate::offline::family::Family;
use crate::offline::outcome::Outcome;
use crate::offline::schema::{Parameters, texts};
use crate::offline::view::View;
use crate::offline::word::{has, has_any, stems, telling};

const NOTHING: &str =
    "I found nothing about that in the knowledge base, and I do not answer from anything else.";
const NO_SUCH: &str = "There is no such record";
const NO_SEARCH: &str = "I cannot look anything up here.";

/// Questions that a passage seldom answers.
const WANTS_MORE: &[&str] = &[
    "how",
    "why",
    "explain",
    "tell me about",
    "details",
    "what happened",
    "describe",
    "more about",
    "summary",
    "policy",
];

/// Words that stand for what was spoken of before.
const PRONOUNS: &[&str] = &[
    "he",
    "she",
    "her",
    "his",
    "him",
    "it",
    "its",
    "they",
    "them",
    "their",
    "that project",
    "this project",
];

const LONGEST_QUERY: usize = 200;

/// A record that is named by its id is read.
pub(super) fn claim_id(view: &View<'_>) -> Option<Vec<Step>> {
    let tool = view.tool(Family::Read)?;
    let ids = extract::record_ids(&view.latest);
    (!ids.is_empty()).then(|| argument::call(tool, json!({ "ids": ids })))
}

pub(super) fn claim(view: &View<'_>) -> Option<Vec<Step>> {
    if let Some(steps) = follow_up(view) {
        return Some(steps);
    }
    let words = telling(&view.words);
    let Some(tool) = view.tool(Family::Search) else {
        return view.tool(Family::Read).is_some().then(|| say(NO_SEARCH));
    };
    if words.is_empty() {
        return None;
    }
    Some(argument::call(tool, args(view, &words, tool)))
}

/// A question about what was found before, such as "what is her email?".
fn follow_up(view: &View<'_>) -> Option<Vec<Step>> {
    let tool = view.tool(Family::Read)?;
    let named = !extract::names(&view.latest).is_empty();
    if named || !has_any(&view.folded, PRONOUNS) || telling(&view.latest).len() > 4 {
        return None;
    }
    let id = last_id(view)?;
    Some(argument::call(tool, json!({ "ids": [id] })))
}

fn last_id(view: &View<'_>) -> Option<String> {
    let done = view
        .known
        .iter()
        .rev()
        .filter(|known| matches!(known.family, Some(Family::Search | Family::Read)));
    done.into_iter().find_map(|known| match &known.outcome {
        Outcome::Done(output) => evidence::read(output).into_iter().next().map(|record| record.id),
        Outcome::Failed(_) => None,
    })
}

fn args(view: &View<'_>, words: &[String], tool: &crate::brain::Declared) -> Value {
    let query: String = words.join(" ").chars().take(LONGEST_QUERY).collect();
    let mut args = Map::new();
    args.insert("query".into(), query.into());
    let parameters = Parameters::new(&tool.parameters);
    let namespaces = parameters.one("namespace").map(texts).unwrap_or_default();
    let named = namespaces.into_iter().find(|name| *name != "studio" && has(&view.folded, name));
    args.extend(named.map(|name| ("namespace".into(), name.into())));
    Value::Object(args)
}

/// What a search found: asked for in fewer words, read, or told.
pub(in crate::offline) fn found(view: &View<'_>, output: &Value) -> Vec<Step> {
    let records = evidence::read(output);
    let Some(first) = records.first() else { return again(view) };
    let read = view
        .tool(Family::Read)
        .filter(|_| view.tries(Family::Read) == 0 && needs_more(view, first));
    match read {
        Some(tool) => argument::call(tool, json!({ "ids": [first.id] })),
        None => tell(view, &records),
    }
}

fn tell(view: &View<'_>, records: &[Evidence]) -> Vec<Step> {
    say(evidence::answer(view, records).unwrap_or_else(|| NOTHING.to_owned()))
}

/// Whether the passage leaves words of the question open, or the question wants a whole text.
fn needs_more(view: &View<'_>, first: &Evidence) -> bool {
    let wanted = stems(&view.words);
    first.text.is_empty()
        || has_any(&view.folded, WANTS_MORE)
        || first.overlap(&wanted) < wanted.len()
}

/// The longest words alone, once.
fn again(view: &View<'_>) -> Vec<Step> {
    let mut words = telling(&view.words);
    let few = words.len() <= 2;
    words.sort_by_key(|word| std::cmp::Reverse(word.chars().count()));
    words.truncate(2);
    match view.tool(Family::Search) {
        Some(tool) if view.tries(Family::Search) < 2 && !few => {
            argument::call(tool, args(view, &words, tool))
        }
        _ => say(NOTHING),
    }
}

/// What was read, with what the search before it found to read on.
pub(in crate::offline) fn was_read(view: &View<'_>, output: &Value) -> Vec<Step> {
    let mut records = evidence::read(output);
    if records.is_empty() {
        return say(missing(output));
    }
    let before =
        view.known.iter().filter(|known| known.recent && known.family == Some(Family::Search));
    for known in before {
        let Outcome::Done(output) = &known.outcome else { continue };
        let more = evidence::read(output)
            .into_iter()
            .filter(|record| !records.iter().any(|known| known.id == record.id));
        let more: Vec<Evidence> = more.collect();
        records.extend(more);
    }
    tell(view, &records)
}

fn missing(output: &Value) -> String {
    let first = output.get("missing").and_then(|missing| missing.get(0));
    let closest = first.and_then(|missing| missing.get("closest")?.as_array());
    let closest: Vec<&str> = closest.into_iter().flatten().filter_map(Value::as_str).collect();
    match closest.as_slice() {
        [] => format!("{NO_SUCH}."),
        closest => format!("{NO_SUCH}. The closest ids are {}.", closest.join(", ")),
    }
}

/// An answer from the passages, when a record could not be read.
pub(in crate::offline) fn from_what_is_known(view: &View<'_>) -> Option<String> {
    let searches =
        view.known.iter().filter(|known| known.recent && known.family == Some(Family::Search));
    let done = searches.into_iter().find_map(|known| match &known.outcome {
        Outcome::Done(output) => Some(evidence::read(output)),
        Outcome::Failed(_) => None,
    });
    evidence::answer(view, &done?)
}
