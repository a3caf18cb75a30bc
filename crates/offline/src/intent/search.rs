//! Questions: search first, read the best hit if the passage does not answer, then answer only from
//! the records found.

use aileron_contract::ErrorType;
use serde_json::{Map, Value, json};

use super::say;
use crate::ambiguity;
use crate::answer::{self, QuoteStrictness, RecordAnswer};
use crate::argument;
use crate::citation::{TITLE_MARKS, cited};
use crate::evidence::{self, Evidence};
use crate::extract;
use crate::family::Family;
use crate::outcome::ToolOutcome;
use crate::question::{ExpectedAnswer, PLACE, ParsedQuestion};
use crate::schema::{Parameters, texts};
use crate::situation::{AddressStyle, Situation};
use crate::word::{has, has_any, meanings, stem, telling};
use aileron_contract::model_input::{ModelAction, PlannedCall, ToolDeclaration};

const NOTHING: &str =
    "I found nothing about that in the knowledge base, and I do not answer from anything else.";
const NO_SUCH: &str = "There is no such record";
const NO_SEARCH: &str = "I cannot look anything up here.";

const WHO: &str = "Who do you mean? I still need the name.";
const WHAT: &str = "What do you mean? I still need the name of it.";

/// Words that refer to an earlier subject.
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

/// Words that refer to it at the end of a question: "who leads that?"
const LAST: &[&str] = &[" that ", " this ", " that one ", " this one "];

/// Those of them that refer to a person.
const OF_PEOPLE: &[&str] = &["he", "she", "her", "his", "him"];

/// Phrases that ask to read on.
const READ_ON: &[&str] = &["tell me more", "more", "more please", "more details", "go on"];

const LONGEST_QUERY: usize = 200;

/// The maximum number of records to read, the most promising first.
const MOST_READ: usize = 3;

/// Namespaces that belong to one person, and phrases in instructions for an anonymous person.
const OWN: &[&str] = &["personal", "private"];
const GUEST: &str = "not signed in";

const KINDS: &[&str] = &["project", "person", "process", "link", "doc"];

/// How many records are listed.
const MOST_LISTED: u8 = 10;

/// A record that is named by its id is read.
pub(super) fn claim_id(situation: &Situation<'_>) -> Option<Vec<ModelAction>> {
    let tool = situation.tool(Family::Read)?;
    let ids = extract::record_ids(&situation.latest);
    (!ids.is_empty()).then(|| argument::call(tool, json!({ "ids": ids })))
}

pub(super) fn claim(situation: &Situation<'_>) -> Option<Vec<ModelAction>> {
    if let Some(steps) = follow_up(situation) {
        return Some(steps);
    }
    let Some(tool) = situation.tool(Family::Search) else {
        return situation.tool(Family::Read).is_some().then(|| say(NO_SEARCH));
    };
    let words = words(situation);
    (!words.is_empty()).then(|| argument::call(tool, args(situation, &words, tool)))
}

/// The words to search for. One word is too little for a place.
fn words(situation: &Situation<'_>) -> Vec<String> {
    let mut words = telling(&situation.words);
    if words.len() == 1 && ParsedQuestion::of(&situation.words).asks == ExpectedAnswer::Place {
        words.push(PLACE.to_owned());
    }
    words
}

/// How a message refers to an earlier subject.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reference {
    /// By a word that stands for it: "what is her email?"
    Stated,
    /// Possibly by leaving it out: "how much is the budget?"
    Implied,
}

