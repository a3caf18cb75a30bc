//! The terms of the index that a query is searched by: each of its words with the matching terms
//! and their weights.

use tantivy::query::Bm25Weight;
use tantivy::{Score, Term};

use super::SearchError;
use super::explain::Expansion;
use super::set::ShardSet;
use super::spelling::{self, IndexWord};
use crate::query::{Query, QueryWord, WordFacts};
use crate::shard::Shard;
use crate::shard::schema::Analysis;
use crate::snippet::SoughtWords;
use crate::words;

/// Words of a query that rank: the rarest.
const MOST_RANKED: usize = 48;
/// Maximum words of a query that are expanded by prefix or spelling. Further ones are searched as
/// written.
const MOST_EXPANDED: usize = 8;
/// Maximum words for all prefixes of a query: the most frequent of each.
const MOST_BEGINNINGS: usize = 64;
/// Saturation of term frequency; tantivy's.
const K1: f32 = 1.2;

/// The words and terms to rank by.
#[derive(Debug)]
pub(crate) struct Terms {
    pub(crate) words: Vec<RankedWord>,
    /// The highest BM25 score that a passage could reach with the query. Words that no passage
    /// has count too: a passage with all the others does not have the whole query.
    pub(crate) full: f32,
    pub(super) passages: u64,
    /// How many words the passages have, by analysis.
    sizes: [u64; 2],
}

/// A word of the query.
#[derive(Debug)]
pub(crate) struct RankedWord {
    pub(crate) text: String,
    pub(crate) count: u32,
    pub(crate) idf: f32,
    /// The terms that count as it: itself, or those it was expanded to.
    pub(crate) terms: Vec<RankedTerm>,
    pub(crate) expansion: Expansion,
}

/// A term of the index.
#[derive(Debug)]
pub(crate) struct RankedTerm {
    pub(crate) text: String,
    /// The word as written, for snippets and explanations.
    pub(crate) word: String,
    pub(crate) analysis: Analysis,
    /// The frequency it is weighed by; that of all terms together for a prefix.
    pub(crate) frequency: u64,
    /// How much it counts beside the word itself, which counts 1.
    pub(crate) weight: f32,
}

impl Terms {
    pub(super) fn resolve(query: &Query, set: &ShardSet) -> Result<Self, SearchError> {
        let prefixes = query.words.iter().filter(|word| word.part == WordFacts::Beginning).count();
        let each = MOST_BEGINNINGS / prefixes.clamp(1, MOST_EXPANDED);
        let mut words: Vec<RankedWord> = Vec::with_capacity(query.words.len());
        for word in &query.words {
            let expanded = words.iter().filter(|word| word.expansion != Expansion::Itself).count();
            let most = if expanded < MOST_EXPANDED { each } else { 0 };
            words.push(resolve(word, set, most)?);
        }
        words.sort_by(|a, b| b.idf.total_cmp(&a.idf));
        words.truncate(MOST_RANKED);
        let full = words.iter().map(RankedWord::most).sum();
        let sizes = [Analysis::Stems, Analysis::Plain].map(|analysis| set.words(analysis));
        Ok(Self { words, full, passages: set.passages(), sizes })
    }

    pub(super) fn words_in(&self, analysis: Analysis) -> u64 {
        match analysis {
            Analysis::Stems => self.sizes[0],
            Analysis::Plain => self.sizes[1],
        }
    }

    /// Every term with its word.
    pub(super) fn terms(&self) -> impl Iterator<Item = (usize, &RankedTerm)> {
        let words = self.words.iter().enumerate();
        words.flat_map(|(place, word)| word.terms.iter().map(move |term| (place, term)))
    }

    /// How a term scores, times how often the query has its word.
    pub(super) fn weight(&self, word: usize, term: &RankedTerm) -> Bm25Weight {
        let average = self.words_in(term.analysis) as f32 / self.passages as f32;
        let weight =
            Bm25Weight::for_one_term_without_explain(term.frequency, self.passages, average);
        weight.boost_by(self.words[word].boost(term))
    }

    /// The words that snippets mark as found.
    pub(super) fn shown(&self) -> SoughtWords {
        let mut sought = SoughtWords::default();
        for (_, term) in self.terms() {
            match term.analysis {
                Analysis::Stems => sought.stems.insert(term.text.clone()),
                Analysis::Plain => sought.words.insert(term.text.clone()),
            };
        }
        sought
    }
}

impl RankedWord {
    /// The highest score a passage could have for the word.
    pub(super) fn most(&self) -> f32 {
        self.idf * (K1 + 1.0) * self.count as f32
    }

    /// The factor of a term of the word.
    pub(super) fn boost(&self, term: &RankedTerm) -> Score {
        term.weight * self.count as f32
    }
}

impl RankedTerm {
    pub(super) fn term(&self, shard: &Shard) -> Term {
        Term::from_field_text(shard.fields().words(self.analysis), &self.text)
    }
}

/// The terms of a word, with at most `most` others.
fn resolve(word: &QueryWord, set: &ShardSet, most: usize) -> Result<RankedWord, SearchError> {
    if word.part == WordFacts::Beginning && most > 0 {
        let known = spelling::beginning(set, &word.text, most)?;
        return Ok(prefix(word, set, known));
    }
    let (analysis, text) = match words::is_stop(&word.text) {
        true => (Analysis::Plain, word.text.clone()),
        false => (Analysis::Stems, words::stem(&word.text)),
    };
    let frequency = set.frequency(analysis, &text)?;
    if frequency == 0 && most > 0 && spelling::may_be_wrong(&word.text) {
        let known = spelling::nearest(set, &word.text)?;
        return respelled(word, set, known);
    }
    let term = RankedTerm { text, word: word.text.clone(), analysis, frequency, weight: 1.0 };
    let terms = if frequency == 0 { Vec::new() } else { vec![term] };
    Ok(ranked(word, set.rarity(frequency), terms, Expansion::Itself))
}

/// All words with the prefix count as one word.
fn prefix(word: &QueryWord, set: &ShardSet, known: Vec<IndexWord>) -> RankedWord {
    let frequency = known.iter().map(|known| known.frequency).sum::<u64>().min(set.passages());
    let term = |known: IndexWord| RankedTerm {
        text: known.word.clone(),
        word: known.word,
        analysis: Analysis::Plain,
        frequency,
        weight: 1.0,
    };
    let terms = known.into_iter().map(term).collect();
    ranked(word, set.rarity(frequency), terms, Expansion::Prefix)
}

/// Words that are spelled alike count less than the word itself would.
fn respelled(
    word: &QueryWord,
    set: &ShardSet,
    known: Vec<IndexWord>,
) -> Result<RankedWord, SearchError> {
    let mut terms: Vec<RankedTerm> = Vec::new();
    for known in known {
        let text = words::stem(&known.word);
        if words::is_stop(&known.word) || terms.iter().any(|term| term.text == text) {
            continue;
        }
        let (analysis, weight) = (Analysis::Stems, known.weight());
        let frequency = set.frequency(analysis, &text)?;
        terms.push(RankedTerm { text, word: known.word, analysis, frequency, weight });
    }
    let rarest = terms.iter().map(|term| term.frequency).min().unwrap_or(0);
    Ok(ranked(word, set.rarity(rarest), terms, Expansion::Spelling))
}

fn ranked(word: &QueryWord, idf: f32, terms: Vec<RankedTerm>, expansion: Expansion) -> RankedWord {
    RankedWord { text: word.text.clone(), count: word.count, idf, terms, expansion }
}
