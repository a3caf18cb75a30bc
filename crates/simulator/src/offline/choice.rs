//! Which of several offers the person takes.

use super::word::{has, has_any};

/// What the words decide.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Choice {
    /// Counted from zero.
    Take(usize),
    Decline,
}

const ORDINALS: &[&[&str]] = &[
    &["first", "1st", "number one", "number 1", "option 1", "option one", "1"],
    &["second", "2nd", "number two", "number 2", "option 2", "option two", "2"],
    &["third", "3rd", "number three", "number 3", "option 3", "option three", "3"],
    &["fourth", "4th", "number four", "number 4", "option 4", "option four", "4"],
    &["fifth", "5th", "number five", "number 5", "option 5", "option five", "5"],
];

const AGREED: &[&str] = &[
    "yes",
    "yeah",
    "yep",
    "sure",
    "okay",
    "ok",
    "go ahead",
    "do it",
    "book it",
    "book that",
    "take it",
    "take that one",
    "sounds good",
    "perfect",
    "make it",
    "generate it",
    "draw it",
];

const DECLINED: &[&str] =
    &["no", "nope", "none", "neither", "cancel", "forget it", "never mind", "nevermind", "not now"];

/// The longest answer that is taken for a choice.
const LONGEST_WORDS: usize = 14;

/// What folded words choose of that many.
pub(super) fn of(folded: &str, count: usize) -> Option<Choice> {
    if folded.split_whitespace().count() > LONGEST_WORDS {
        return None;
    }
    if let Some(at) = ordinal(folded, count) {
        return Some(Choice::Take(at));
    }
    if has_any(folded, DECLINED) {
        return Some(Choice::Decline);
    }
    has_any(folded, AGREED).then_some(Choice::Take(0)).filter(|_| count > 0)
}

fn ordinal(folded: &str, count: usize) -> Option<usize> {
    if has(folded, "last") && has_any(folded, &["the last", "last one"]) {
        return count.checked_sub(1);
    }
    let at = ORDINALS.iter().position(|words| has_any(folded, words))?;
    (at < count).then_some(at)
}

/// Whether the words are a plain yes.
pub(super) fn agreed(folded: &str) -> bool {
    folded.split_whitespace().count() <= 6 && has_any(folded, AGREED) && !has_any(folded, DECLINED)
}

#[cfg(test)]
#[path = "choice_tests.rs"]
mod tests;
