//! Whether the person's words retract a request that they were asked to confirm: "actually cancel
//! that", "no wait, make it Wednesday".
//!
//! Errs in one direction too: a closed confirmation can be requested again, an open one can be
//! approved by mistake. Words about something else must still not close it.

use super::grammar::{Grammar, MAX_CHARACTERS, PhraseRole, SpokenReply, YesNo};
use super::words;

/// A retraction by the person.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Retraction {
    pub(crate) certainty: Certainty,
    pub(crate) reach: Reach,
}

/// Whether the words state the retraction, or imply it right after the request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Certainty {
    Said,
    Implied,
}

/// Which confirmations are retracted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reach {
    Newest,
    All,
}

impl Grammar {
    /// The retraction in the words, if there is one.
    pub(crate) fn retracts(&self, text: &str) -> Option<Retraction> {
        let text: String = text.chars().take(MAX_CHARACTERS).collect();
        let words = words::split(&text);
        let phrases = &self.retraction;
        if self.hear(&text) == YesNo::Yes {
            return None;
        }
        let (rest, starts_with_no) = self.without_lead_ins(&words);
        let answer = self.bare_answer(rest);
        let is_said = begins(rest, &phrases.retractions)
            || contains(&words, &phrases.changed_minds)
            || answer == SpokenReply::Refusal;
        let is_implied = starts_with_no
            || begins(rest, &phrases.changes)
            || (contains(&words, &phrases.replacements) && !words::asks(&text))
            || matches!(answer, SpokenReply::No { .. });
        let certainty = match (is_said, is_implied) {
            (true, _) => Certainty::Said,
            (false, true) => Certainty::Implied,
            (false, false) => return None,
        };
        let is_all = is_said && contains(&words, &phrases.everything);
        Some(Retraction { certainty, reach: if is_all { Reach::All } else { Reach::Newest } })
    }

    /// The words after the lead-ins, and whether a no was among the lead-ins.
    fn without_lead_ins<'a>(&self, words: &'a [String]) -> (&'a [String], bool) {
        let (mut rest, mut starts_with_no) = (words, false);
        loop {
            let led = self.retraction.lead_ins.iter().filter(|phrase| rest.starts_with(phrase));
            if let Some(length) = led.map(Vec::len).max() {
                rest = &rest[length..];
                continue;
            }
            match self.phrase(rest) {
                Some((PhraseRole::Opener | PhraseRole::Filler, length)) => rest = &rest[length..],
                Some((PhraseRole::No, length)) if length < rest.len() => {
                    (rest, starts_with_no) = (&rest[length..], true);
                }
                _ => return (rest, starts_with_no),
            }
        }
    }

    /// The answer of words that are only a no; `Nothing` for all others.
    fn bare_answer(&self, words: &[String]) -> SpokenReply {
        let mut rest = words;
        while let Some((PhraseRole::No | PhraseRole::Refusal | PhraseRole::Filler, length)) =
            self.phrase(rest)
        {
            rest = &rest[length..];
        }
        if rest.is_empty() { self.listen(words) } else { SpokenReply::Nothing }
    }
}

fn begins(words: &[String], phrases: &[Vec<String>]) -> bool {
    phrases.iter().any(|phrase| words.starts_with(phrase))
}

fn contains(words: &[String], phrases: &[Vec<String>]) -> bool {
    phrases.iter().any(|phrase| words.windows(phrase.len()).any(|window| window == phrase))
}

#[cfg(test)]
#[path = "retraction_tests.rs"]
mod tests;
