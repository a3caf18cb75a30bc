//! Many concurrent callers, and more of them than the queue has room for.

use std::collections::HashSet;
use std::thread;

use aileron_store::{AuditFilter, SqliteOptions, SqliteStore, Store};

use crate::sample::{READS, WRITES, call};
use crate::subject::{Disk, log, records, refuse, run};

const THREADS: usize = 16;
const CALLS: usize = 100;

fn crowd(store: &dyn Store) {
    thread::scope(|scope| {
        for index in 0..THREADS {
            scope.spawn(move || {
                let conversation = format!("c{index}");
                for call_index in 0..CALLS {
                    let key = format!("{index}-{call_index}");
                    match call_index % 10 {
                        0 => run(store, &call(&conversation, &key, WRITES, 1)),
                        1 => refuse(store, &call(&conversation, &key, READS, 1), "loops"),
                        _ => run(store, &call(&conversation, &key, READS, 1)),
                    }
                }
            });
        }
    });
    let lines: HashSet<_> = log(store, AuditFilter::default()).into_iter().collect();
    assert_eq!(lines.len(), THREADS * CALLS);
    assert_eq!(records(store, AuditFilter::default()).len(), THREADS * CALLS);
    assert_eq!(store.verify_audit().unwrap().records as usize, THREADS * CALLS);
}

#[test]
fn every_call_of_a_crowd_has_its_record() {
    crowd(&Disk::new().open());
}

#[test]
fn a_crowd_waits_where_the_queue_is_short() {
    let disk = Disk::new();
    let options = SqliteOptions { queue: 4, memory_bytes: 0, ..Default::default() };
    crowd(&SqliteStore::open(disk.path(), options).unwrap());
}

#[test]
fn a_crowd_in_memory() {
    crowd(&aileron_store::MemoryStore::new());
}

#[test]
fn who_never_waits_is_slowed_down_not_dropped() {
    let disk = Disk::new();
    let options = SqliteOptions { queue: 2, ..Default::default() };
    let store = SqliteStore::open(disk.path(), options).unwrap();
    for index in 0..500 {
        let call = call("c", &format!("k{index}"), READS, 1);
        let answer = crate::sample::success(&call, serde_json::json!(1));
        let outcome = aileron_contract::Outcome::refused_by("loops");
        drop(store.record_refusal(call, outcome, answer));
    }
    assert_eq!(log(&store, AuditFilter::default()).len(), 500);
}

#[test]
fn all_who_make_a_store_at_once_have_it() {
    for _ in 0..20 {
        let folder = tempfile::tempdir().unwrap();
        let open = || SqliteStore::open(folder.path().join("store.db"), SqliteOptions::default());
        thread::scope(|scope| {
            let all: Vec<_> = (0..8).map(|_| scope.spawn(open)).collect();
            all.into_iter().for_each(|one| drop(one.join().unwrap().unwrap()));
        });
    }
}
