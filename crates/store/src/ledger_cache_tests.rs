//! Which lookups memory answers, and which need the disk.

use serde_json::json;

use super::*;
use crate::sample::{READS, WRITES, call, conversation, success};

fn covered(keys: &[&str]) -> LedgerCache {
    let cache = LedgerCache::new(EntryBacking::Disk);
    let keys: Vec<_> = keys.iter().map(ToString::to_string).collect();
    assert!(cache.cover(&conversation("c"), &keys, cache.epoch()));
    cache
}

/// Claims a call like a store on disk.
fn claim(cache: &LedgerCache, call: &Arc<CallStart>, checked: DiskCheck) -> CacheLookup {
    let entered = if call.writes() { EntryWrite::Immediate } else { EntryWrite::NextTick };
    cache.claim(call, checked, entered)
}

#[test]
fn a_conversation_on_disk_is_listed_before_anything_is_said_of_it() {
    let cache = LedgerCache::new(EntryBacking::Disk);
    assert!(matches!(cache.peek(&conversation("c"), "a"), CacheLookup::KeysNotLoaded));
    assert!(matches!(
        claim(&cache, &call("c", "a", READS, 1), DiskCheck::DiskToo),
        CacheLookup::KeysNotLoaded
    ));
}

#[test]
fn a_key_that_is_not_listed_is_nowhere() {
    let cache = covered(&["old"]);
    assert!(matches!(cache.peek(&conversation("c"), "new"), CacheLookup::Miss));
    assert!(matches!(cache.peek(&conversation("c"), "old"), CacheLookup::MaybeOnDisk));
}

#[test]
fn a_claim_is_made_once() {
    let cache = covered(&[]);
    let first = call("c", "a", READS, 1);
    assert!(matches!(claim(&cache, &first, DiskCheck::MemoryOnly), CacheLookup::Miss));
    let second = claim(&cache, &call("c", "a", READS, 1), DiskCheck::DiskToo);
    assert!(matches!(second, CacheLookup::Hit(CallStatus::Running(_))));
    assert!(cache.is_running(&first));
}

#[test]
fn who_waits_is_given_the_answer() {
    let cache = covered(&[]);
    let call = call("c", "a", WRITES, 1);
    claim(&cache, &call, DiskCheck::MemoryOnly);
    let CacheLookup::Hit(CallStatus::Running(running)) = cache.peek(&conversation("c"), "a") else {
        panic!("expected it to run");
    };
    let answer = success(&call, json!(1));
    cache.finish(&call, answer.clone());
    assert_eq!(running.wait(), Some(answer));
}

#[test]
fn who_waits_for_an_abandoned_call_is_told() {
    let cache = covered(&[]);
    let call = call("c", "a", WRITES, 1);
    claim(&cache, &call, DiskCheck::MemoryOnly);
    let CacheLookup::Hit(CallStatus::Running(running)) = cache.peek(&conversation("c"), "a") else {
        panic!("expected it to run");
    };
    cache.abandon(&call);
    assert_eq!(running.wait(), None);
}

#[test]
fn an_answer_left_to_the_disk_is_looked_for_there() {
    let cache = covered(&[]);
    let (first, second) = (call("c", "a", READS, 1), call("c", "b", READS, 1));
    for call in [&first, &second] {
        claim(&cache, call, DiskCheck::MemoryOnly);
        cache.finish(call, success(call, json!(1)));
    }
    cache.leave_to_disk(&first);
    assert!(matches!(cache.peek(&conversation("c"), "a"), CacheLookup::MaybeOnDisk));
    assert!(matches!(cache.peek(&conversation("c"), "new"), CacheLookup::Miss));
    cache.leave_to_disk(&second);
    assert!(matches!(cache.peek(&conversation("c"), "new"), CacheLookup::KeysNotLoaded));
}

#[test]
fn an_older_run_does_not_end_a_newer_one() {
    let cache = covered(&[]);
    let (older, newer) = (call("c", "a", READS, 1), call("c", "a", READS, 2));
    claim(&cache, &older, DiskCheck::MemoryOnly);
    cache.abandon(&older);
    assert!(matches!(claim(&cache, &newer, DiskCheck::MemoryOnly), CacheLookup::Reclaimed));
    cache.leave_to_disk(&older);
    cache.withdraw(&older);
    cache.finish(&older, success(&older, json!(1)));
    assert!(cache.is_running(&newer));
}

#[test]
fn a_listing_older_than_a_foreign_key_is_not_trusted() {
    let cache = LedgerCache::new(EntryBacking::Disk);
    let epoch = cache.epoch();
    cache.note_foreign(&conversation("c"), "foreign");
    assert!(!cache.cover(&conversation("c"), &[], epoch));
    assert!(matches!(cache.peek(&conversation("c"), "foreign"), CacheLookup::KeysNotLoaded));
    cache.leave_uncovered(&conversation("c"));
    assert!(matches!(cache.peek(&conversation("c"), "any"), CacheLookup::MaybeOnDisk));
}

#[test]
fn conversations_that_were_only_asked_about_are_swept() {
    let cache = LedgerCache::new(EntryBacking::Disk);
    for index in 0..200_000 {
        cache.cover(&conversation(&format!("c{index}")), &[], cache.epoch());
    }
    let held: usize = cache.shards.iter().map(|shard| lock(shard).conversations.len()).sum();
    assert!(held <= SHARDS * 1024, "{held}");
}
