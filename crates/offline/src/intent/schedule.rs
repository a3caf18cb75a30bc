//! Meetings: people are looked up, times proposed, and nothing is booked before the person has
//! chosen.

mod people;
mod phrases;
mod topic;

use jiff::Timestamp;
use jiff::civil::{Date, Time};
use serde_json::{Map, Value, json};

use self::phrases::{
    AHEAD, ANOTHER_TIME, FIRST_DAY, MONTH_IN_WORDS, NO_LENGTH, NO_SERIES, NO_TIME, NOT_HERE,
    NOT_SPOKEN, NOTHING_FITS, NOTHING_YET, OF_OTHERS, SERIES, VERBS, WHICH_DAY, WHICH_TIME, WHO,
};
use super::say;
use crate::ambiguity::alternatives;
use crate::argument;
use crate::date_time::{self, LocalDate, RequestedTime, TimeError};
use crate::evidence::{self, Evidence};
use crate::extract;
use crate::failure;
use crate::family::Family;
use crate::outcome::ToolOutcome;
use crate::request;
use crate::sentence::overlap;
use crate::situation::{AddressStyle, CompletedCall, Situation};
use crate::slot::{self, OfferedSlot};
use crate::word::{fold, has_any, stems};
use aileron_contract::model_input::{ModelAction, PlannedCall};

/// The maximum number of people with one name that are considered.
const MOST_NAMESAKES: u8 = 4;

/// The default length of a meeting.
const USUAL_MINUTES: i64 = 30;

/// The maximum number of days to search, and the number if the requested day is full.
const MOST_DAYS: i64 = 30;
const DAYS_BEYOND: i64 = 7;

/// Beginnings of a request for anything.
const REQUESTS: &[&str] =
    &["find", "get", "grab", "need", "i need", "we need", "put", "set", "block", "have", "fit in"];

const MEETINGS: &[&str] = &[
    "meeting",
    "call",
    "appointment",
    "event",
    "session",
    "slot",
    "sync",
    "catch up",
    "catchup",
    "chat",
    "diary",
    "calendar",
    "time",
    "times",
    "one on one",
    "review",
    "something",
];

/// Words that separate the requests of one message.
const BETWEEN: &[&str] = &[" and ", " then ", " also "];

/// Whether the words ask for a meeting: by a verb, or by enough of its parts: a person, a length, a
/// time and a title.
pub(crate) fn is_wanted(situation: &Situation<'_>) -> bool {
    let folded = fold(&situation.words);
    let company =
        !extract::emails(&situation.words).is_empty() || people::is_named(&situation.words);
    let length = situation.words.lines().any(|line| date_time::minutes(line).is_some());
    let moment = !date_time::wish(&situation.words, situation.today.as_ref()).is_empty();
    let noun = has_any(&folded, MEETINGS);
    let verb = verb(&folded);
    let surely = verb.is_some_and(|verb| !OF_OTHERS.contains(&verb));
    if verb.is_some() && (company || noun || length || (surely && moment)) {
        return true;
    }
    let wish = request::wish(&folded);
    let requested = request::after(wish, REQUESTS).is_some();
    let about = company && (length || (noun && (moment || requested)));
    !request::is_question(&folded) && (about || (requested && length && moment))
}

/// The verb that one of the requests in folded words begins with.
fn verb(folded: &str) -> Option<&'static str> {
    let mut requests = vec![folded.trim()];
    for mark in BETWEEN {
        requests = requests.into_iter().flat_map(|request| request.split(mark)).collect();
    }
    let begins = |request: &str, verb: &str| {
        request::after(request::wish(request), std::slice::from_ref(&verb)).is_some()
    };
    VERBS.iter().copied().find(|verb| requests.iter().any(|request| begins(request, verb)))
}

