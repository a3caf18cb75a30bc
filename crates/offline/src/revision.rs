//! Messages that change an earlier request: "make it Wednesday", "rather the afternoon", "with Jon
//! too".

use super::date_time::{self, LocalDate};
use super::request;
use super::word::{fold, has_any};

/// The change that a message asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Revision {
    When,
    Who,
    /// Another change, or one that cannot be parsed.
    Other,
}

/// Words that announce a change.
const MARKS: &[&str] = &[
    "make it",
    "make that",
    "rather",
    "instead",
    "better",
    "prefer",
    "move it",
    "move that",
    "change it",
    "change that",
    "push it",
    "shift it",
    "put it",
];

/// Words that begin a change and belong to it.
const LEADS: &[&str] = &[
    "no",
    "but",
    "hmm",
    "oh",
    "actually",
    "rather",
    "instead",
    "maybe",
    "perhaps",
    "better",
    "id",
    "i would",
    "i",
    "prefer",
    "make it",
    "make that",
    "lets",
    "let us",
];

/// Phrases that ask whether a change is possible.
const SUGGESTIONS: &[&str] = &[
    "what about",
    "how about",
    "can we do",
    "could we do",
    "can we make it",
    "could we make it",
    "can you make it",
    "could you make it",
    "can it be",
    "could it be",
    "do you have anything",
    "is there anything",
    "is there something",
];

/// Words that may accompany a day, a time or a length.
const COMPANY: &[&str] = &[
    "anything", "better", "but", "change", "day", "do", "else", "fits", "free", "good", "hmm",
    "id", "instead", "it", "later", "lets", "make", "maybe", "move", "ok", "only", "perhaps",
    "possible", "prefer", "push", "put", "rather", "say", "shift", "suits", "take", "then", "time",
    "works",
];

/// Words that add people, and words that show that they are added.
const PEOPLE: &[&str] = &["with", "and with", "add", "and add", "invite", "and invite"];
const ADDED: &[&str] = &["too", "also", "as well", "instead", "rather", "add"];

const LONGEST_WORDS: usize = 12;

/// The change that a message asks for in an open offer.
pub(super) fn of(text: &str, today: Option<&LocalDate>) -> Option<Revision> {
    let folded = fold(text);
    if folded.split_whitespace().count() > LONGEST_WORDS {
        return None;
    }
    let suggested = request::after(request::order(&folded), SUGGESTIONS).is_some();
    let bare = request::behind(request::order(&folded), &[LEADS]);
    if !suggested && (request::is_question(bare) || super::intent::orders_another(bare)) {
        return None;
    }
    let marked = has_any(&folded, MARKS);
    let says_when = !date_time::wish(text, today).is_empty() || date_time::minutes(text).is_some();
    if says_when && (marked || suggested || date_time::is_all(text, today, COMPANY)) {
        return Some(Revision::When);
    }
    let people = request::after(bare, PEOPLE).is_some();
    if people && (bare.starts_with("with ") || has_any(&folded, ADDED)) {
        return Some(Revision::Who);
    }
    (marked || bare.starts_with("without ")).then_some(Revision::Other)
}

/// The change without the words that announce it.
pub(super) fn change(line: &str) -> String {
    let words: Vec<&str> = line.split_whitespace().collect();
    let folded: Vec<String> = words.iter().map(|word| fold(word).trim().to_owned()).collect();
    let said = folded.join(" ");
    let left = request::behind(request::order(&said), &[LEADS]).split_whitespace().count();
    let change = words[words.len().saturating_sub(left)..].join(" ");
    let change = change.trim_end_matches(['.', '!', ',', ';']);
    change
        .trim_end_matches("instead")
        .trim_end_matches("please")
        .trim_end_matches([',', ' '])
        .to_owned()
}

#[cfg(test)]
#[path = "revision_tests.rs"]
mod tests;
