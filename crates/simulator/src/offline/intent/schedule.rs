//! Meetings: people are looked up, times proposed, and nothing is booked before the person chose.

use serde_json::{Map, Value, json};

use super::say;
use crate::brain::{Asked, Step};
use crate::offline::argument;
use crate::offline::evidence::{self, Evidence};
use crate::offline::extract;
use crate::offline::family::Family;
use crate::offline::outcome::Outcome;
use crate::offline::request;
use crate::offline::sentence::overlap;
use crate::offline::slot;
use crate::offline::view::{Known, Manner, View};
use crate::offline::when;
use crate::offline::word::{fold, has_any, stems};

const NOT_SPOKEN: &str =
    "I cannot arrange meetings while we talk. It works in writing: say “let us continue in text”.";
const NOT_HERE: &str = "I have no calendar here, so I cannot arrange that.";
const NO_TIME: &str = "I found no time that suits.";
const NOTHING_YET: &str = "Nothing is booked yet. Which one shall I book?";
const WHO: &str = "I still need the email address of everybody I cannot find.";
const NO_LENGTH: &str = "You named no length, so I took 30 minutes.";

/// Where those who are invited end.
const PEOPLE_END: &[&str] = &[
    " in ",
    " on ",
    " at ",
    " about ",
    " for ",
    " to ",
    " tomorrow",
    " today",
    " next ",
    " called ",
    " titled ",
    "\n",
];

/// The length of a meeting that was given none.
const USUAL_MINUTES: i64 = 30;

const VERBS: &[&str] = &[
    "schedule",
    "arrange",
    "set up",
    "plan",
    "book",
    "invite",
    "find a time",
    "find time",
    "find times",
    "propose",
    "organise",
    "organize",
    "meet",
    "a meeting",
    "have a meeting",
    "i need a meeting",
    "i want a meeting",
    "i would like a meeting",
    "id like a meeting",
];

const NOUNS: &[&str] = &[
    "meeting",
    "call",
    "appointment",
    "event",
    "session",
    "time",
    "times",
    "slot",
    "review",
    "chat",
    "hour",
    "minutes",
    "invite",
    "with",
    "meet",
];

/// Where the topic of a meeting ends.
const TOPIC_ENDS: &[&str] = &[
    " tomorrow",
    " today",
    " on monday",
    " on tuesday",
    " on wednesday",
    " on thursday",
    " on friday",
    " next ",
    " at ",
    " with ",
    " for ",
    " in the ",
    ",",
    ".",
    "\n",
    "?",
    "!",
];

/// Whether the words ask for a meeting.
pub(in crate::offline) fn is_wanted(view: &View<'_>) -> bool {
    let folded = fold(&view.words);
    let people = !extract::emails(&view.words).is_empty();
    let asked = request::after(request::wish(&folded), VERBS).is_some();
    asked && (people || has_any(&folded, NOUNS))
}

pub(super) fn claim(view: &View<'_>) -> Option<Vec<Step>> {
    if !is_wanted(view) {
        return None;
    }
    let Some(_) = view.tool(Family::Propose) else {
        return Some(say(if view.manner == Manner::Spoken { NOT_SPOKEN } else { NOT_HERE }));
    };
    let emails = extract::emails(&view.words);
    Some(look_up(view).unwrap_or_else(|| propose(view, emails)))
}

/// The names of those who are invited: behind a word that says so, or in the answer to our question.
fn invited(view: &View<'_>) -> Vec<String> {
    let answered = view.words != view.latest && extract::emails(&view.latest).is_empty();
    let words = if answered { &view.latest } else { &view.words };
    let Some(behind) = extract::after(words, &["with", "invite", "meet"]) else {
        return extract::names(&view.words);
    };
    let lower = behind.to_ascii_lowercase();
    let end = PEOPLE_END.iter().filter_map(|end| lower.find(end)).min().unwrap_or(behind.len());
    extract::names(&format!("with {}", behind.get(..end).unwrap_or(behind)))
}

/// People without an address are searched for, all at once.
fn look_up(view: &View<'_>) -> Option<Vec<Step>> {
    let search = view.tool(Family::Search)?;
    let title = title(view).unwrap_or_default();
    let names = invited(view).into_iter().filter(|name| !title.contains(name.as_str()));
    let calls = names.take(3).flat_map(|name| {
        argument::call(
            search,
            json!({ "query": name, "filters": { "type": "person" }, "top_k": 2 }),
        )
    });
    let calls: Vec<Asked> = calls
        .filter_map(|step| match step {
            Step::Call(calls) => Some(calls),
            Step::Say(_) | Step::Think(_) => None,
        })
        .flatten()
        .collect();
    (!calls.is_empty()).then(|| vec![Step::Call(calls)])
}

