//! The records that share the rarest words with a name. The work is bounded, whatever the name and
//! the number of records: a few words, a few passages of each, no ranking, no corrected spelling.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use tantivy::postings::TermInfo;
use tantivy::schema::IndexRecordOption;
use tantivy::{DocSet, TERMINATED, Term};

use super::SearchError;
use super::set::{ShardSet, failed};
use crate::shard::Shard;
use crate::shard::schema::Analysis;
use crate::words;

/// Words of a name that are looked up; further ones are ignored.
const MOST_WORDS: usize = 8;
/// Words whose passages are read: the rarest. Several, because the rarest may be a misspelt one.
const LEADING_WORDS: usize = 3;
/// Passages that are read of each leading word.
const MOST_PASSAGES: usize = 32;

/// A word of a name, and where it is in each shard that has it.
struct NameWord<'a> {
    stem: String,
    frequency: u64,
    shards: Vec<(&'a Shard, TermInfo)>,
}

/// The rows of at most `most` records; those with the rarest words of the name come first.
pub(super) fn rows(set: &ShardSet, name: &str, most: usize) -> Result<Vec<u64>, SearchError> {
    let mut words = look_up(set, name)?;
    words.sort_by_key(|word| word.frequency);
    // A bit for each leading word; the rarest has the highest.
    let mut shared: BTreeMap<u64, u32> = BTreeMap::new();
    for (place, word) in words.iter().take(LEADING_WORDS).enumerate() {
        for row in word.rows()? {
            *shared.entry(row).or_default() |= 1 << (LEADING_WORDS - place);
        }
    }
    let mut rows: Vec<(u64, u32)> = shared.into_iter().collect();
    rows.sort_by_key(|(_, shared)| Reverse(*shared));
    Ok(rows.into_iter().map(|(row, _)| row).take(most).collect())
}

/// The words of a name that occur in the shards, each once.
fn look_up<'a>(set: &'a ShardSet, name: &str) -> Result<Vec<NameWord<'a>>, SearchError> {
    let mut found: Vec<NameWord<'_>> = Vec::new();
    let words = words::words(name).into_iter().filter(|word| !words::is_stop(&word.text));
    for stem in words.take(MOST_WORDS).map(|word| words::stem(&word.text)) {
        if found.iter().any(|known| known.stem == stem) {
            continue;
        }
        let mut word = NameWord { stem, frequency: 0, shards: Vec::new() };
        for shard in set.shards() {
            let term = Term::from_field_text(shard.fields().words(Analysis::Stems), &word.stem);
            let info = shard.postings(Analysis::Stems).get_term_info(&term);
            let info = info.map_err(|error| failed(shard, &error.into()))?;
            word.frequency += info.as_ref().map_or(0, |info| u64::from(info.doc_freq));
            word.shards.extend(info.map(|info| (&**shard, info)));
        }
        found.push(word);
    }
    found.retain(|word| word.frequency > 0);
    Ok(found)
}

impl NameWord<'_> {
    /// The rows of its first passages, each once.
    fn rows(&self) -> Result<Vec<u64>, SearchError> {
        let mut rows = Vec::new();
        let mut left = MOST_PASSAGES;
        for (shard, info) in &self.shards {
            let index = shard.postings(Analysis::Stems);
            let postings = index.read_postings_from_terminfo(info, IndexRecordOption::Basic);
            let mut postings = postings.map_err(|error| failed(shard, &error.into()))?;
            while left > 0 && postings.doc() != TERMINATED {
                rows.push(shard.row(postings.doc()));
                left -= 1;
                postings.advance();
            }
        }
        // The passages of a record follow one another.
        rows.dedup();
        Ok(rows)
    }
}