fn reference(situation: &Situation<'_>) -> Option<Reference> {
    let words = telling(&situation.latest).len();
    let named = !extract::names(&situation.latest).is_empty()
        || !extract::record_ids(&situation.latest).is_empty()
        || situation.tool(Family::Search).is_some_and(|tool| kind(situation, tool).is_some());
    if named || situation.words != situation.latest {
        return None;
    }
    let stands = has_any(&situation.folded, PRONOUNS)
        || LAST.iter().any(|last| situation.folded.ends_with(last));
    if (stands && words <= 4) || READ_ON.contains(&situation.folded.trim()) {
        return Some(Reference::Stated);
    }
    // In voice, one more lookup takes too long.
    let goes_on = situation.folded.starts_with(" and ");
    let most = match situation.manner {
        AddressStyle::Spoken => 1,
        AddressStyle::Written if goes_on => 3,
        AddressStyle::Written => 2,
    };
    // "Tell me about the review" names what it is about.
    let short = (1..=most).contains(&words) && !has(&situation.folded, "about");
    let answered = situation.said_before().next().is_some_and(|said| is_told(situation, said));
    (short && answered).then_some(Reference::Implied)
}

/// Whether an answer cites a record.
fn is_told(situation: &Situation<'_>, said: &str) -> bool {
    cited(said).next().is_some() || titled(situation, said).is_some()
}

/// A question about an earlier subject. If a pronoun refers to a person and none was mentioned, the
/// agent asks whom it means.
fn follow_up(situation: &Situation<'_>) -> Option<Vec<ModelAction>> {
    let tool = situation.tool(Family::Read)?;
    let reference = reference(situation)?;
    match last_id(situation) {
        Some(id) => Some(argument::call(tool, json!({ "ids": [id] }))),
        None if reference == Reference::Stated => unknown(situation),
        None => None,
    }
}

/// Asks whom or what a word refers to.
fn unknown(situation: &Situation<'_>) -> Option<Vec<ModelAction>> {
    let words = telling(&situation.latest).len();
    let somebody = has_any(&situation.folded, OF_PEOPLE) && words <= 3;
    let something = has_any(&situation.folded, &["it", "its"]) && words == 1;
    match (somebody, something) {
        (true, _) => Some(say(WHO)),
        (_, true) => Some(say(WHAT)),
        _ => None,
    }
}

/// The record that the last answer with a citation cites; for "her" and "his", the first person
/// that an answer names.
fn last_id(situation: &Situation<'_>) -> Option<String> {
    let somebody = has_any(&situation.folded, OF_PEOPLE);
    let person = |id: &&str| id.starts_with("person:");
    let mut said = situation.said_before();
    let named = said.find_map(|said| cited(said).find(person).map(str::to_owned));
    let first =
        |said: &str| cited(said).next().map(str::to_owned).or_else(|| titled(situation, said));
    named.filter(|_| somebody).or_else(|| situation.said_before().find_map(first))
}

/// The record whose title was named.
fn titled(situation: &Situation<'_>, said: &str) -> Option<String> {
    let [open, close] = TITLE_MARKS;
    let outputs =
        situation.known.iter().rev().filter_map(|known| match (known.family, &known.outcome) {
            (Some(Family::Search | Family::Read), ToolOutcome::Done(output)) => Some(output),
            _ => None,
        });
    let mut records = outputs.flat_map(evidence::read);
    let named = records.find(|record| said.contains(&format!("{open}{}{close}", record.title)));
    named.map(|record| record.id)
}

fn args(situation: &Situation<'_>, words: &[String], tool: &ToolDeclaration) -> Value {
    let named = others(tool).into_iter().find(|name| has(&situation.folded, name));
    let mut args = in_namespace(words, named);
    if let Some(kind) = kind(situation, tool) {
        args.insert("filters".into(), json!({ "type": kind }));
        args.insert("top_k".into(), MOST_LISTED.into());
        args.insert("min_score".into(), 0.into());
    } else if words.len() == 1 {
        // One word may match many records.
        args.insert("top_k".into(), MOST_LISTED.into());
    }
    Value::Object(args)
}

/// The kind of records that are asked for as such: "which projects are there?"
fn kind<'a>(situation: &Situation<'_>, tool: &'a ToolDeclaration) -> Option<&'a str> {
    let wanted = meanings(&situation.words);
    let [only] = wanted.as_slice() else { return None };
    kinds(tool).into_iter().find(|kind| stem(kind) == *only)
}