pub(super) fn claim(situation: &Situation<'_>) -> Option<Vec<ModelAction>> {
    if !is_wanted(situation) {
        return None;
    }
    let Some(_) = situation.tool(Family::Propose) else {
        return Some(say(if situation.manner == AddressStyle::Spoken {
            NOT_SPOKEN
        } else {
            NOT_HERE
        }));
    };
    if let Some(steps) = trouble(situation) {
        return Some(steps);
    }
    let emails = extract::emails(&situation.words);
    Some(look_up(situation).unwrap_or_else(|| propose(situation, emails)))
}

/// People without an address are searched for, all at once.
fn look_up(situation: &Situation<'_>) -> Option<Vec<ModelAction>> {
    let search = situation.tool(Family::Search)?;
    let title = topic::of(&situation.words).unwrap_or_default();
    let names = people::invited(situation).into_iter();
    let names = names.filter(|name| !title.contains(name.as_str()));
    let calls = names.take(3).flat_map(|name| {
        argument::call(
            search,
            json!({ "query": name, "filters": { "type": "person" }, "top_k": MOST_NAMESAKES, "min_score": 0 }),
        )
    });
    let calls: Vec<PlannedCall> = calls
        .filter_map(|step| match step {
            ModelAction::Call(calls) => Some(calls),
            ModelAction::Say(_) | ModelAction::Think(_) => None,
        })
        .flatten()
        .collect();
    (!calls.is_empty()).then(|| vec![ModelAction::Call(calls)])
}

/// Continues with the addresses of the people who were found. No person is left out silently; if an
/// address is given, the names are taken to belong to it.
pub(crate) fn with_people(
    situation: &Situation<'_>,
    results: &[CompletedCall],
) -> Vec<ModelAction> {
    let mut emails = extract::emails(&situation.words);
    let given = !emails.is_empty();
    let mut unclear: Vec<String> = Vec::new();
    for known in results {
        let ToolOutcome::Done(output) = &known.outcome else { continue };
        let name = known.args.get("query").and_then(Value::as_str).unwrap_or_default();
        match found(name, evidence::read(output)).as_slice() {
            [] => unclear.push(format!("I found no address of “{name}”.")),
            [(_, email)] if emails.contains(email) => {}
            [(_, email)] => emails.push(email.clone()),
            several => {
                let titles: Vec<&str> = several.iter().map(|(title, _)| title.as_str()).collect();
                unclear.push(format!("“{name}” may be {}.", alternatives(&titles)));
            }
        }
    }
    match unclear.is_empty() || given {
        true => propose(situation, emails),
        false => say(format!("{} {WHO}", unclear.join(" "))),
    }
}

/// The people with this name, or else those with this role, with their addresses. A name that
/// differs in one letter is another person.
fn found(name: &str, people: Vec<Evidence>) -> Vec<(String, String)> {
    let wanted = stems(name);
    let is_all = |text: &str| !wanted.is_empty() && overlap(&wanted, text) == wanted.len();
    let reached = people.iter().filter_map(|person| Some((person, address(person)?)));
    let (called, others): (Vec<_>, Vec<_>) =
        reached.partition(|(person, _)| is_all(&person.called()));
    let doing = others.into_iter().filter(|(person, _)| person.field("role").is_some_and(is_all));
    let found: Vec<_> = if called.is_empty() { doing.collect() } else { called };
    found.into_iter().map(|(person, email)| (person.title.clone(), email)).collect()
}

fn address(person: &Evidence) -> Option<String> {
    let field = person.field("email").filter(|email| extract::is_email(email)).map(str::to_owned);
    field.or_else(|| extract::emails(&person.text).into_iter().next())
}

