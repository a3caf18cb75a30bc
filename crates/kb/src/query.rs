//! Parses a query: words, `"phrases"` that are to occur, prefixes (`rev*`). All else is text, so
//! there is no invalid query. Parsing needs no index: the search looks the words up and weighs
//! them.

pub(crate) mod date;
mod quotation;

use crate::words::{self, Word};

/// Characters of a query that are read.
pub(crate) const LONGEST: usize = 4_000;

/// Maximum words of a query; further ones are ignored. For a long query, the search ranks by the
/// rarest words.
pub(crate) const MOST_WORDS: usize = 256;
/// Words of a phrase that are compared.
const LONGEST_PHRASE: usize = 64;
/// Maximum phrases of a query.
const MOST_PHRASES: usize = 16;
/// Minimum letters of a prefix, so that it matches few words.
const SHORTEST_PREFIX: usize = 2;

/// A parsed query.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Query {
    /// Each once, in the order of the query.
    pub(crate) words: Vec<QueryWord>,
    pub(crate) phrases: Vec<Phrase>,
    /// The whole query in the form of stored titles.
    pub(crate) title: Option<String>,
    /// Whether the text was longer than the part of a query that is read.
    pub(crate) is_cut: bool,
}

/// Words that are to occur next to each other and in this order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Phrase {
    /// As written in the query.
    pub(crate) text: String,
    /// The words with their places.
    pub(crate) words: Vec<(usize, String)>,
}

/// A word of a query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct QueryWord {
    pub(crate) text: String,
    pub(crate) part: WordFacts,
    /// How often the query has it.
    pub(crate) count: u32,
}

/// How much of the word the query has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WordFacts {
    Whole,
    Beginning,
}

/// Parses a query.
pub(crate) fn parse(text: &str) -> Query {
    let whole = text.len();
    let text = beginning(text);
    let is_cut = text.len() < whole;
    let phrases = quotation::quoted(text).into_iter().filter_map(phrase).take(MOST_PHRASES);
    let phrases = phrases.collect();
    let mut query = Query { title: words::normalised(text), phrases, is_cut, words: Vec::new() };
    let mut found: Vec<(String, WordFacts)> =
        words::words(text).into_iter().map(|word| kind(text, word)).collect();
    if found.iter().any(|(word, _)| !words::is_filler(word)) {
        found.retain(|(word, part)| *part == WordFacts::Beginning || !words::is_filler(word));
    }
    found.into_iter().for_each(|(word, part)| query.add(word, part));
    query
}

impl Query {
    fn add(&mut self, text: String, part: WordFacts) {
        let full = self.words.len() >= MOST_WORDS;
        let known = self.words.iter_mut().find(|word| word.text == text && word.part == part);
        match known {
            Some(word) => word.count = word.count.saturating_add(1),
            None if !full => self.words.push(QueryWord { text, part, count: 1 }),
            None => self.is_cut = true,
        }
    }
}

/// The part of a text that is read.
pub(crate) fn beginning(text: &str) -> &str {
    let end = text.char_indices().nth(LONGEST).map_or(text.len(), |(end, _)| end);
    text.get(..end).unwrap_or(text)
}

/// The phrase of a quoted text; none without words.
fn phrase(text: &str) -> Option<Phrase> {
    let words = words::words(text);
    let first = words.first()?.position;
    let place = |word: Word| (word.position - first, word.text);
    let words = words.into_iter().take(LONGEST_PHRASE).map(place).collect();
    Some(Phrase { text: text.to_owned(), words })
}

/// A word before a star is a beginning; so is one letter of a script without spaces,
/// which records have only as a part of pairs.
fn kind(text: &str, word: Word) -> (String, WordFacts) {
    let star = text[word.range.end..].starts_with('*');
    let long = word.text.chars().count() >= SHORTEST_PREFIX;
    let part = if star && long || words::is_lone(&word.text) {
        WordFacts::Beginning
    } else {
        WordFacts::Whole
    };
    (word.text, part)
}

#[cfg(test)]
#[path = "query_tests.rs"]
mod tests;