/// The kinds of records that can be asked for: those that the search lists, or the usual ones where
/// it takes any.
pub(super) fn kinds(tool: &ToolDeclaration) -> Vec<&str> {
    let parameters = Parameters::new(&tool.parameters);
    let filters = parameters.one("filters");
    let kind = filters.and_then(|filters| filters.get("properties")?.get("type"));
    match kind.map(|kind| texts(parameters.resolve(kind))) {
        Some(listed) if listed.is_empty() => KINDS.to_vec(),
        listed => listed.unwrap_or_default(),
    }
}

fn in_namespace(words: &[String], namespace: Option<&str>) -> Map<String, Value> {
    let query: String = words.join(" ").chars().take(LONGEST_QUERY).collect();
    let mut args = Map::new();
    args.insert("query".into(), query.into());
    args.extend(namespace.map(|name| ("namespace".into(), name.into())));
    args
}

/// The other namespaces worth a second search. A personal namespace is not, if the person is not
/// signed in or was refused it before.
fn elsewhere<'a>(situation: &Situation<'_>, tool: &'a ToolDeclaration) -> Vec<&'a str> {
    let refused = situation.known.iter().any(|known| {
        matches!(&known.outcome, ToolOutcome::Failed(failed) if failed.kind == Some(ErrorType::Auth))
    });
    let guest = refused || situation.input.instructions.contains(GUEST);
    others(tool).into_iter().filter(|name| !(guest && OWN.contains(name))).collect()
}

/// The namespaces beside the one that is searched when none is named.
fn others(tool: &ToolDeclaration) -> Vec<&str> {
    let schema = Parameters::new(&tool.parameters).one("namespace");
    let usual = schema.and_then(|schema| schema.get("default")?.as_str()).unwrap_or("studio");
    schema.map(texts).unwrap_or_default().into_iter().filter(|name| *name != usual).collect()
}

/// Handles the results of searches: searches elsewhere, reads records, or answers.
pub(crate) fn found(situation: &Situation<'_>) -> Vec<ModelAction> {
    let records = evidence_so_far(situation);
    let listed = situation.tool(Family::Search).and_then(|tool| kind(situation, tool));
    if listed.is_some() && !records.is_empty() {
        return say(answer::list(situation.manner, &records));
    }
    let question = ParsedQuestion::of(&situation.words);
    let asked = ambiguity::ask(&question, &records);
    if let Some(asked) =
        asked.filter(|asked| !situation.said_before().any(|said| said.contains(asked)))
    {
        return say(asked);
    }
    let rough = answer::best(&question, &records, QuoteStrictness::Roughly, 1);
    if rough.is_none()
        && let Some(steps) = again(situation)
    {
        return steps;
    }
    // Weak matches that do not answer are not worth reading.
    if rough.is_none() && records.iter().all(answer::is_weak) {
        return say(NOTHING);
    }
    let told = answer::best(&question, &records, QuoteStrictness::InFull, 1);
    // The record that a question is about is read, even if another record mentions it.
    let subject = records.iter().position(|record| record.is_subject(&question.wanted));
    let enough = told.is_some_and(|told| {
        told.is_complete(&question) && subject.is_none_or(|subject| subject == told.at)
    });
    let enough = enough && !question.wants_more;
    let may_read = may_read(situation) && !enough;
    let Some(tool) = situation.tool(Family::Read).filter(|_| may_read) else {
        return tell(situation, &records);
    };
    let first = subject.or_else(|| rough.map(|rough| rough.at));
    let promising = first.and_then(|first| records.get(first)).map(|record| &record.id);
    let others = records.iter().map(|record| &record.id).filter(|id| Some(*id) != promising);
    let ids: Vec<&String> = promising.into_iter().chain(others).take(MOST_READ).collect();
    argument::call(tool, json!({ "ids": ids }))
}

/// Whether records may be read: once after a search, and in voice only once.
fn may_read(situation: &Situation<'_>) -> bool {
    let recent = situation.known.iter().filter(|known| known.recent);
    let since = recent.skip_while(|known| {
        situation.manner == AddressStyle::Written && known.family != Some(Family::Search)
    });
    since.filter(|known| known.family == Some(Family::Read)).count() == 0
}

