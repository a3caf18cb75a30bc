//! Which shards are merged, so that many small changes do not leave many small shards, and removed
//! records do not stay on disk.

use std::ops::RangeInclusive;

use super::indexer::SHARD;
use crate::records::ShardEntry;

/// Shards at the end that together have fewer records than this are always merged.
const SMALL: u64 = 128;

/// Adjacent shards that are to be merged.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Run {
    pub(super) shards: Vec<ShardEntry>,
}

impl Run {
    pub(super) fn rows(&self) -> RangeInclusive<u64> {
        let first = self.shards.first().map_or(0, |shard| shard.first_row);
        let last = self.shards.last().map_or(0, |shard| shard.last_row);
        first..=last
    }
}

/// The next run to merge; none when there is nothing to merge.
pub(super) fn choose(shards: &[ShardEntry]) -> Option<Run> {
    let wasted = shards.iter().find(|shard| is_wasted(shard));
    let run = wasted.map(std::slice::from_ref).or_else(|| tail(shards))?;
    Some(Run { shards: run.to_vec() })
}

fn live(shard: &ShardEntry) -> u64 {
    shard.records.saturating_sub(shard.dead.len() as u64)
}

/// Whether a third of its rows are dead.
fn is_wasted(shard: &ShardEntry) -> bool {
    shard.dead.len() as u64 * 3 >= shard.records
}

/// The shards at the end, as long as each is no bigger than all that follow it together: a record
/// is then indexed again about log2(records) times.
fn tail(shards: &[ShardEntry]) -> Option<&[ShardEntry]> {
    let mut start = shards.len();
    let (mut records, mut passages) = (0, 0);
    for shard in shards.iter().rev() {
        let fits = passages + shard.passages <= SHARD;
        if start < shards.len() && !(fits && live(shard) <= records.max(SMALL)) {
            break;
        }
        start -= 1;
        records += live(shard);
        passages += shard.passages;
    }
    Some(&shards[start..]).filter(|run| run.len() > 1)
}

#[cfg(test)]
#[path = "compact_tests.rs"]
mod tests;
