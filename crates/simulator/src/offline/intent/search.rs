//! Questions: search first, read the best hit where the passage does not answer, then answer from
//! what was found and nothing else.

use serde_json::{Map, Value, json};

use super::say;
use crate::brain::{Asked, Declared, Step};
use crate::offline::answer::{self, CITATION_END, CITATION_START, Reading, TITLE_MARKS};
use crate::offline::argument;
use crate::offline::evidence::{self, Evidence};
use crate::offline::extract;
use crate::offline::family::Family;
use crate::offline::outcome::Outcome;
use crate::offline::question::{Asks, PLACE, Question};
use crate::offline::schema::{Parameters, texts};
use crate::offline::view::{Manner, View};
use crate::offline::word::{has, has_any, meanings, stem, telling};

const NOTHING: &str =
    "I found nothing about that in the knowledge base, and I do not answer from anything else.";
const NO_SUCH: &str = "There is no such record";
const NO_SEARCH: &str = "I cannot look anything up here.";

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

/// Those of them that stand for somebody.
const OF_PEOPLE: &[&str] = &["he", "she", "her", "his", "him"];

/// What asks to read on.
const READ_ON: &[&str] = &["tell me more", "more", "more please", "more details", "go on"];

const LONGEST_QUERY: usize = 200;

/// How many records are read, the most promising first.
const MOST_READ: usize = 3;

/// How many records are listed.
const MOST_LISTED: u8 = 10;

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
    let Some(tool) = view.tool(Family::Search) else {
        return view.tool(Family::Read).is_some().then(|| say(NO_SEARCH));
    };
    let words = words(view);
    (!words.is_empty()).then(|| argument::call(tool, args(view, &words, tool)))
}

/// What is searched for. One word says too little of a place.
fn words(view: &View<'_>) -> Vec<String> {
    let mut words = telling(&view.words);
    if words.len() == 1 && Question::of(&view.words).asks == Asks::Place {
        words.push(PLACE.to_owned());
    }
    words
}

/// A question about what was found before, such as "what is her email?".
fn follow_up(view: &View<'_>) -> Option<Vec<Step>> {
    let tool = view.tool(Family::Read)?;
    let named = !extract::names(&view.latest).is_empty();
    let asked = has_any(&view.folded, PRONOUNS) && telling(&view.latest).len() <= 4;
    if named || !(asked || READ_ON.contains(&view.folded.trim())) {
        return None;
    }
    let id = last_id(view)?;
    Some(argument::call(tool, json!({ "ids": [id] })))
}

/// The record that the last answer rests on which rests on one; for "her" and "his", the first
/// person that an answer names.
fn last_id(view: &View<'_>) -> Option<String> {
    let somebody = has_any(&view.folded, OF_PEOPLE);
    let person = |id: &&str| id.starts_with("person:");
    let mut said = view.said_before();
    let named = said.find_map(|said| cited(said).find(person).map(str::to_owned));
    let first = |said: &str| cited(said).next().map(str::to_owned).or_else(|| titled(view, said));
    named.filter(|_| somebody).or_else(|| view.said_before().find_map(first))
}

/// The ids of the records that an answer cites.
fn cited(said: &str) -> impl Iterator<Item = &str> {
    let behind = said.split(CITATION_START).skip(1);
    behind.filter_map(|rest| rest.split_once(CITATION_END).map(|(id, _)| id))
}

/// The record whose title was named.
fn titled(view: &View<'_>, said: &str) -> Option<String> {
    let [open, close] = TITLE_MARKS;
    let outputs =
        view.known.iter().rev().filter_map(|known| match (known.family, &known.outcome) {
            (Some(Family::Search | Family::Read), Outcome::Done(output)) => Some(output),
            _ => None,
        });
    let mut records = outputs.flat_map(evidence::read);
    let named = records.find(|record| said.contains(&format!("{open}{}{close}", record.title)));
    named.map(|record| record.id)
}