/// The records found for these words, the best first, each once.
fn evidence_so_far(situation: &Situation<'_>) -> Vec<Evidence> {
    let searches = situation.known.iter();
    let searches = searches.filter(|known| known.recent && known.family == Some(Family::Search));
    let mut records: Vec<Evidence> = Vec::new();
    for known in searches {
        let ToolOutcome::Done(output) = &known.outcome else { continue };
        add(&mut records, evidence::read(output));
    }
    let relevance = |record: &Evidence| record.relevance(&situation.words);
    records.sort_by(|one, other| relevance(other).total_cmp(&relevance(one)));
    evidence::current(records, &situation.words)
}

fn add(records: &mut Vec<Evidence>, more: Vec<Evidence>) {
    for record in more {
        if !records.iter().any(|known| known.id == record.id) {
            records.push(record);
        }
    }
}

fn tell(situation: &Situation<'_>, records: &[Evidence]) -> Vec<ModelAction> {
    say(answer::tell(situation, records).unwrap_or_else(|| NOTHING.to_owned()))
}

/// A second search, once: in other namespaces, and with any score if nothing was found, because
/// people use other words than records. In voice, only the latter.
fn again(situation: &Situation<'_>) -> Option<Vec<ModelAction>> {
    let tool = situation.tool(Family::Search).filter(|_| situation.tries(Family::Search) == 1)?;
    let words = words(situation);
    let named = others(tool).into_iter().any(|name| has(&situation.folded, name));
    let stays = named || situation.manner == AddressStyle::Spoken;
    let elsewhere = if stays { Vec::new() } else { elsewhere(situation, tool) };
    let mut queries: Vec<Value> =
        elsewhere.into_iter().map(|name| Value::Object(in_namespace(&words, Some(name)))).collect();
    let scored = Parameters::new(&tool.parameters).one("min_score").is_some();
    if scored && evidence_so_far(situation).is_empty() {
        let mut weak = args(situation, &words, tool);
        weak["min_score"] = 0.into();
        queries.push(weak);
    }
    let steps = queries.into_iter().flat_map(|args| argument::call(tool, args));
    let calls: Vec<PlannedCall> = steps.filter_map(calls_of).flatten().collect();
    (!calls.is_empty()).then(|| vec![ModelAction::Call(calls)])
}

fn calls_of(step: ModelAction) -> Option<Vec<PlannedCall>> {
    match step {
        ModelAction::Call(calls) => Some(calls),
        ModelAction::Say(_) | ModelAction::Think(_) => None,
    }
}

/// Handles records that were read, with other search results to read on. If a record does not
/// answer a question about it, the question is searched.
pub(crate) fn was_read(situation: &Situation<'_>, output: &Value) -> Vec<ModelAction> {
    let read = evidence::read(output);
    if read.is_empty() {
        return say(missing(output));
    }
    let question = ParsedQuestion::of(&situation.words);
    let most = answer::most(situation.manner);
    let answer = answer::best(&question, &read, QuoteStrictness::InFull, most);
    let reference = reference(situation);
    // An implied subject is used only if its record answers the whole question.
    let meant = |answer: &RecordAnswer| match reference {
        Some(Reference::Implied) => answer.is_whole(&question),
        Some(Reference::Stated) | None => true,
    };
    let search = situation.tool(Family::Search).filter(|_| situation.tries(Family::Search) == 0);
    if let Some(tool) = search.filter(|_| !answer.as_ref().is_some_and(meant)) {
        let topic = read.first().filter(|_| reference == Some(Reference::Stated));
        let topic = topic.map(|record| record.title.clone());
        let words: Vec<String> = topic.into_iter().chain(words(situation)).collect();
        return argument::call(tool, args(situation, &words, tool));
    }
    tell(situation, &in_full(evidence_so_far(situation), read))
}

/// The found records, with the full text of those that were read.
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
pub(crate) fn from_what_is_known(situation: &Situation<'_>) -> Option<String> {
    answer::tell(situation, &evidence_so_far(situation))
}
