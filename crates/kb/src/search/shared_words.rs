//! The records that share the rarest words with a name. The work is bounded, whatever the name and
//! the number of records: a few words, a few passages of each, no ranking, no corrected spelling.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use tantivy::postings::SegmentPostings;
use tantivy::schema::IndexRecordOption;
use tantivy::{DocSet, TERMINATED, Term};

use super::SearchError;
use super::set::{ShardSet, failed};
use crate::shard::Shard;
use crate::shard::schema::Analysis;
use crate::words;

/// Words of a name that are looked up; further ones are ignored.
const MOST_WORDS: usize = 8;
/// Words whose passages are read: the rarest. Two, because the rarest may be the misspelt one.
const LEADING_WORDS: usize = 2;
/// Passages that are read of each leading word.
const MOST_PASSAGES: usize = 64;

/// The rows of at most `most` records; those that share most words with the name come first.
pub(super) fn rows(set: &ShardSet, name: &str, most: usize) -> Result<Vec<u64>, SearchError> {
    let stems = rarest_first(set, name)?;
    let mut shared: BTreeMap<u64, usize> = BTreeMap::new();
    for lead in 0..stems.len().min(LEADING_WORDS) {
        let mut left = MOST_PASSAGES;
        for shard in set.shards() {
            let read = read(shard, &stems, lead, &mut left, &mut shared);
            read.map_err(|error| failed(shard, &error))?;
        }
    }
    let mut rows: Vec<(u64, usize)> = shared.into_iter().collect();
    rows.sort_by_key(|(_, shared)| Reverse(*shared));
    Ok(rows.into_iter().map(|(row, _)| row).take(most).collect())
}

/// The stems of a name that occur in the shards.
fn rarest_first(set: &ShardSet, name: &str) -> Result<Vec<String>, SearchError> {
    let mut stems: Vec<(u64, String)> = Vec::new();
    let words = words::words(name).into_iter().filter(|word| !words::is_stop(&word.text));
    for stem in words.take(MOST_WORDS).map(|word| words::stem(&word.text)) {
        let frequency = set.frequency(Analysis::Stems, &stem)?;
        if frequency > 0 && stems.iter().all(|(_, known)| *known != stem) {
            stems.push((frequency, stem));
        }
    }
    stems.sort_by_key(|(frequency, _)| *frequency);
    Ok(stems.into_iter().map(|(_, stem)| stem).collect())
}

/// Notes how many of the stems each passage with the leading stem has.
fn read(
    shard: &Shard,
    stems: &[String],
    lead: usize,
    left: &mut usize,
    shared: &mut BTreeMap<u64, usize>,
) -> tantivy::Result<()> {
    let Some(mut passages) = postings(shard, &stems[lead])? else { return Ok(()) };
    let others = stems.iter().enumerate().filter(|(place, _)| *place != lead);
    let others: tantivy::Result<Vec<_>> = others.map(|(_, stem)| postings(shard, stem)).collect();
    let mut others: Vec<SegmentPostings> = others?.into_iter().flatten().collect();
    while *left > 0 && passages.doc() != TERMINATED {
        let passage = passages.doc();
        let count =
            1 + others.iter_mut().map(|other| usize::from(has(other, passage))).sum::<usize>();
        let known = shared.entry(shard.row(passage)).or_default();
        *known = count.max(*known);
        *left -= 1;
        passages.advance();
    }
    Ok(())
}

fn postings(shard: &Shard, stem: &str) -> tantivy::Result<Option<SegmentPostings>> {
    let term = Term::from_field_text(shard.fields().words(Analysis::Stems), stem);
    Ok(shard.postings(Analysis::Stems).read_postings(&term, IndexRecordOption::Basic)?)
}

/// Whether the postings have the passage; passages are asked for in ascending order.
fn has(postings: &mut SegmentPostings, passage: u32) -> bool {
    if postings.doc() < passage {
        postings.seek(passage);
    }
    postings.doc() == passage
}