fn propose(situation: &Situation<'_>, attendees: Vec<String>) -> Vec<ModelAction> {
    let Some(tool) = situation.tool(Family::Propose) else { return say(NOT_HERE) };
    let today = situation.today.as_ref();
    let wish = wish(situation);
    let mut args = Map::new();
    args.insert("attendees".into(), json!(attendees));
    let minutes = length(situation).unwrap_or(USUAL_MINUTES);
    args.insert("duration_minutes".into(), minutes.into());
    args.extend(topic::of(&situation.words).map(|title| ("title".into(), title.into())));
    args.extend(days(&wish, today));
    if let Some(Value::Array(starts)) = args.get_mut("preferred_times") {
        let others = date_time::others(&situation.words, today).into_iter();
        let others = others.filter_map(|other| other.start(today));
        starts.extend(others.map(|start| Value::from(date_time::stamp(start, today))).take(4));
    }
    if let Some((from, to)) = wish.window() {
        let hour = |time: Time| time.strftime("%H:%M").to_string();
        args.insert("working_hours".into(), json!({ "start": hour(from), "end": hour(to) }));
    }
    let offset = today.map(|today| today.offset.as_str()).filter(|offset| *offset != "Z");
    args.extend(offset.map(|offset| ("utc_offset".into(), offset.into())));
    argument::call(tool, Value::Object(args))
}

/// The requested time; words in quotation marks are the title.
fn wish(situation: &Situation<'_>) -> RequestedTime {
    let quoted = extract::quoted(&situation.words);
    let words =
        quoted.iter().fold(situation.words.clone(), |words, quoted| words.replace(quoted, " "));
    date_time::wish(&words, situation.today.as_ref())
}

/// The requested length; the last one counts.
fn length(situation: &Situation<'_>) -> Option<i64> {
    let said = situation.words.lines().rev().find_map(date_time::minutes);
    said.or_else(|| wish(situation).minutes())
}

/// The requested start and its day, so that alternatives are searched from that day on; or the days
/// to search.
fn days(wish: &RequestedTime, today: Option<&LocalDate>) -> Vec<(String, Value)> {
    let midnight =
        |date: Date| Value::from(date_time::stamp(date.to_datetime(Time::midnight()), today));
    let within = |from: Value, days: i64| {
        vec![("not_before".to_owned(), from), ("within_days".to_owned(), days.into())]
    };
    let preferred = |moment: String| vec![("preferred_times".to_owned(), json!([moment]))];
    match (&wish.stated, wish.start(today), wish.span()) {
        (Some(stated), ..) => preferred(stated.clone()),
        (None, Some(start), _) => {
            let from_that_day = ("not_before".to_owned(), midnight(start.date()));
            preferred(date_time::stamp(start, today)).into_iter().chain([from_that_day]).collect()
        }
        (None, None, Some(span)) => within(midnight(span.from), span.days.clamp(1, MOST_DAYS)),
        (None, None, None) => Vec::new(),
    }
}

/// Invalid days and times, and times that have passed.
fn trouble(situation: &Situation<'_>) -> Option<Vec<ModelAction>> {
    let told = match wish(situation).trouble(situation.today.as_ref())? {
        TimeError::NoDay(words) => format!("I know no day “{words}”. {WHICH_DAY}"),
        TimeError::TwoDays(words) => format!("“{words}” may be two days. {MONTH_IN_WORDS}"),
        TimeError::NoTime(words) => format!("I know no time “{words}”. {WHICH_TIME}"),
        TimeError::Passed(moment) => format!("{moment} has passed. {AHEAD}"),
    };
    Some(say(told))
}

/// The times to choose from. If a day has no free time, later days are searched once.
pub(crate) fn proposed(
    situation: &Situation<'_>,
    known: &CompletedCall,
    output: &Value,
) -> Vec<ModelAction> {
    let slots = slot::read(output);
    if slots.is_empty() {
        return say(NO_TIME);
    }
    let busy = slots.iter().all(|slot| slot.busy > 0);
    let one_day = known.args.get("within_days") == Some(&json!(1));
    let tool = situation.tool(Family::Propose).filter(|_| situation.tries(Family::Propose) == 1);
    if let Some(tool) = tool.filter(|_| busy && one_day) {
        let mut args = known.args.clone();
        args["within_days"] = DAYS_BEYOND.into();
        return argument::call(tool, args);
    }
    let title = output.get("title").and_then(Value::as_str).unwrap_or("the meeting");
    let lines: Vec<String> =
        slots.iter().enumerate().map(|(at, slot)| format!("{}. {}", at + 1, slot.told())).collect();
    let times = if lines.len() == 1 { "one time" } else { "these times" };
    let reason = refusal(known, output);
    let notes = notes(situation, output, reason);
    let taken =
        taken(known, &slots, reason).or_else(|| full(situation, &slots)).unwrap_or_default();
    say(format!(
        "{taken}For “{title}” I found {times}:\n{}\n{notes}{NOTHING_YET}",
        lines.join("\n")
    ))
}

