//! The log of a conversation: entries are appended, by one writer at a time.

use std::sync::Arc;

use aileron_store::{AppendResult, Lease, LogEntry, Store};
use serde_json::{Value, json};

use crate::sample::conversation;

crate::conformance!(
    entries_keep_their_order_and_number,
    whoever_comes_second_is_told_and_nothing_is_written,
    of_many_writers_one_succeeds,
    a_page_ends_before_the_one_that_is_known,
    an_empty_addition_says_where_the_log_ends,
    a_log_goes_with_its_conversation,
);

fn append(store: &dyn Store, id: &str, after: u64, bodies: &[Value]) -> AppendResult {
    let bodies = bodies.iter().cloned().map(Arc::new).collect();
    store.append_messages(&conversation(id), after, bodies, 1000 + after).wait().unwrap()
}

fn page(store: &dyn Store, id: &str, before: u64, limit: usize) -> Vec<(u64, Value)> {
    let entries = store.messages(&conversation(id), before, limit).wait().unwrap();
    entries.into_iter().map(|entry| (entry.seq, (*entry.body).clone())).collect()
}

fn entries_keep_their_order_and_number(store: &dyn Store) {
    assert_eq!(append(store, "c", 0, &[json!("a"), json!({ "b": 1.5 })]), AppendResult::At(2));
    assert_eq!(append(store, "other", 0, &[json!("x")]), AppendResult::At(1));
    assert_eq!(append(store, "c", 2, &[json!("c")]), AppendResult::At(3));
    let entry = |seq, time, body| LogEntry { seq, time, body: Arc::new(body) };
    assert_eq!(
        store.messages(&conversation("c"), u64::MAX, 10).wait().unwrap(),
        [
            entry(1, 1000, json!("a")),
            entry(2, 1000, json!({ "b": 1.5 })),
            entry(3, 1002, json!("c"))
        ]
    );
}

fn whoever_comes_second_is_told_and_nothing_is_written(store: &dyn Store) {
    append(store, "c", 0, &[json!(1)]);
    for after in [0, 2, 1 << 40] {
        assert_eq!(append(store, "c", after, &[json!(2)]), AppendResult::Conflict { found: 1 });
    }
    assert_eq!(page(store, "c", u64::MAX, 10), [(1, json!(1))]);
}

fn of_many_writers_one_succeeds(store: &dyn Store) {
    let added: Vec<_> = std::thread::scope(|scope| {
        let write = |index| move || append(store, "c", 0, &[json!(index), json!(index)]);
        let threads: Vec<_> = (0..8).map(|index| scope.spawn(write(index))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(added.iter().filter(|added| **added == AppendResult::At(2)).count(), 1);
    let entries = page(store, "c", u64::MAX, 10);
    assert_eq!(entries.len(), 2);
    assert_eq!(entries[0].1, entries[1].1);
}

fn a_page_ends_before_the_one_that_is_known(store: &dyn Store) {
    append(store, "c", 0, &(1..=5).map(|n| json!(n)).collect::<Vec<_>>());
    let numbers = |before, limit| page(store, "c", before, limit).into_iter().map(|(seq, _)| seq);
    assert_eq!(numbers(u64::MAX, 2).collect::<Vec<_>>(), [4, 5]);
    assert_eq!(numbers(4, 2).collect::<Vec<_>>(), [2, 3]);
    assert_eq!(numbers(2, 9).collect::<Vec<_>>(), [1]);
    assert_eq!(numbers(1, 9).count() + numbers(0, 9).count() + numbers(9, 0).count(), 0);
    assert_eq!(page(store, "none", u64::MAX, 9), []);
}

fn an_empty_addition_says_where_the_log_ends(store: &dyn Store) {
    assert_eq!(append(store, "c", 0, &[]), AppendResult::At(0));
    append(store, "c", 0, &[json!(1)]);
    assert_eq!(append(store, "c", 0, &[]), AppendResult::Conflict { found: 1 });
    assert_eq!(append(store, "c", 1, &[]), AppendResult::At(1));
}

fn a_log_goes_with_its_conversation(store: &dyn Store) {
    append(store, "c", 0, &[json!(1)]);
    append(store, "d", 0, &[json!(1)]);
    let (id, lease) = (conversation("c"), Lease::unowned());
    store.save_conversation(&id, lease.at(0), None, Arc::new(json!(1)), 1).wait().unwrap();
    assert!(store.delete_conversation(&conversation("c")).wait().unwrap());
    assert_eq!(page(store, "c", u64::MAX, 9), []);
    assert_eq!(page(store, "d", u64::MAX, 9).len(), 1);
    assert_eq!(append(store, "c", 0, &[json!(2)]), AppendResult::At(1));
}
