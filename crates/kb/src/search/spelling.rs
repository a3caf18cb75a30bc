//! Words of the index that match a query's word by prefix or by similar spelling.

use std::collections::BTreeMap;

use tantivy::Term;
use tantivy::query::{DfaWrapper, FuzzyTermQuery};

use super::SearchError;
use super::set::{ShardSet, failed};
use crate::shard::Shard;
use crate::shard::schema::Analysis;

/// The most corrections of a misspelled word.
const MOST_SPELLINGS: usize = 3;
/// The most words of a shard that are considered.
const MOST_SEEN: usize = 10_000;
/// Words of fewer letters are not corrected: too many others are similar.
const SHORTEST: usize = 4;
/// Minimum letters of a word in which two errors are corrected.
const LONG: usize = 8;
/// Minimum letters of a word that is not corrected, because its automaton needs megabytes.
const LONGEST: usize = 40;

/// A word of the index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct IndexWord {
    pub(super) word: String,
    pub(super) frequency: u64,
    /// Letters to add, drop, change or swap.
    distance: usize,
}

impl IndexWord {
    /// Its weight; a word that is spelled right has 1.
    pub(super) fn weight(&self) -> f32 {
        match self.distance {
            0 => 1.0,
            1 => 0.7,
            _ => 0.5,
        }
    }
}

/// Whether a word that no passage has may be a slip: numbers, short and very long words are not.
pub(super) fn may_be_wrong(word: &str) -> bool {
    (SHORTEST..LONGEST).contains(&word.chars().count()) && word.chars().all(char::is_alphabetic)
}

/// The words that begin so, most frequent first: `most` at most.
pub(super) fn beginning(
    set: &ShardSet,
    start: &str,
    most: usize,
) -> Result<Vec<IndexWord>, SearchError> {
    let mut found = BTreeMap::new();
    for shard in set.shards() {
        let terms = shard.postings(Analysis::Plain).terms();
        let range = match after(start) {
            Some(end) => terms.range().ge(start).lt(end),
            None => terms.range().ge(start),
        };
        let mut stream = range.into_stream().map_err(|error| failed(shard, &error.into()))?;
        count(&mut found, |tally| {
            stream.next().map(|(word, info)| tally(word, info.doc_freq)).is_some()
        });
    }
    Ok(best(found, |_| 0, most))
}

/// The least bytes above everything that begins so.
fn after(start: &str) -> Option<Vec<u8>> {
    let mut end = start.as_bytes().to_vec();
    let last = end.iter().rposition(|byte| *byte < u8::MAX)?;
    end.truncate(last + 1);
    end[last] += 1;
    Some(end)
}

/// The words that are spelled almost so, nearest first, then most frequent.
pub(super) fn nearest(set: &ShardSet, word: &str) -> Result<Vec<IndexWord>, SearchError> {
    let mut found = BTreeMap::new();
    let Some(first) = set.shards().first() else { return Ok(Vec::new()) };
    // The automaton is most of the work. It knows the word alone, so one does for all shards.
    let automaton = automaton(first, word).map_err(|error| failed(first, &error))?;
    for shard in set.shards() {
        alike(shard, &automaton, &mut found).map_err(|error| failed(shard, &error))?;
    }
    Ok(best(found, |known| strsim::osa_distance(word, known), MOST_SPELLINGS))
}

fn automaton(shard: &Shard, word: &str) -> tantivy::Result<DfaWrapper> {
    let reach = if word.chars().count() < LONG { 1 } else { 2 };
    let term = Term::from_field_text(shard.fields().words(Analysis::Plain), word);
    FuzzyTermQuery::new(term, reach, true).automaton()
}

fn alike(
    shard: &Shard,
    automaton: &DfaWrapper,
    found: &mut BTreeMap<String, u64>,
) -> tantivy::Result<()> {
    let mut stream = shard.postings(Analysis::Plain).terms().search(automaton).into_stream()?;
    count(found, |tally| stream.next().map(|(word, info)| tally(word, info.doc_freq)).is_some());
    Ok(())
}

/// Adds the words that `next` passes on to those found, until it has no more.
fn count(found: &mut BTreeMap<String, u64>, mut next: impl FnMut(&mut Tally<'_>) -> bool) {
    let mut add = |word: &[u8], frequency: u32| {
        if let Ok(word) = std::str::from_utf8(word) {
            *found.entry(word.to_owned()).or_default() += u64::from(frequency);
        }
    };
    let mut seen = 0;
    while seen < MOST_SEEN && next(&mut add) {
        seen += 1;
    }
}

/// Receives a word and the number of passages it occurs in.
type Tally<'a> = dyn FnMut(&[u8], u32) + 'a;

fn best(
    found: BTreeMap<String, u64>,
    distance: impl Fn(&str) -> usize,
    most: usize,
) -> Vec<IndexWord> {
    let known =
        |(word, frequency): (String, u64)| IndexWord { distance: distance(&word), word, frequency };
    let mut words: Vec<IndexWord> = found.into_iter().map(known).collect();
    // The words come sorted, and the sort keeps equals as they are.
    words.sort_by_key(|known| (known.distance, std::cmp::Reverse(known.frequency)));
    words.truncate(most);
    words
}
