//! The shards that are searched together, and the statistics over all of them. A record's score
//! therefore does not depend on which shard it is in, and depends on nothing but records of the
//! namespaces that are searched.

use std::sync::{Arc, OnceLock};

use aileron_contract::kb::Namespace;
use tantivy::TantivyError;

use super::SearchError;
use crate::embed::{Model, TokenStatistics};
use crate::shard::Shard;
use crate::shard::schema::Analysis;

/// All shards of an index, to be searched by namespaces: frequencies, lengths and spellings are
/// computed from the requested namespaces only, so an answer reveals nothing about the others.
#[derive(Debug, Default)]
pub(crate) struct ShardsByNamespace {
    shards: Vec<Arc<Shard>>,
    /// One for each set of namespaces; computed on first use.
    sets: [OnceLock<ShardSet>; 1 << Namespace::ALL.len()],
}

impl ShardsByNamespace {
    pub(crate) fn new(shards: Vec<Arc<Shard>>) -> Self {
        Self { shards, sets: Default::default() }
    }

    pub(crate) fn all(&self) -> &[Arc<Shard>] {
        &self.shards
    }

    /// The shards of these namespaces; none for no namespace.
    pub(crate) fn of(&self, namespaces: &[Namespace]) -> &ShardSet {
        let bits = Namespace::ALL.iter().enumerate().filter(|(_, it)| namespaces.contains(it));
        let set = bits.fold(0, |set, (bit, _)| set | 1 << bit);
        let is_asked = |shard: &&Arc<Shard>| namespaces.contains(&shard.namespace());
        let count = || ShardSet::new(self.shards.iter().filter(is_asked).cloned().collect());
        self.sets[set].get_or_init(count)
    }
}

/// Shards with their common statistics.
#[derive(Debug, Clone, Default)]
pub(crate) struct ShardSet {
    shards: Vec<Arc<Shard>>,
    passages: u64,
    stems: u64,
    plain: u64,
    tokens: TokenStatistics,
}

impl ShardSet {
    /// Counts over the shards. Dead passages count until their shard is rebuilt.
    pub(crate) fn new(shards: Vec<Arc<Shard>>) -> Self {
        let words =
            |analysis| shards.iter().map(|shard| shard.postings(analysis).total_num_tokens()).sum();
        let mut tokens = TokenStatistics::default();
        shards.iter().for_each(|shard| tokens.merge(shard.tokens()));
        let passages = shards.iter().map(|shard| u64::from(shard.passages())).sum();
        Self {
            passages,
            stems: words(Analysis::Stems),
            plain: words(Analysis::Plain),
            tokens,
            shards,
        }
    }

    pub(crate) fn shards(&self) -> &[Arc<Shard>] {
        &self.shards
    }

    pub(crate) fn passages(&self) -> u64 {
        self.passages
    }

    pub(crate) fn tokens(&self) -> &TokenStatistics {
        &self.tokens
    }

    /// How many words the passages have.
    pub(super) fn words(&self, analysis: Analysis) -> u64 {
        match analysis {
            Analysis::Stems => self.stems,
            Analysis::Plain => self.plain,
        }
    }

    /// In how many passages a word occurs.
    pub(super) fn frequency(&self, analysis: Analysis, word: &str) -> Result<u64, SearchError> {
        let mut sum = 0;
        for shard in &self.shards {
            sum +=
                u64::from(shard.frequency(analysis, word).map_err(|error| failed(shard, &error))?);
        }
        Ok(sum)
    }

    /// The inverse document frequency of a word that occurs in this number of passages.
    pub(super) fn rarity(&self, frequency: u64) -> f32 {
        let frequency = frequency.min(self.passages);
        let odds = ((self.passages - frequency) as f32 + 0.5) / (frequency as f32 + 0.5);
        (1.0 + odds).ln()
    }

    /// Whether every shard has the vectors of the model.
    pub(super) fn check_model(&self, model: &Model) -> Result<(), SearchError> {
        let other = self.shards.iter().find(|shard| shard.dim() != Some(model.dim));
        other.map_or(Ok(()), |shard| {
            let (found, shard) = (shard.dim(), shard.dir().to_owned());
            Err(SearchError::Model { expected: model.dim, found, shard })
        })
    }
}

/// A shard that could not be read.
pub(super) fn failed(shard: &Shard, error: &TantivyError) -> SearchError {
    SearchError::Index { shard: shard.dir().to_owned(), what: error.to_string() }
}

#[cfg(test)]
#[path = "set_tests.rs"]
mod tests;