fn args(view: &View<'_>, words: &[String], tool: &Declared) -> Value {
    let named = others(tool).into_iter().find(|name| has(&view.folded, name));
    let mut args = in_namespace(words, named);
    if let Some(kind) = kind(view, tool) {
        args.insert("filters".into(), json!({ "type": kind }));
        args.insert("top_k".into(), MOST_LISTED.into());
    }
    Value::Object(args)
}

/// The kind of records that are asked for as such: "which projects are there?"
fn kind<'a>(view: &View<'_>, tool: &'a Declared) -> Option<&'a str> {
    let wanted = meanings(&view.words);
    let [only] = wanted.as_slice() else { return None };
    let parameters = Parameters::new(&tool.parameters);
    let kinds = parameters.one("filters")?.get("properties")?.get("type")?;
    texts(parameters.resolve(kinds)).into_iter().find(|kind| stem(kind) == *only)
}

fn in_namespace(words: &[String], namespace: Option<&str>) -> Map<String, Value> {
    let query: String = words.join(" ").chars().take(LONGEST_QUERY).collect();
    let mut args = Map::new();
    args.insert("query".into(), query.into());
    args.extend(namespace.map(|name| ("namespace".into(), name.into())));
    args
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
    let listed = view.tool(Family::Search).and_then(|tool| kind(view, tool));
    if listed.is_some() && !records.is_empty() {
        return say(answer::list(view.manner, &records));
    }
    let question = Question::of(&view.words);
    let rough = answer::best(&question, &records, Reading::Roughly, 1);
    if rough.is_none()
        && let Some(steps) = again(view)
    {
        return steps;
    }
    if records.is_empty() {
        return say(NOTHING);
    }
    let told = answer::best(&question, &records, Reading::InFull, 1);
    let enough = told.is_some_and(|told| told.is_complete(&question)) && !question.wants_more;
    let may_read = view.tries(Family::Read) == 0 && !enough;
    let Some(tool) = view.tool(Family::Read).filter(|_| may_read) else {
        return tell(view, &records);
    };
    let promising = rough.and_then(|rough| records.get(rough.at)).map(|record| &record.id);
    let others = records.iter().map(|record| &record.id).filter(|id| Some(*id) != promising);
    let ids: Vec<&String> = promising.into_iter().chain(others).take(MOST_READ).collect();
    argument::call(tool, json!({ "ids": ids }))
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
    say(answer::tell(view, records).unwrap_or_else(|| NOTHING.to_owned()))
}

/// A second round, once: elsewhere, and in fewer words. While talking, in fewer words alone.
fn again(view: &View<'_>) -> Option<Vec<Step>> {
    let tool = view.tool(Family::Search).filter(|_| view.tries(Family::Search) == 1)?;
    let words = words(view);
    let named = others(tool).into_iter().any(|name| has(&view.folded, name));
    let stays = named || view.manner == Manner::Spoken;
    let elsewhere = if stays { Vec::new() } else { others(tool) };
    let mut queries: Vec<Value> =
        elsewhere.into_iter().map(|name| Value::Object(in_namespace(&words, Some(name)))).collect();
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

/// What was read, with what the searches before it found to read on. A record that does not answer
/// a question about it leaves the question to a search.
pub(in crate::offline) fn was_read(view: &View<'_>, output: &Value) -> Vec<Step> {
    let read = evidence::read(output);
    if read.is_empty() {
        return say(missing(output));
    }
    let question = Question::of(&view.words);
    let most = answer::most(view.manner);
    let unanswered = answer::best(&question, &read, Reading::InFull, most).is_none();
    let search = view.tool(Family::Search).filter(|_| view.tries(Family::Search) == 0);
    if let Some(tool) = search.filter(|_| unanswered) {
        return argument::call(tool, args(view, &words(view), tool));
    }
    tell(view, &in_full(evidence_so_far(view), read))
}

/// The records that were found, those that were read as they were read.
fn in_full(found: Vec<Evidence>, read: Vec<Evidence>) -> Vec<Evidence> {
    let mut records = found;
    for full in read {
        match records.iter_mut().find(|known| known.id == full.id) {
            Some(known) => *known = Evidence { score: known.score, ..full },
            None => records.push(full),
        }
    }
    records
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
    answer::tell(view, &evidence_so_far(view))
}
