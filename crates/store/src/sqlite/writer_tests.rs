//! One bad task among good ones, a writer that dies, and the order of tasks.

use std::sync::Arc;
use std::time::Duration;

use aileron_contract::{ConversationId, Outcome, UserId};
use serde_json::json;

use crate::error::StoreError;
use crate::lease::Lease;
use crate::ledger::BeginResult;
use crate::sample::{READS, call, success};
use crate::sqlite::{SqliteOptions, SqliteStore};
use crate::store::Store;

fn open() -> (tempfile::TempDir, SqliteStore) {
    let folder = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(folder.path().join("store.db"), SqliteOptions::default());
    (folder, store.unwrap())
}

#[test]
fn a_task_that_cannot_be_stored_does_not_harm_its_neighbours() {
    let (_folder, store) = open();
    let user = UserId::new("ada").unwrap();
    let before = store.block(&user, 1);
    let bad = store.shared.write(|_| -> rusqlite::Result<()> {
        Err(rusqlite::Error::ToSqlConversionFailure("too odd".into()))
    });
    let after = store.block(&user, 2);
    assert!(matches!(bad.wait(), Err(StoreError::Rejected { .. })));
    assert_eq!((before.wait(), after.wait()), (Ok(()), Ok(())));
    assert_eq!(store.blocked_until(&user), Some(2));
}

#[test]
fn nobody_waits_for_a_writer_that_died() {
    let (_folder, store) = open();
    let user = UserId::new("ada").unwrap();
    let fatal = store.shared.write(|_| -> rusqlite::Result<()> {
        std::panic::resume_unwind(Box::new("a fault of ours"))
    });
    let behind = store.block(&user, 1);
    assert_eq!((fatal.wait(), behind.wait()), (Err(StoreError::Closed), Err(StoreError::Closed)));
    assert_eq!(store.block(&user, 2).wait(), Err(StoreError::Closed));
    // The block is never written, and is in effect in memory all the same.
    assert_eq!(store.blocked_until(&user), Some(2));
    let begun = store.begin(call("c", "r", READS, 1)).wait();
    assert!(matches!(begun, Err(StoreError::Closed)), "{begun:?}");
}

#[test]
fn a_saved_conversation_does_not_bring_the_records_of_reads_forward() {
    let folder = tempfile::tempdir().unwrap();
    let options = SqliteOptions { tick: Duration::from_secs(3600), ..SqliteOptions::default() };
    let store = SqliteStore::open(folder.path().join("store.db"), options).unwrap();
    let id = ConversationId::new("c").unwrap();
    store.begin_conversation(&id, None, Arc::new(json!(1)), 1).wait().unwrap();
    let BeginResult::Started(ticket) = store.begin(call("c", "r", READS, 1)).wait().unwrap() else {
        panic!("expected a call that begins");
    };
    let answer = success(ticket.call(), json!(1));
    store.settle(ticket, Outcome::Completed, answer).wait().unwrap();
    store
        .save_conversation(&id, Lease::unowned().at(1), None, Arc::new(json!(2)), 2)
        .wait()
        .unwrap();
    let records = || store.audit(Default::default()).count();
    assert_eq!(records(), 0, "the read waits for the tick");
    store.block(&UserId::new("ada").unwrap(), 1).wait().unwrap();
    assert_eq!(records(), 1, "whatever else is awaited is written in order");
}
