//! Which of several offers the person chooses. Only words that choose or name an offer count: with
//! any other word, the message is about something else.

use super::correction;

/// The decision in the words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Choice {
    /// The index of the offer, from zero.
    Take(usize),
    Decline,
    /// A choice that does not say which offer.
    Unclear,
}

/// The words by which each offer may be named, folded.
pub(super) type Names = [Vec<String>];

const ORDINALS: &[&[&str]] = &[
    &["first", "1st", "1"],
    &["second", "2nd", "2", "two"],
    &["third", "3rd", "3", "three"],
    &["fourth", "4th", "4", "four"],
    &["fifth", "5th", "5", "five"],
];

const AGREED: &[&str] = &[
    "yes",
    "y",
    "yeah",
    "yep",
    "yup",
    "go",
    "exactly",
    "definitely",
    "absolutely",
    "alright",
    "sure",
    "okay",
    "ok",
    "approve",
    "approved",
    "confirm",
    "confirmed",
    "ja",
    "all",
    "both",
];

/// Verbs that agree together with an object: "book it", and not "draw" alone.
const ORDERED: &[&str] =
    &["do", "book", "take", "make", "generate", "draw", "create", "choose", "pick", "use"];

const DECLINED: &[&str] =
    &["no", "n", "nope", "nah", "none", "neither", "cancel", "forget", "nevermind", "nein"];

/// Words that negate the name after them.
const NEGATED: &[&str] = &["not", "dont", "never"];

/// Words that may accompany a choice and have no effect.
const COMPANY: &[&str] = &[
    "actually", "ahead", "am", "and", "any", "at", "be", "bitte", "fine", "for", "from", "good",
    "great", "i", "id", "ill", "image", "instead", "it", "its", "just", "lets", "like", "looks",
    "me", "mind", "now", "number", "oclock", "of", "on", "one", "option", "perfect", "picture",
    "please", "pm", "prefer", "prompt", "rather", "slot", "sorry", "sounds", "thank", "thanks",
    "that", "thats", "the", "them", "then", "these", "this", "time", "us", "variant", "version",
    "want", "well", "will", "with", "works", "would",
];

/// Words that show that a number is a time or a day.
const ANNOUNCING: &[&str] = &["at", "on", "from"];

/// The choice in folded words. A correction takes precedence over the words before it.
pub(super) fn of(folded: &str, offers: &Names) -> Option<Choice> {
    let folded = folded.replace(" thank you ", " thanks ");
    let words: Vec<&str> = folded.split_whitespace().collect();
    let parts = correction::parts(&words, |word| word);
    // The words before a correction have to be a choice as well.
    let choices: Option<Vec<Choice>> = parts.iter().map(|part| of_words(part, offers)).collect();
    choices.and_then(|choices| choices.last().copied()).or_else(|| of_words(&words, offers))
}

fn of_words(words: &[&str], offers: &Names) -> Option<Choice> {
    let is_name = |word: &str| offers.iter().flatten().any(|name| name == word);
    let mut said = SaidWords::default();
    for (at, word) in words.iter().enumerate() {
        let ordinal = ordinal(words, at);
        match *word {
            "last" => said.places.push(offers.len().checked_sub(1)?),
            _ if is_naming(words, at, is_name) => said.names.push(word),
            _ if ordinal.is_some() => said.places.extend(ordinal),
            word if AGREED.contains(&word) => said.agrees = true,
            word if ORDERED.contains(&word) => said.agrees |= words.len() > 1,
            word if DECLINED.contains(&word) => said.declines = true,
            word if NEGATED.contains(&word) => said.negates = true,
            word if COMPANY.contains(&word) => {}
            _ => return None,
        }
    }
    said.choice(offers)
}

/// Whether a word names an offer rather than counts it: a number does if it is a time or a day.
fn is_naming(words: &[&str], at: usize, is_name: impl Fn(&str) -> bool) -> bool {
    let word = words[at];
    if !is_name(word) {
        return false;
    }
    let digits = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
    let before = at.checked_sub(1).map(|before| words[before]);
    let after = words.get(at + 1).copied().unwrap_or_default();
    let announced = before.is_some_and(|word| ANNOUNCING.contains(&word) || is_name(word));
    let counts = digits(word) && ordinal(words, at).is_some();
    !counts
        || announced
        || matches!(after, "am" | "pm" | "oclock")
        || (is_name(after) && !after.is_empty())
}

/// The position that a word names; "one" is a position only after "number", or alone.
fn ordinal(words: &[&str], at: usize) -> Option<usize> {
    let counted = at.checked_sub(1).is_some_and(|at| matches!(words[at], "number" | "option"));
    if words[at] == "one" && (counted || words.len() == 1) {
        return Some(0);
    }
    ORDINALS.iter().position(|names| names.contains(&words[at]))
}

/// The words of the person.
#[derive(Debug, Default)]
struct SaidWords<'a> {
    places: Vec<usize>,
    names: Vec<&'a str>,
    agrees: bool,
    declines: bool,
    negates: bool,
}

impl SaidWords<'_> {
    fn choice(&self, offers: &Names) -> Option<Choice> {
        let picks = !self.places.is_empty() || !self.names.is_empty();
        if self.negates || (self.declines && !picks) {
            return Some(if picks { Choice::Unclear } else { Choice::Decline });
        }
        if !picks {
            let only = if offers.len() == 1 { Choice::Take(0) } else { Choice::Unclear };
            return self.agrees.then_some(only);
        }
        let fits = |at: &usize| {
            let names = &offers[*at];
            self.names.iter().all(|name| names.iter().any(|known| known == name))
                && self.places.iter().all(|place| place == at)
        };
        let mut fitting = (0..offers.len()).filter(fits);
        Some(match (fitting.next(), fitting.next()) {
            (Some(one), None) => Choice::Take(one),
            _ => Choice::Unclear,
        })
    }
}

/// Whether the words are a plain yes.
pub(super) fn agreed(folded: &str) -> bool {
    of(folded, &[Vec::new()]) == Some(Choice::Take(0)) && ordinal_free(folded)
}

fn ordinal_free(folded: &str) -> bool {
    let words: Vec<&str> = folded.split_whitespace().collect();
    (0..words.len()).all(|at| ordinal(&words, at).is_none() && words[at] != "last")
}

#[cfg(test)]
#[path = "choice_tests.rs"]
mod tests;
