//! One bad task among good ones, and a writer that dies.

use aileron_contract::UserId;

use crate::error::StoreError;
use crate::sample::{READS, call};
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
    // Nobody will write it, and the door holds all the same.
    assert_eq!(store.blocked_until(&user), Some(2));
    let begun = store.begin(call("c", "r", READS, 1)).wait();
    assert!(matches!(begun, Err(StoreError::Closed)), "{begun:?}");
}
