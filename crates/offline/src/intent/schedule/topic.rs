//! The topic of a meeting: a quotation, or the words after a word like "about".

use crate::date_time;
use crate::extract;
use crate::word::{fold, number};

const LEADS: &[&str] = &["about", "titled", "called", "regarding"];

/// Words that end a topic anywhere.
const ENDS: &[&str] = &["with", "instead", "please"];

/// Words that end a topic if a day, a time or a length follows.
const BEFORE_A_TIME: &[&str] = &[
    "after", "around", "at", "before", "between", "by", "for", "from", "in", "next", "on", "this",
    "until",
];

/// Words that begin a time, besides a number and a day; an article may come before them.
const TIMES: &[&str] = &[
    "afternoon",
    "evening",
    "half",
    "hour",
    "mon",
    "month",
    "morning",
    "noon",
    "quarter",
    "sat",
    "sun",
    "wed",
    "week",
];
const ARTICLES: &[&str] = &["a", "an", "the"];

pub(super) fn of(words: &str) -> Option<String> {
    let quoted = extract::quoted(words).into_iter().next();
    quoted.or_else(|| words.lines().rev().find_map(named))
}

fn named(line: &str) -> Option<String> {
    let behind = extract::after(line, LEADS)?;
    let words: Vec<&str> = behind.split_whitespace().collect();
    let mut topic: Vec<&str> = Vec::new();
    for (at, word) in words.iter().enumerate() {
        if ends(&words, at) {
            break;
        }
        topic.push(word.trim_end_matches([',', '.', '?', '!', ';']));
        if word.ends_with([',', '.', '?', '!', ';']) {
            break;
        }
    }
    let topic = topic.join(" ");
    let topic = topic.trim_start_matches("the ").trim_start_matches("The ");
    let mut letters = topic.chars();
    let first = letters.next()?;
    Some(format!("{}{}", first.to_uppercase(), letters.as_str()))
}

/// Whether a topic ends before a word. "The Friday review" is a topic; "on Friday" is none.
fn ends(words: &[&str], at: usize) -> bool {
    let folded = |at: usize| words.get(at).map(|word| fold(word).trim().to_owned());
    let word = folded(at).unwrap_or_default();
    let next = folded(at + 1).unwrap_or_default();
    let article = ARTICLES.contains(&next.as_str());
    let next = if article { folded(at + 2).unwrap_or_default() } else { next };
    let times = next.starts_with(|letter: char| letter.is_ascii_digit())
        || TIMES.contains(&next.as_str())
        || number(&next).is_some()
        || date_time::is_day(&next)
        || date_time::is_month(&next);
    let named = at > 0 && date_time::is_day(&word) && folded(at - 1).as_deref() != Some("the");
    ENDS.contains(&word.as_str()) || named || (times && BEFORE_A_TIME.contains(&word.as_str()))
}