/// Goes on with the addresses of the people who were found.
pub(in crate::offline) fn with_people(view: &View<'_>, results: &[Known]) -> Vec<Step> {
    let mut emails = extract::emails(&view.words);
    let given = !emails.is_empty();
    let mut unknown: Vec<&str> = Vec::new();
    for known in results {
        let Outcome::Done(output) = &known.outcome else { continue };
        let name = known.args.get("query").and_then(Value::as_str).unwrap_or_default();
        let wanted = stems(name);
        // Whoever is invited is called so: one letter makes another person.
        let called = |person: &Evidence| overlap(&wanted, &person.name()) == wanted.len();
        let person = evidence::read(output).into_iter().find(called);
        match person.as_ref().and_then(address) {
            Some(email) if emails.contains(&email) => {}
            Some(email) => emails.push(email),
            None => unknown.push(name),
        }
    }
    // Nobody is left out in silence; with an address given, the names are taken to be told by it.
    match unknown.is_empty() || given {
        true => propose(view, emails),
        false => say(format!("I found no address of {}. {WHO}", unknown.join(" and "))),
    }
}

fn address(person: &Evidence) -> Option<String> {
    let field = person.field("email").filter(|email| extract::is_email(email)).map(str::to_owned);
    field.or_else(|| extract::emails(&person.text).into_iter().next())
}

fn propose(view: &View<'_>, attendees: Vec<String>) -> Vec<Step> {
    let Some(tool) = view.tool(Family::Propose) else { return say(NOT_HERE) };
    let mut args = Map::new();
    args.insert("attendees".into(), json!(attendees));
    let minutes = when::minutes(&view.words).unwrap_or(USUAL_MINUTES);
    args.insert("duration_minutes".into(), minutes.into());
    args.extend(title(view).map(|title| ("title".into(), title.into())));
    let today = view.today.as_ref();
    match when::exact_moment(&view.words, today) {
        Some(moment) => {
            args.insert("preferred_times".into(), json!([moment]));
        }
        None => {
            let from = when::day(&view.words, today).and(when::moment(&view.words, today));
            if let Some(from) = from {
                args.insert("not_before".into(), from.into());
                args.insert("within_days".into(), 1.into());
            }
        }
    }
    let offset = today.map(|today| today.offset.as_str()).filter(|offset| *offset != "Z");
    args.extend(offset.map(|offset| ("utc_offset".into(), offset.into())));
    argument::call(tool, Value::Object(args))
}

/// What the meeting is about: a quotation, or what follows a word like `about`.
fn title(view: &View<'_>) -> Option<String> {
    if let Some(quoted) = extract::quoted(&view.words).into_iter().next() {
        return Some(quoted);
    }
    let topic = extract::after(&view.words, &["about", "titled", "called", "regarding"])?;
    let lower = topic.to_ascii_lowercase();
    let end = TOPIC_ENDS.iter().filter_map(|end| lower.find(end)).min().unwrap_or(topic.len());
    let topic = topic.get(..end)?.trim().trim_start_matches("the ");
    let mut letters = topic.chars();
    let first = letters.next()?;
    Some(format!("{}{}", first.to_uppercase(), letters.as_str()))
}

/// The times, to choose from.
pub(in crate::offline) fn proposed(view: &View<'_>, output: &Value) -> Vec<Step> {
    let slots = slot::read(output);
    if slots.is_empty() {
        return say(NO_TIME);
    }
    let title = output.get("title").and_then(Value::as_str).unwrap_or("the meeting");
    let lines: Vec<String> =
        slots.iter().enumerate().map(|(at, slot)| format!("{}. {}", at + 1, slot.told())).collect();
    let times = if lines.len() == 1 { "one time" } else { "these times" };
    let mut notes = unread(output);
    if when::minutes(&view.words).is_none() {
        notes.push_str(&format!("{NO_LENGTH}\n"));
    }
    say(format!("For “{title}” I found {times}:\n{}\n{notes}{NOTHING_YET}", lines.join("\n")))
}

/// Whose calendar could not be looked at.
fn unread(output: &Value) -> String {
    let attendees = output.get("attendees").and_then(Value::as_array);
    let unread = attendees
        .into_iter()
        .flatten()
        .filter(|person| person.get("calendar_read") == Some(&Value::Bool(false)));
    let unread: Vec<&str> = unread.filter_map(|person| person.get("email")?.as_str()).collect();
    if unread.is_empty() {
        String::new()
    } else {
        format!("I could not read the calendar of {}.\n", unread.join(", "))
    }
}

pub(in crate::offline) fn booked(output: &Value) -> Vec<Step> {
    let text = |name: &str| output.get(name).and_then(Value::as_str);
    let title = text("title").unwrap_or("the meeting");
    let when = match (text("start"), text("end")) {
        (Some(start), Some(end)) => format!(", {}", slot::span(start, end)),
        _ => String::new(),
    };
    let invited = match text("invitations") {
        Some("not_sent") => " No invitations were sent, so please tell the others.",
        Some("left_to_server") => " The calendar server tells the others, if it sends invitations.",
        _ => "",
    };
    let link =
        text("join_url").or_else(|| text("url")).map(|link| format!(" {link}")).unwrap_or_default();
    say(format!("Booked: “{title}”{when}.{invited}{link}"))
}
