//! What a message asks for: the words behind its courtesies, and whether they are an order.

use super::extract;
use super::word::{fold, has};

/// What is said before an order out of courtesy or habit.
const COURTESIES: &[&str] = &[
    "please",
    "can you",
    "could you",
    "would you",
    "will you",
    "kindly",
    "hey",
    "hello",
    "okay",
    "ok",
    "now",
    "then",
    "and",
    "also",
    "so",
    "just",
    "well",
    "um",
    "uh",
    "yo",
    "oh",
    "help me",
    "i want you to",
    "i need you to",
    "i would like you to",
    "id like you to",
];

/// What is said before something the person wants to happen.
const WISHES: &[&str] = &[
    "can we",
    "could we",
    "lets",
    "let us",
    "i want to",
    "i would like to",
    "id like to",
    "i need to",
    "i have to",
    "i wish to",
    "id love to",
    "im trying to",
    "i am trying to",
    "we need to",
    "we should",
    "we have to",
    "id rather",
    "i would rather",
    "id prefer to",
];

/// What a question begins with. "May" and "do" alone may begin an answer: "May 5", "do it at ten".
const QUESTIONS: &[&str] = &[
    "who", "whos", "what", "whats", "when", "where", "why", "how", "which", "whose", "is", "are",
    "does", "did", "do i", "do we", "do you", "may i", "wer", "was", "wann", "wo", "wie", "warum",
];

/// What follows the verb of an order, and seldom the first noun of a heading.
const OBJECTS: &[&str] = &[
    "a",
    "an",
    "all",
    "any",
    "another",
    "everybody",
    "everyone",
    "everything",
    "her",
    "him",
    "it",
    "me",
    "my",
    "our",
    "some",
    "that",
    "the",
    "them",
    "these",
    "this",
    "those",
    "to",
    "us",
    "your",
];

/// The folded words behind the courtesies.
pub(super) fn order(folded: &str) -> &str {
    behind(folded.trim(), &[COURTESIES])
}

/// The folded words behind courtesies and wishes.
pub(super) fn wish(folded: &str) -> &str {
    behind(folded.trim(), &[COURTESIES, WISHES])
}

/// The words behind all leads.
pub(super) fn behind<'a>(words: &'a str, leads: &[&[&str]]) -> &'a str {
    let mut rest = words;
    loop {
        let all = leads.iter().flat_map(|leads| leads.iter());
        let next = all.into_iter().find_map(|lead| rest.strip_prefix(lead)?.strip_prefix(' '));
        match next {
            Some(next) => rest = next,
            None => return rest,
        }
    }
}

/// What follows the first of the phrases that words begin with.
pub(super) fn after<'a>(words: &'a str, phrases: &[&str]) -> Option<&'a str> {
    let behind = |phrase: &&str| {
        let rest = words.strip_prefix(*phrase)?;
        (rest.is_empty() || rest.starts_with(' ')).then(|| rest.trim_start())
    };
    phrases.iter().find_map(behind)
}

/// Whether a text orders one of these things to be done: "delete the event", and not "delete key".
pub(super) fn is_order(text: &str, verbs: &[&str]) -> bool {
    is_done_to(text, after(order(&fold(text)), verbs))
}

/// Whether somebody wants one of these things to be done: "I would like to delete the event".
pub(super) fn is_wish(text: &str, verbs: &[&str]) -> bool {
    is_done_to(text, after(wish(&fold(text)), verbs))
}

/// Whether what follows a verb is somebody or something.
fn is_done_to(text: &str, rest: Option<&str>) -> bool {
    let next = rest.and_then(|rest| rest.split(' ').next()).unwrap_or_default();
    let names = || extract::names(text).iter().any(|name| has(&fold(name), next));
    OBJECTS.contains(&next) || (!next.is_empty() && names())
}

/// Whether folded words begin as a question does.
pub(super) fn is_question(folded: &str) -> bool {
    after(order(folded), QUESTIONS).is_some()
}

#[cfg(test)]
#[path = "request_tests.rs"]
mod tests;
