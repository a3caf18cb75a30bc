//! The invited people: the names after "with" and similar words, capitalised or not. Records
//! identify them; a name without a record is not invited.

use super::VERBS;
use crate::date_time;
use crate::extract;
use crate::situation::Situation;
use crate::word::{fold, has, has_any};

/// Words before the names of invited people.
const LEADS: &[&str] = &["with", "invite", "meet", "add", "me and"];

/// Pronouns for a person who was named before.
const PRONOUNS: &[&str] = &["him", "her", "them"];

/// Words that leave out a person whom the agent asked about.
const LEFT_OUT: &[&str] = &["skip", "without", "drop", "leave out", "leave", "not"];

/// Words that end the names, besides a number, a day and the end of a sentence.
const ENDS: &[&str] = &[
    "about",
    "after",
    "afternoon",
    "around",
    "as",
    "asap",
    "at",
    "because",
    "before",
    "between",
    "by",
    "called",
    "during",
    "early",
    "evening",
    "every",
    "for",
    "from",
    "half",
    "in",
    "instead",
    "last",
    "late",
    "later",
    "midnight",
    "morning",
    "next",
    "noon",
    "on",
    "please",
    "re",
    "regarding",
    "so",
    "sometime",
    "soon",
    "this",
    "titled",
    "to",
    "too",
    "until",
    "when",
];

/// Words about people that are not names.
const NO_NAMES: &[&str] = &[
    "a", "also", "an", "and", "both", "her", "him", "i", "it", "just", "me", "mean", "meant", "my",
    "myself", "no", "ok", "our", "skip", "sorry", "the", "them", "us", "wait", "you",
];

/// Words that replace the people named before.
const REPLACING: &[&str] = &["instead", "rather", "only"];

/// How many of the agent's last messages may have asked about a person.
const MOST_QUESTIONS: usize = 3;

/// The maximum number of words in a reply to the question who is invited.
const LONGEST_ANSWER: usize = 4;

/// Whether words name somebody to meet.
pub(super) fn is_named(words: &str) -> bool {
    words.lines().any(|line| !led(line).is_empty() || refers(line))
}

/// The names of those who are invited, each once.
pub(super) fn invited(situation: &Situation<'_>) -> Vec<String> {
    let lines: Vec<&str> = situation.words.lines().collect();
    let last = lines.iter().rposition(|line| replaces(line) && !led(line).is_empty());
    let lines = &lines[last.unwrap_or(0)..];
    let is_led = lines.iter().any(|line| extract::after(line, LEADS).is_some());
    let named = if is_led {
        lines.iter().flat_map(|line| led(line)).collect()
    } else {
        capitals(situation)
    };
    let referred = lines.iter().any(|line| refers(line)).then(|| spoken_of(situation)).flatten();
    let mut names: Vec<String> = Vec::new();
    for name in named.into_iter().chain(referred).chain(answered(situation)) {
        if !names.contains(&name) && !is_left_out(situation, &name) {
            names.push(name);
        }
    }
    names
}

/// Whether a line invites a person by a pronoun.
fn refers(line: &str) -> bool {
    let behind = extract::after(line, LEADS).map(fold).unwrap_or_default();
    behind.split_whitespace().next().is_some_and(|word| PRONOUNS.contains(&word))
}

/// The last person of these words or of the answers before them.
fn spoken_of(situation: &Situation<'_>) -> Option<String> {
    let named = extract::names(&situation.words).pop();
    named.or_else(|| situation.person_spoken_of())
}

/// A person whom the agent asked about is left out if the reply names others or says so.
fn is_left_out(situation: &Situation<'_>, name: &str) -> bool {
    let latest = fold(&situation.latest);
    let asked = situation
        .said_before()
        .take(MOST_QUESTIONS)
        .any(|said| said.contains(&format!("“{name}”")));
    let others = has_any(&latest, LEFT_OUT)
        || !led(&situation.latest).is_empty()
        || !answered(situation).is_empty()
        || !extract::emails(&situation.latest).is_empty();
    asked && others && !has(&latest, fold(name).trim())
}

/// Names without such a word before them: "book Mira Holt for an hour".
fn capitals(situation: &Situation<'_>) -> Vec<String> {
    let names = extract::names(&situation.words).into_iter().map(|name| {
        let verb = name.split_once(' ').filter(|(verb, _)| VERBS.contains(&fold(verb).trim()));
        verb.map_or(name.clone(), |(_, name)| name.to_owned())
    });
    names.filter(|name| !date_time::begins_a_day(fold(name).trim(), "at")).collect()
}

fn replaces(line: &str) -> bool {
    fold(line).split_whitespace().any(|word| REPLACING.contains(&word))
}

/// The names in a line behind a word that leads to them.
fn led(line: &str) -> Vec<String> {
    extract::after(line, LEADS).map(listed).unwrap_or_default()
}

/// A question for people that was answered by names alone.
fn answered(situation: &Situation<'_>) -> Vec<String> {
    let latest = situation.latest.trim();
    let today = situation.today.as_ref();
    let alone = situation.words != situation.latest
        && extract::after(latest, LEADS).is_none()
        && latest.split_whitespace().count() <= LONGEST_ANSWER
        && date_time::wish(latest, today).is_empty()
        && date_time::minutes(latest).is_none();
    if alone { listed(latest) } else { Vec::new() }
}

/// Names in a row, up to where something else begins.
fn listed(text: &str) -> Vec<String> {
    let mut names: Vec<Vec<&str>> = vec![Vec::new()];
    let words: Vec<&str> = text.split_whitespace().collect();
    for (at, word) in words.iter().enumerate() {
        let bare = word.trim_matches(|letter: char| !letter.is_alphanumeric());
        let folded = fold(bare);
        let folded = folded.trim();
        let number = bare.starts_with(|letter: char| letter.is_ascii_digit());
        let next = fold(words.get(at + 1).copied().unwrap_or_default());
        if number || ENDS.contains(&folded) || date_time::begins_a_day(folded, next.trim()) {
            break;
        }
        let parts = matches!(folded, "and" | "") || word.starts_with(',');
        if parts {
            names.push(Vec::new());
        }
        let address = word.contains('@') || NO_NAMES.contains(&folded) || folded.is_empty();
        if let Some(name) = names.last_mut().filter(|_| !address) {
            name.push(bare.trim_end_matches("'s").trim_end_matches("\u{2019}s"));
        }
        if word.ends_with([',', ';']) {
            names.push(Vec::new());
        }
        if word.ends_with(['.', '?', '!', ':']) {
            break;
        }
    }
    names.into_iter().filter_map(|words| name(&words)).collect()
}

/// "Our producer Jon Bell" is named by its capitalised words, and "jon bell" by all words.
fn name(words: &[&str]) -> Option<String> {
    let capital = |word: &&&str| word.starts_with(char::is_uppercase);
    let capitals: Vec<&str> = words.iter().filter(capital).copied().collect();
    let name = if capitals.is_empty() { words.join(" ") } else { capitals.join(" ") };
    (!name.is_empty()).then_some(name)
}
