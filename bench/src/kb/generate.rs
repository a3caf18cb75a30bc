//! Records and queries for measurements: real sentences in new combinations, no two records equal,
//! the same on every machine.

use aileron_contract::kb::{Namespace, Record};
use serde_json::{Map, json};

use super::chance::Chance;
use super::text::Text;

/// The tag of one record in ten.
pub(crate) const TENTH: &str = "field-notes";
/// The tag of one record in a thousand.
pub(crate) const THOUSANDTH: &str = "board-review";
/// How many other tags there are.
const TOPICS: usize = 500;
const RECORDS: u64 = 20;
const QUERIES: u64 = 77;
/// The probability of a type is its frequency in this list.
const KINDS: [&str; 10] =
    ["doc", "doc", "doc", "doc", "doc", "project", "project", "process", "link", "person"];

/// Makes records of a text.
#[derive(Debug)]
pub(crate) struct Generator {
    text: Text,
    topics: Vec<String>,
}

impl Generator {
    pub(crate) fn new(text: Text) -> Self {
        let topics = topics(&text);
        Self { text, topics }
    }

    pub(crate) fn source(&self) -> &'static str {
        self.text.source
    }

    /// The record of a number.
    pub(crate) fn record(&self, number: usize) -> Record {
        let mut chance = Chance::of(RECORDS, number as u64);
        let kind = *chance.pick(&KINDS);
        let sentences: Vec<_> =
            (0..chance.between(3, 6)).map(|_| chance.pick(&self.text.sentences).as_str()).collect();
        Record {
            id: id(kind, number),
            kind: kind.into(),
            title: self.title(&mut chance),
            text: sentences.join(". ") + ".",
            namespace: namespace(&mut chance),
            tags: self.tags(&mut chance),
            source_type: "generated".into(),
            last_updated: date(&mut chance),
            url: Some(format!("https://kb.example/{kind}/{number}")),
            metadata: Map::from_iter([(
                "owner".to_owned(),
                json!(format!("team-{}", chance.below(40))),
            )]),
        }
    }

    /// Some words of a title in their order.
    fn title(&self, chance: &mut Chance) -> String {
        let words: Vec<_> = chance.pick(&self.text.titles).split_whitespace().collect();
        let count = chance.between(4, 9).min(words.len());
        let start = chance.below(words.len() - count + 1);
        words[start..start + count].join(" ")
    }

    fn tags(&self, chance: &mut Chance) -> Vec<String> {
        let count = chance.between(1, 4);
        let mut tags: Vec<_> =
            (0..count).map(|_| self.topics[chance.zipf(self.topics.len())].clone()).collect();
        for (tag, one_in) in [(TENTH, 10), (THOUSANDTH, 1000)] {
            tags.extend((chance.below(one_in) == 0).then(|| tag.to_owned()));
        }
        tags.sort();
        tags.dedup();
        tags
    }

    /// Plausible queries: some of the significant words of a sentence.
    pub(crate) fn queries(&self, count: usize) -> Vec<String> {
        let mut chance = Chance::of(QUERIES, 0);
        let mut queries: Vec<String> = Vec::new();
        while queries.len() < count {
            let sentence: &String = chance.pick(&self.text.sentences);
            let mut words = key_words(sentence);
            let wanted = chance.between(3, 8);
            while words.len() > wanted {
                words.remove(chance.below(words.len()));
            }
            let query = words.join(" ");
            if words.len() >= 3 && !queries.contains(&query) {
                queries.push(query);
            }
        }
        queries
    }
}

/// The id, which contains the number of the record.
fn id(kind: &str, number: usize) -> String {
    format!("{kind}:entry_{number}")
}

/// The number of the record that has this id.
pub(crate) fn number(id: &str) -> Option<usize> {
    id.rsplit_once('_')?.1.parse().ok()
}

fn namespace(chance: &mut Chance) -> Namespace {
    match chance.below(10) {
        0 => Namespace::Personal,
        1 | 2 => Namespace::Public,
        _ => Namespace::Studio,
    }
}

fn date(chance: &mut Chance) -> String {
    let (year, month, day) =
        (chance.between(2019, 2026), chance.between(1, 12), chance.between(1, 28));
    format!("{year}-{month:02}-{day:02}T{:02}:00:00Z", chance.below(24))
}

/// Words of titles, as tags.
fn topics(text: &Text) -> Vec<String> {
    let words = text.titles.iter().chain(&text.sentences).flat_map(|text| key_words(text));
    let mut topics: Vec<String> = Vec::new();
    for word in words.map(str::to_lowercase).filter(|word| word.len() >= 6) {
        if !topics.contains(&word) {
            topics.push(word);
        }
        if topics.len() == TOPICS {
            break;
        }
    }
    topics
}

/// The words of a sentence that are not grammar.
fn key_words(sentence: &str) -> Vec<&str> {
    const GRAMMAR: [&str; 24] = [
        "that", "with", "were", "this", "these", "from", "have", "which", "been", "their", "than",
        "also", "both", "more", "those", "between", "into", "such", "here", "when", "there",
        "while", "after", "other",
    ];
    let mut words: Vec<&str> = Vec::new();
    for word in sentence.split(|c: char| !c.is_alphanumeric()) {
        let plain = word.len() >= 4 && word.chars().all(|c| c.is_ascii_alphabetic());
        if plain && !GRAMMAR.contains(&word.to_lowercase().as_str()) && !words.contains(&word) {
            words.push(word);
        }
    }
    words
}

#[cfg(test)]
#[path = "generate_tests.rs"]
mod tests;
