//! Questions: search first, read the best hit where the passage does not answer, then answer from
//! what was found and nothing else.

use serde_json::{Map, Value, json};

use super::say;
use crate::brain::{Asked, Declared, Step};
use crate::offline::argument;
use crate::offline::evidence::{self, Evidence};
use crate::offline::extract;
use crate::offline::family::Family;
use crate::offline::outcome::Outcome;
use crate::offline::schema::{Parameters, texts};
use crate::offline::view::{Manner, View};
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

fn args(view: &View<'_>, words: &[String], tool: &Declared) -> Value {
    let named = others(tool).into_iter().find(|name| has(&view.folded, name));
    in_namespace(words, named)
}

fn in_namespace(words: &[String], namespace: Option<&str>) -> Value {
    let query: String = words.join(" ").chars().take(LONGEST_QUERY).collect();
    let mut args = Map::new();
    args.insert("query".into(), query.into());
    args.extend(namespace.map(|name| ("namespace".into(), name.into())));
    Value::Object(args)
}

/// The namespaces beside the one that is searched when none is named.
fn others(tool: &Declared) -> Vec<&str> {
    let schema = Parameters::new(&tool.parameters).one("namespace");
    let usual = schema.and_then(|schema| schema.get("default")?.as_str()).unwrap_or("studio");
    schema.map(texts).unwrap_or_default().into_iter().filter(|name| *name != usual).collect()
}

/// What the searches found: looked for elsewhere, read, or told.
pub(in crate::offline) fn found(view: &View<'_>) -> Vec<Step> {
    let records = evidence_so_far(view);
    let wanted = stems(&view.words);
    let weak = records.first().is_none_or(|first| first.overlap(&wanted) * 2 <= wanted.len());
    if let Some(steps) = again(view).filter(|_| weak) {
        return steps;
    }
    let Some(first) = records.first() else { return say(NOTHING) };
    let may_read = view.tries(Family::Read) == 0 && needs_more(view, first);
    match view.tool(Family::Read).filter(|_| may_read) {
        Some(tool) => argument::call(tool, json!({ "ids": [first.id] })),
        None => tell(view, &records),
    }
}

/// What was found for these words, the best first, each record once.
fn evidence_so_far(view: &View<'_>) -> Vec<Evidence> {
    let searches = view.known.iter();
    let searches = searches.filter(|known| known.recent && known.family == Some(Family::Search));
    let mut records: Vec<Evidence> = Vec::new();
    for known in searches {
        let Outcome::Done(output) = &known.outcome else { continue };
        add(&mut records, evidence::read(output));
    }
    let relevance = |record: &Evidence| record.relevance(&view.words);
    records.sort_by(|one, other| relevance(other).total_cmp(&relevance(one)));
    records
}

fn add(records: &mut Vec<Evidence>, more: Vec<Evidence>) {
    for record in more {
        if !records.iter().any(|known| known.id == record.id) {
            records.push(record);
        }
    }
}

fn tell(view: &View<'_>, records: &[Evidence]) -> Vec<Step> {
    say(evidence::answer(view, records).unwrap_or_else(|| NOTHING.to_owned()))
}

/// Whether the passage leaves words of the question open, or the question wants a whole text.
fn needs_more(view: &View<'_>, first: &Evidence) -> bool {
    let wanted = stems(&view.words);
    let open = first.overlap(&wanted) < wanted.len();
    first.text.is_empty() || first.is_cut() || open || has_any(&view.folded, WANTS_MORE)
}

/// A second round, once: elsewhere, and in fewer words. While talking, in fewer words alone.
fn again(view: &View<'_>) -> Option<Vec<Step>> {
    let tool = view.tool(Family::Search).filter(|_| view.tries(Family::Search) == 1)?;
    let words = telling(&view.words);
    let named = others(tool).into_iter().any(|name| has(&view.folded, name));
    let stays = named || view.manner == Manner::Spoken;
    let elsewhere = if stays { Vec::new() } else { others(tool) };
    let mut queries: Vec<Value> =
        elsewhere.into_iter().map(|name| in_namespace(&words, Some(name))).collect();
    if words.len() > 2 && evidence_so_far(view).is_empty() {
        queries.push(args(view, &longest(words), tool));
    }
    let steps = queries.into_iter().flat_map(|args| argument::call(tool, args));
    let calls: Vec<Asked> = steps.filter_map(calls_of).flatten().collect();
    (!calls.is_empty()).then(|| vec![Step::Call(calls)])
}

/// The two longest words, which are seldom the least telling.
fn longest(mut words: Vec<String>) -> Vec<String> {
    words.sort_by_key(|word| std::cmp::Reverse(word.chars().count()));
    words.truncate(2);
    words
}

fn calls_of(step: Step) -> Option<Vec<Asked>> {
    match step {
        Step::Call(calls) => Some(calls),
        Step::Say(_) | Step::Think(_) => None,
    }
}

/// What was read, with what the searches before it found to read on.
pub(in crate::offline) fn was_read(view: &View<'_>, output: &Value) -> Vec<Step> {
    let mut records = evidence::read(output);
    if records.is_empty() {
        return say(missing(output));
    }
    add(&mut records, evidence_so_far(view));
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
    evidence::answer(view, &evidence_so_far(view))
}
