//! A question as records are held against it: the words that matter, and what would answer it.

use super::evidence::Evidence;
use super::extract;
use super::sentence::overlap;
use super::word::{fold, has_any, meanings, number, stems};

/// Questions that want more than one sentence.
const WANTS_MORE: &[&str] = &[
    "how",
    "why",
    "explain",
    "tell me about",
    "tell me more",
    "details",
    "what happened",
    "describe",
    "more about",
    "summary",
    "policy",
];

const DATED: &[&str] = &[
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
    "montags",
    "freitags",
    "every",
];

const PLACED: &[&str] = &[
    "address", "adresse", "based in", "floor", "lies in", "liegt", "located", "lives in", "room",
    "sits in", "street", "works in",
];

const COUNTED: &[&str] = &[
    "how many",
    "how much",
    "how long",
    "how often",
    "cost",
    "costs",
    "price",
    "wie viele",
    "wie viel",
];

/// What ends the name of what is counted.
const VERBS: &[&str] = &[
    "are", "can", "did", "do", "does", "had", "has", "have", "is", "may", "of", "per", "was",
    "were", "will", "in", "on",
];

/// What a record that says where something is has besides.
pub(super) const PLACE: &str = "address";

/// What a sentence must have to answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Asks {
    Place,
    Moment,
    Number,
    Person,
    Anything,
}

/// What is asked.
#[derive(Debug)]
pub(super) struct Question<'a> {
    pub(super) words: &'a str,
    /// The meanings of its telling words.
    pub(super) wanted: Vec<String>,
    pub(super) asks: Asks,
    pub(super) wants_more: bool,
    /// What is counted, which no title stands in for.
    counted: Option<String>,
}

impl<'a> Question<'a> {
    pub(super) fn of(words: &'a str) -> Self {
        let folded = fold(words);
        let wants_more = has_any(&folded, WANTS_MORE) && !has_any(&folded, COUNTED);
        let (asks, mut wanted) = (asks(&folded), stems(words));
        // One word says too little of a place.
        if asks == Asks::Place && wanted.len() == 1 {
            wanted.extend(stems(PLACE));
        }
        Self { words, wanted, asks, wants_more, counted: counted(&folded) }
    }

    /// How many of its words a text has.
    pub(super) fn overlap(&self, text: &str) -> usize {
        overlap(&self.wanted, text)
    }

    /// Whether a text names what is counted, if something is.
    pub(super) fn counts(&self, text: &str) -> bool {
        self.counted.as_ref().is_none_or(|counted| overlap(std::slice::from_ref(counted), text) > 0)
    }

    pub(super) fn is_half(&self, count: usize) -> bool {
        count > 0 && count * 2 >= self.wanted.len()
    }

    pub(super) fn is_most(&self, count: usize) -> bool {
        count * 2 > self.wanted.len()
    }

    /// Whether a sentence has what such a question is answered by.
    pub(super) fn is_fit(&self, sentence: &str, record: &Evidence) -> bool {
        let folded = fold(sentence);
        let counts = folded.split_whitespace().any(|word| number(word).is_some())
            || folded.contains(|letter: char| letter.is_ascii_digit());
        match self.asks {
            Asks::Anything => true,
            Asks::Place => has_any(&folded, PLACED),
            Asks::Moment => has_any(&folded, DATED) || counts,
            Asks::Number => counts,
            Asks::Person => {
                let names_one = !extract::names(sentence).is_empty();
                names_one || sentence.contains("person:") || record.id.starts_with("person:")
            }
        }
    }
}

/// `days` in "how many vacation days do I get": the last telling word before the verb.
fn counted(folded: &str) -> Option<String> {
    let (_, behind) = folded.split_once(" how many ")?;
    let things = behind.split(' ').take_while(|word| !VERBS.contains(word));
    meanings(&things.collect::<Vec<_>>().join(" ")).pop()
}

fn asks(folded: &str) -> Asks {
    let begins = |words: &[&str]| {
        words.iter().any(|word| folded.starts_with(&format!(" {word} ")))
            || words.iter().any(|word| folded.contains(&format!(" and {word} ")))
    };
    match () {
        () if has_any(folded, COUNTED) => Asks::Number,
        () if begins(&["where", "wheres", "wo"]) => Asks::Place,
        () if begins(&["when", "whens", "wann", "what time", "which day", "what day"]) => {
            Asks::Moment
        }
        () if begins(&["who", "whos", "whose", "whom", "wer", "wen", "wem"]) => Asks::Person,
        () => Asks::Anything,
    }
}
