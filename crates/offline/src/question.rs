//! A parsed question: the words that matter, and the kind of answer.

use super::evidence::Evidence;
use super::extract;
use super::sentence::overlap;
use super::word::{fold, has, has_any, is_telling, meanings, number, stem, stems};

/// Phrases of questions that want more than one sentence.
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

const METHODS: &[&str] = &["how do i", "how do we", "how can i", "how to", "what do i do"];

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

/// Words that name people by their role.
const ROLES: &[&str] = &[
    "accountant",
    "administrator",
    "coordinator",
    "director",
    "editor",
    "founder",
    "lead",
    "leads",
    "manager",
    "office",
    "owner",
    "producer",
    "producers",
    "supervisor",
    "team",
];

/// Stems in a question for a time that are not its subject.
const OF_MOMENTS: &[&str] = &["begin", "date", "day", "hour", "start", "time"];

/// Verbs that end the name of the counted thing.
const VERBS: &[&str] = &[
    "are", "can", "did", "do", "does", "had", "has", "have", "is", "may", "of", "per", "was",
    "were", "will", "in", "on",
];

/// The stem that a record about a place has.
pub(super) const PLACE: &str = "address";

/// The kind of answer that a sentence must contain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ExpectedAnswer {
    Place,
    Moment,
    Number,
    Person,
    Anything,
}

/// A question of the person.
#[derive(Debug)]
pub(super) struct ParsedQuestion<'a> {
    pub(super) words: &'a str,
    /// The stems of its significant words.
    pub(super) wanted: Vec<String>,
    pub(super) asks: ExpectedAnswer,
    pub(super) wants_more: bool,
    /// Whether it asks how something is done.
    pub(super) is_method: bool,
    /// The counted thing, which the sentence itself has to name.
    counted: Option<String>,
}

impl<'a> ParsedQuestion<'a> {
    pub(super) fn of(words: &'a str) -> Self {
        let folded = fold(words);
        let wants_more = has_any(&folded, WANTS_MORE) && !has_any(&folded, COUNTED);
        let (asks, mut wanted) = (asks(&folded), stems(words));
        // "What time do dailies start?" is about dailies; the other words show the kind of answer.
        let tells =
            |word: &String| asks != ExpectedAnswer::Moment || !OF_MOMENTS.contains(&word.as_str());
        if wanted.iter().any(tells) {
            wanted.retain(tells);
        }
        // One word is too little for a question about a place.
        if asks == ExpectedAnswer::Place && wanted.len() == 1 {
            wanted.extend(stems(PLACE));
        }
        let is_method = has_any(&folded, METHODS);
        Self { words, wanted, asks, wants_more, is_method, counted: counted(&folded) }
    }

    /// How many of its words a text has.
    pub(super) fn overlap(&self, text: &str) -> usize {
        overlap(&self.wanted, text)
    }

    /// Whether a sentence with `own` of the words, in a record with `within` of them, may answer:
    /// half of them in the sentence, or a third if its title has nearly all of the others.
    pub(super) fn is_answered(&self, own: usize, within: usize) -> bool {
        let all = self.wanted.len();
        let helped = own * 3 >= all && own > 0 && within * 4 >= all * 3;
        (self.is_half(own) && self.is_most(within)) || helped
    }

    /// Whether a text names the counted thing; true if nothing is counted.
    pub(super) fn counts(&self, text: &str) -> bool {
        self.counted.as_ref().is_none_or(|counted| overlap(std::slice::from_ref(counted), text) > 0)
    }

    pub(super) fn is_half(&self, count: usize) -> bool {
        count > 0 && count * 2 >= self.wanted.len()
    }

    pub(super) fn is_third(&self, count: usize) -> bool {
        count > 0 && count * 3 >= self.wanted.len()
    }

    pub(super) fn is_most(&self, count: usize) -> bool {
        count * 2 > self.wanted.len()
    }

    /// Whether a sentence contains the kind of answer that the question expects.
    pub(super) fn is_fit(&self, sentence: &str, record: &Evidence) -> bool {
        let folded = fold(sentence);
        let counts = folded.split_whitespace().any(|word| number(word).is_some())
            || folded.contains(|letter: char| letter.is_ascii_digit());
        match self.asks {
            ExpectedAnswer::Anything => true,
            ExpectedAnswer::Place => has_any(&folded, PLACED),
            ExpectedAnswer::Moment => has_any(&folded, DATED) || counts,
            ExpectedAnswer::Number => counts && self.is_counted(&folded),
            ExpectedAnswer::Person => {
                let names_one = !extract::names(sentence).is_empty();
                names_one
                    || sentence.contains("person:")
                    || record.is_person()
                    || self.has_role(&folded)
            }
        }
    }

    /// Whether a number is directly before the counted thing, with at most one word between: "148
    /// shots", "30 paid days", and not "at 17:00 for shots".
    fn is_counted(&self, folded: &str) -> bool {
        let Some(counted) = &self.counted else { return true };
        let words: Vec<&str> = folded.split_whitespace().collect();
        let is_number = |at: Option<usize>| {
            let word = at.and_then(|at| words.get(at).copied()).unwrap_or_default();
            number(word).is_some() || word.starts_with(|letter: char| letter.is_ascii_digit())
        };
        (0..words.len()).filter(|at| stem(words[*at]) == *counted).any(|at| {
            let before = at.checked_sub(1);
            let apart = before.is_some_and(|before| is_telling(words[before]));
            is_number(before) || (apart && is_number(at.checked_sub(2)))
        })
    }

    /// Whether a folded sentence names a role that is not in the question.
    fn has_role(&self, folded: &str) -> bool {
        let asked = fold(self.words);
        ROLES.iter().any(|role| has(folded, role) && !has(&asked, role))
    }

    /// Whether a sentence has to contain a person, a number or a time to answer.
    pub(super) fn is_strict(&self) -> bool {
        self.wanted.len() < 2
            || matches!(
                self.asks,
                ExpectedAnswer::Person | ExpectedAnswer::Number | ExpectedAnswer::Moment
            )
    }
}

/// `days` in "how many vacation days do I get": the last significant word before the verb.
fn counted(folded: &str) -> Option<String> {
    let (_, behind) = folded.split_once(" how many ")?;
    let things = behind.split(' ').take_while(|word| !VERBS.contains(word));
    meanings(&things.collect::<Vec<_>>().join(" ")).pop()
}

fn asks(folded: &str) -> ExpectedAnswer {
    let begins = |words: &[&str]| {
        words.iter().any(|word| folded.starts_with(&format!(" {word} ")))
            || words.iter().any(|word| folded.contains(&format!(" and {word} ")))
    };
    match () {
        () if has_any(folded, COUNTED) => ExpectedAnswer::Number,
        () if begins(&["where", "wheres", "wo"]) => ExpectedAnswer::Place,
        () if begins(&["when", "whens", "wann", "what time", "which day", "what day"]) => {
            ExpectedAnswer::Moment
        }
        () if begins(&["who", "whos", "whose", "whom", "wer", "wen", "wem"]) => {
            ExpectedAnswer::Person
        }
        () => ExpectedAnswer::Anything,
    }
}
