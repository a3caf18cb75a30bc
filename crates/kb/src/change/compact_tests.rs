//! The choice of shards to make into one.

use super::*;

fn shards(sizes: &[(u64, usize)]) -> Vec<ShardEntry> {
    let mut first_row = 1;
    let shard = |(i, (records, dead)): (usize, &(u64, usize))| {
        let entry = ShardEntry {
            namespace: aileron_contract::kb::Namespace::Studio,
            name: format!("{i}"),
            passages: *records as u32,
            records: *records,
            first_row,
            last_row: first_row + records - 1,
            dead: (first_row..).take(*dead).collect(),
        };
        first_row += records;
        entry
    };
    sizes.iter().enumerate().map(shard).collect()
}

fn check(sizes: &[(u64, usize)], expected: Option<&[&str]>) {
    let run = choose(&shards(sizes));
    let names = run.as_ref().map(|run| run.shards.iter().map(|shard| shard.name.as_str()));
    assert_eq!(names.map(Iterator::collect::<Vec<_>>).as_deref(), expected, "{sizes:?}");
}

#[test]
fn an_index_in_order_is_left_alone() {
    check(&[], None);
    check(&[(10, 0)], None);
    check(&[(100_000, 0), (1000, 0)], None);
    check(&[(131_072, 0), (131_072, 0), (70_000, 0)], None);
}

#[test]
fn small_shards_at_the_end_become_one() {
    check(&[(100_000, 0), (100, 0), (1, 0)], Some(&["1", "2"]));
    check(&[(100_000, 0), (128, 0), (1, 0), (1, 0)], Some(&["1", "2", "3"]));
    check(&[(100_000, 0), (129, 0), (1, 0)], None);
}

#[test]
fn a_shard_joins_those_that_outgrew_it() {
    check(&[(100_000, 0), (2000, 0), (1500, 0), (1000, 0)], None);
    check(&[(100_000, 0), (2000, 0), (2000, 0)], Some(&["1", "2"]));
    check(&[(131_000, 0), (131_000, 0)], None);
}

#[test]
fn a_shard_that_is_a_third_dead_is_made_anew() {
    check(&[(99, 33), (60_000, 0)], Some(&["0"]));
    check(&[(99, 32), (60_000, 0)], Some(&["0", "1"]));
    check(&[(600, 100), (3, 3)], Some(&["1"]));
}

#[test]
fn single_additions_cost_little_in_the_long_run() {
    let mut sizes: Vec<(u64, usize)> = Vec::new();
    let mut written = 0;
    for _ in 0..20_000 {
        sizes.push((1, 0));
        while let Some(run) = choose(&shards(&sizes)) {
            let merged: u64 = run.shards.iter().map(|shard| shard.records).sum();
            sizes.truncate(sizes.len() - run.shards.len());
            sizes.push((merged, 0));
            written += merged;
        }
        assert!(sizes.len() < 10);
    }
    // Half of the small run's size for each addition, and a few times for what has grown beyond it.
    assert!(written < 20_000 * 80, "{written}");
}
