//! Which answers memory holds at its limit, and how their bytes are counted.

use serde_json::{Value, json};

use super::*;
use crate::ledger_cache::{CacheLookup, DiskCheck, EntryBacking, EntryWrite};
use crate::sample::{READS, call, conversation, success};

/// The ledger in memory and its cache of answers.
struct Held {
    cache: LedgerCache,
    recent: AnswerCache,
}

impl Held {
    fn up_to(limit: usize) -> Self {
        Self { cache: LedgerCache::new(EntryBacking::Disk), recent: AnswerCache::new(limit) }
    }

    /// Makes a call and stores it on disk.
    fn make(&mut self, call: &Arc<CallStart>, data: Value) {
        self.cache.cover(call.conversation(), &[], self.cache.epoch());
        self.cache.claim(call, DiskCheck::DiskToo, EntryWrite::Immediate);
        let answer = success(call, data);
        self.cache.finish(call, answer.clone());
        self.recent.push(&self.cache, call.clone(), &answer);
    }

    /// Whether memory has the answer.
    fn has(&self, id: &str, key: &str) -> bool {
        matches!(self.cache.peek(&conversation(id), key), CacheLookup::Hit(_))
    }
}

/// A call of the same conversation as another.
fn beside(call: &Arc<CallStart>, key: &str) -> Arc<CallStart> {
    Arc::new(CallStart { key: key.into(), ..CallStart::clone(call) })
}

#[test]
fn the_oldest_make_room() {
    let mut held = Held::up_to(16 * 1024);
    let calls: Vec<_> = (0..10).map(|n| call("c", &format!("k{n}"), READS, 1)).collect();
    calls.iter().for_each(|call| held.make(call, json!("x".repeat(4096))));
    let has: Vec<_> = (0..10).filter(|n| held.has("c", &format!("k{n}"))).collect();
    assert_eq!(has, [8, 9]);
    assert!(held.recent.bytes <= 16 * 1024, "{}", held.recent.bytes);
}

#[test]
fn many_small_objects_count_for_what_they_take() {
    let rows: Vec<_> = (0..100).map(|n| json!({ "n": n })).collect();
    let mut held = Held::up_to(128 * 1024);
    held.make(&call("c", "rows", READS, 1), json!(rows));
    held.make(&call("c", "text", READS, 1), json!(json!(rows).to_string()));
    held.make(&call("c", "more", READS, 1), json!(rows));
    // The rows are a thousand bytes of text, and take 64 KB.
    assert_eq!(["rows", "text", "more"].map(|key| held.has("c", key)), [false, true, true]);
}

#[test]
fn what_calls_share_counts_once() {
    let (mut apart, mut together) = (Held::up_to(1 << 20), Held::up_to(1 << 20));
    let first = call("c", "k0", READS, 1);
    for n in 0..10 {
        let key = format!("k{n}");
        apart.make(&call("c", &key, READS, 1), json!(n));
        together.make(&beside(&first, &key), json!(n));
    }
    let difference = apart.recent.bytes - together.recent.bytes;
    assert_eq!(difference, 9 * size::of_scope(&first.scope));
}

#[test]
fn nothing_is_counted_once_all_are_let_go() {
    let mut held = Held::up_to(0);
    let first = call("c", "a", READS, 1);
    for call in [&first, &beside(&first, "b"), &call("d", "a", READS, 1)] {
        held.make(call, json!({"n": [1, "two"]}));
        assert!(!held.has(call.conversation().as_str(), &call.key));
    }
    assert_eq!((held.recent.bytes, held.recent.calls.len(), held.recent.scopes.len()), (0, 0, 0));
}
