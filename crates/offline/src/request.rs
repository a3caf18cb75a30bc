//! The request in a message: the words after polite phrases, and whether they are an order.

use super::extract;
use super::word::{fold, has};

/// Polite or habitual phrases before an order.
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

/// Phrases before a wish of the person.
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

/// Words that begin a question. "May" and "do" alone may begin an answer: "May 5", "do it at ten".
const QUESTIONS: &[&str] = &[
    "who", "whos", "what", "whats", "when", "where", "why", "how", "which", "whose", "is", "are",
    "does", "did", "do i", "do we", "do you", "may i", "wer", "was", "wann", "wo", "wie", "warum",
];

/// Words that follow the verb of an order, and seldom the first noun of a heading.
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

/// The folded words after polite phrases.
pub(super) fn order(folded: &str) -> &str {
    behind(folded.trim(), &[COURTESIES])
}

/// The folded words after polite phrases and wishes.
pub(super) fn wish(folded: &str) -> &str {
    behind(folded.trim(), &[COURTESIES, WISHES])
}

/// The words after all of these leads.
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

/// The words after the first of the phrases that they begin with.
pub(super) fn after<'a>(words: &'a str, phrases: &[&str]) -> Option<&'a str> {
    let behind = |phrase: &&str| {
        let rest = words.strip_prefix(*phrase)?;
        (rest.is_empty() || rest.starts_with(' ')).then(|| rest.trim_start())
    };
    phrases.iter().find_map(behind)
}

/// Whether a text is an order with one of these verbs: "delete the event", and not "delete key".
pub(super) fn is_order(text: &str, verbs: &[&str]) -> bool {
    is_done_to(text, after(order(&fold(text)), verbs))
}

/// Whether a text is a wish with one of these verbs: "I would like to delete the event".
pub(super) fn is_wish(text: &str, verbs: &[&str]) -> bool {
    is_done_to(text, after(wish(&fold(text)), verbs))
}

/// Whether the words after a verb are an object.
fn is_done_to(text: &str, rest: Option<&str>) -> bool {
    let next = rest.and_then(|rest| rest.split(' ').next()).unwrap_or_default();
    let names = || extract::names(text).iter().any(|name| has(&fold(name), next));
    OBJECTS.contains(&next) || (!next.is_empty() && names())
}

/// Whether folded words begin like a question.
pub(super) fn is_question(folded: &str) -> bool {
    after(order(folded), QUESTIONS).is_some()
}

#[cfg(test)]
#[path = "request_tests.rs"]
mod tests;