/// The requested start.
fn wished(known: &CompletedCall) -> Option<&str> {
    known.args.get("preferred_times")?.get(0)?.as_str()
}

/// Why the requested start is not among the times.
fn refusal<'a>(known: &CompletedCall, output: &'a Value) -> Option<&'a str> {
    let wished = wished(known)?;
    let ignored = output.get("ignored_times").and_then(Value::as_array).into_iter().flatten();
    let mut ours = ignored.filter(|it| it.get("time").and_then(Value::as_str) == Some(wished));
    ours.find_map(|it| it.get("reason")?.as_str())
}

/// States that the requested start is not among the times, or not free for all.
fn taken(known: &CompletedCall, slots: &[OfferedSlot], reason: Option<&str>) -> Option<String> {
    let wished = wished(known)?.parse::<Timestamp>().ok()?;
    let told = slot::told_like(slots, wished)?;
    match (slots.iter().find(|slot| slot.start.parse().ok() == Some(wished)), reason) {
        (Some(slot), _) if slot.busy == 0 => None,
        (Some(_), _) => Some(format!("{told} is not free for everybody. ")),
        (None, Some(reason)) => Some(format!("{told} is not possible: {reason}. ")),
        (None, None) => Some(format!("{told} is not free. ")),
    }
}

/// States that all times are on other days than the requested one.
fn full(situation: &Situation<'_>, slots: &[OfferedSlot]) -> Option<String> {
    let wish = wish(situation);
    let day = wish.span().filter(|span| span.days == 1 && wish.start(None).is_none())?.from;
    let on_it = slots.iter().any(|slot| slot.start.starts_with(&day.to_string()));
    (!on_it).then(|| format!("{} has no free time. ", day.strftime("%A %-d %B %Y")))
}

/// Notes about the times, without the reason that was already given.
fn notes(situation: &Situation<'_>, output: &Value, told: Option<&str>) -> String {
    let warnings = output.get("warnings").and_then(Value::as_array).into_iter().flatten();
    let warnings = warnings.filter_map(Value::as_str);
    let warnings = warnings.filter(|warning| told.is_none_or(|told| !warning.contains(told)));
    let warnings = warnings.map(failure::sentence);
    let others = date_time::others(&situation.words, situation.today.as_ref());
    let one_day = (wish(situation).start(situation.today.as_ref()).is_none() && !others.is_empty())
        .then(|| FIRST_DAY.to_owned());
    let series = has_any(&fold(&situation.words), SERIES).then(|| NO_SERIES.to_owned());
    let length = length(situation).is_none().then(|| NO_LENGTH.to_owned());
    let notes = warnings.chain(one_day).chain(series).chain(length).map(|note| format!("{note}\n"));
    format!("{}{}", unread(output), notes.collect::<String>())
}

/// There is no time in the requested days and hours.
pub(crate) fn nothing_fits(known: &CompletedCall) -> Option<Vec<ModelAction>> {
    let asked = known.args.get("not_before").or_else(|| known.args.get("working_hours"));
    asked.map(|_| say(format!("{NOTHING_FITS} {ANOTHER_TIME}")))
}

/// The people whose calendars could not be read.
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

pub(crate) fn booked(output: &Value) -> Vec<ModelAction> {
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
