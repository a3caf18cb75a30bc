//! What a query says: words, `"phrases"` that must occur, prefixes (`rev*`). All else is
//! text, so no query is wrong. It is read without any index: what words there are and
//! what they weigh is the search's.

pub(crate) mod date;

use crate::words::{self, Word};

/// Words that a query may have; further ones are not looked for. Of a query that long,
/// the search ranks by the rarest.
pub(crate) const MOST_WORDS: usize = 256;
/// Words of a phrase that are compared.
const LONGEST_PHRASE: usize = 64;
/// Phrases that are looked for.
const MOST_PHRASES: usize = 16;
/// Letters a prefix must have, so that it stands for few enough words.
const SHORTEST_PREFIX: usize = 2;

/// A query, read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Query {
    /// Each once, in the order of the query.
    pub(crate) words: Vec<QueryWord>,
    /// The words of each with their places.
    pub(crate) phrases: Vec<Vec<(usize, String)>>,
    /// The whole as a title would be kept.
    pub(crate) title: Option<String>,
}

/// A word to look for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct QueryWord {
    pub(crate) text: String,
    pub(crate) part: Part,
    /// How often the query has it.
    pub(crate) count: u32,
}

/// What is known of the word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    Whole,
    Beginning,
}

/// Reads a query. One without any word has no words.
pub(crate) fn parse(text: &str) -> Query {
    let mut query = Query { title: words::normalised(text), ..Query::default() };
    let mut found = Vec::new();
    for (place, part) in quoted(text).into_iter().enumerate() {
        let words = words::words(part);
        if place % 2 == 1 && !words.is_empty() && query.phrases.len() < MOST_PHRASES {
            query.phrases.push(phrase(&words));
        }
        found.extend(words.into_iter().map(|word| kind(part, word)));
    }
    if found.iter().any(|(word, _)| !words::is_filler(word)) {
        found.retain(|(word, part)| *part == Part::Beginning || !words::is_filler(word));
    }
    found.into_iter().for_each(|(word, part)| query.add(word, part));
    query
}

impl Query {
    fn add(&mut self, text: String, part: Part) {
        let full = self.words.len() >= MOST_WORDS;
        let known = self.words.iter_mut().find(|word| word.text == text && word.part == part);
        match known {
            Some(word) => word.count = word.count.saturating_add(1),
            None if !full => self.words.push(QueryWord { text, part, count: 1 }),
            None => {}
        }
    }
}

/// The text between quotation marks and the text around it, in turn, beginning with what
/// is not quoted. A mark without a partner is text.
fn quoted(text: &str) -> Vec<&str> {
    let mark = |c: char| matches!(c, '"' | '“' | '”' | '„' | '«' | '»');
    let mut parts: Vec<&str> = text.split(mark).collect();
    if parts.len().is_multiple_of(2) {
        parts.insert(parts.len() - 1, "");
    }
    parts
}

fn phrase(words: &[Word]) -> Vec<(usize, String)> {
    let first = words.first().map_or(0, |word| word.position);
    let place = |word: &Word| (word.position - first, word.text.clone());
    words.iter().take(LONGEST_PHRASE).map(place).collect()
}

/// A word before a star is a beginning; so is one letter of a script without spaces,
/// which records have only as a part of pairs.
fn kind(text: &str, word: Word) -> (String, Part) {
    let star = text[word.range.end..].starts_with('*');
    let long = word.text.chars().count() >= SHORTEST_PREFIX;
    let part =
        if star && long || words::is_lone(&word.text) { Part::Beginning } else { Part::Whole };
    (word.text, part)
}

#[cfg(test)]
#[path = "query_tests.rs"]
mod tests;
