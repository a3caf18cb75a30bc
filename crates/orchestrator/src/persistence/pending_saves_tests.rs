//! Which version the next save of a copy expects.

use super::*;

#[test]
fn a_copy_that_lost_the_conversation_does_not_save_over_the_next_owner() {
    let mut saves = PendingSaves::at(3);
    assert_eq!(saves.next(), 3);
    // Another process acquired the conversation, which is its version 4, and saved it twice.
    saves.push(PendingWrite::done(SaveResult::Conflict { found: 6 }));
    assert!(saves.look());
    assert_ne!(saves.next(), 6);
}

#[test]
fn a_save_after_one_that_failed_expects_the_version_of_the_store() {
    let mut saves = PendingSaves::at(3);
    assert_eq!((saves.next(), saves.next()), (3, 4));
    saves.push(PendingWrite::failed(aileron_store::StoreError::Closed));
    saves.push(PendingWrite::done(SaveResult::Conflict { found: 3 }));
    assert!(!saves.look());
    assert_eq!(saves.next(), 3);
}

#[test]
fn the_next_save_follows_the_last_one() {
    let mut saves = PendingSaves::at(3);
    assert_eq!(saves.next(), 3);
    saves.push(PendingWrite::done(SaveResult::At(4)));
    assert!(!saves.look());
    assert_eq!(saves.next(), 4);
}
