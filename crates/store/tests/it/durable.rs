//! The state of a store on disk after it was closed, evicted or tampered with.

use std::sync::Arc;

use aileron_contract::Outcome;
use aileron_store::{
    AuditFilter, AuditLog, BeginResult, Lease, PendingConfirmation, SaveResult, SqliteOptions,
    SqliteStore, Store, StoreError, TakeRecord, TakeResult,
};
use serde_json::json;

use crate::sample::{self, READS, WRITES, call, conversation, user};
use crate::subject::{Disk, begin, log, refuse, run, settle, start, state, word};

#[test]
fn finished_calls_are_replayed_after_a_restart() {
    let disk = Disk::new();
    let store = disk.open();
    run(&store, &call("c", "r", READS, 1));
    run(&store, &call("c", "w", WRITES, 1));
    drop(store);
    let store = disk.open();
    for (key, effects) in [("r", READS), ("w", WRITES)] {
        assert_eq!(state(&store, "c", key), format!("finished {key:?}"));
        let BeginResult::Known(known) = begin(&store, &call("c", key, effects, 1)) else {
            panic!("expected it to be known");
        };
        assert_eq!(word(&known), format!("finished {key:?}"));
    }
    assert_eq!(state(&store, "c", "new"), "unknown");
    assert_eq!(log(&store, AuditFilter::default()).len(), 2);
}

#[test]
fn everything_else_is_there_after_a_restart() {
    let disk = Disk::new();
    let store = disk.open();
    let (conversation, body) = (conversation("c"), Arc::new(json!({"x": 1})));
    let pending = PendingConfirmation {
        token: "t".to_owned(),
        conversation: conversation.clone(),
        user: None,
        expires: 50,
        body: body.clone(),
    };
    store.put_confirmation(pending.clone()).wait().unwrap();
    store.block(&user("ada"), 70).wait().unwrap();
    store
        .save_conversation(&conversation, Lease::unowned().at(0), None, body.clone(), 5)
        .wait()
        .unwrap();
    drop(store);
    let store = disk.open();
    assert_eq!(store.blocked_until(&user("ada")), Some(70));
    assert_eq!(
        store.take_confirmation("t", 1, &sample::scope("c"), TakeRecord::Withdrawn).wait().unwrap(),
        TakeResult::Pending(pending)
    );
    let saved = store
        .save_conversation(&conversation, Lease::unowned().at(1), None, body, 6)
        .wait()
        .unwrap();
    assert_eq!(saved, SaveResult::At(2));
}

#[test]
fn answers_that_memory_let_go_are_read_from_disk() {
    let disk = Disk::new();
    let options = SqliteOptions { memory_bytes: 16 * 1024, ..Default::default() };
    let store = SqliteStore::open(disk.path(), options).unwrap();
    for index in 0..100 {
        run(&store, &call("c", &format!("k{index}"), READS, 1));
    }
    store.flush().wait().unwrap();
    for index in 0..100 {
        let expected = format!("finished \"k{index}\"");
        assert_eq!(state(&store, "c", &format!("k{index}")), expected);
    }
    assert_eq!(state(&store, "c", "k100"), "unknown");
    run(&store, &call("c", "k100", WRITES, 1));
    assert_eq!(log(&store, AuditFilter::default()).len(), 101);
}

#[test]
fn a_conversation_with_more_keys_than_memory_lists_is_still_known() {
    let disk = Disk::new();
    drop(disk.open());
    let sql = "
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
        INSERT INTO ledger (conversation, key, state, writes, instance, time, call_id, tool, args_hash)
        SELECT 'c', 'k' || i, 2, 1, 'x', 1, 'call', 't', 'h' FROM n";
    disk.sql().execute(sql, []).unwrap();
    let store = disk.open();
    assert_eq!(state(&store, "c", "k1"), "abandoned write");
    assert_eq!(state(&store, "c", "k5000"), "abandoned write");
    assert_eq!(state(&store, "c", "new"), "unknown");
    run(&store, &call("c", "new", READS, 1));
    let BeginResult::Known(known) = begin(&store, &call("c", "k7", WRITES, 1)) else {
        panic!("expected it to be known");
    };
    assert_eq!(word(&known), "abandoned write");
}

/// Makes the calls of `store` look as if a dead process had started them.
fn disown(disk: &Disk) {
    disk.sql().execute("UPDATE ledger SET instance = 'gone' WHERE state = 0", []).unwrap();
}

#[test]
fn calls_of_a_dead_process_are_closed_with_one_record_each() {
    let disk = Disk::new();
    let store = disk.open();
    let tickets = [("w", WRITES), ("r", READS), ("again", READS)]
        .map(|(key, effects)| start(&store, &call("c", key, effects, 10)));
    store.flush().wait().unwrap();
    disown(&disk);

    let other = disk.open();
    let died = ["call-w process_died", "call-r process_died", "call-again process_died"];
    assert_eq!(log(&other, AuditFilter::default()), died);
    assert_eq!(state(&other, "c", "w"), "abandoned write");
    assert_eq!(state(&other, "c", "r"), "abandoned read");
    run(&other, &call("c", "again", READS, 20));
    other.flush().wait().unwrap();

    // The first store was wrongly considered dead: its dropped tickets are not recorded again.
    drop(tickets);
    store.flush().wait().unwrap();
    other.expire(1000, 10).wait().unwrap();
    let all = [&died[..], &["call-again completed"]].concat();
    assert_eq!(log(&other, AuditFilter::default()), all);
}

#[test]
fn a_write_that_others_closed_is_lost() {
    let disk = Disk::new();
    let store = disk.open();
    let ticket = start(&store, &call("c", "w", WRITES, 10));
    disown(&disk);
    let other = disk.open();
    let answer = sample::success(ticket.call(), json!(1));
    let error = store.settle(ticket, Outcome::Completed, answer).wait().unwrap_err();
    assert_eq!(error, StoreError::Lost { call: "call-w".to_owned() });
    assert_eq!(state(&store, "c", "w"), "abandoned write");
    assert_eq!(log(&other, AuditFilter::default()), ["call-w process_died"]);
}

#[test]
fn a_read_that_two_processes_ran_has_one_record() {
    let disk = Disk::new();
    let (one, two) = (disk.open(), disk.open());
    let tickets = [start(&one, &call("c", "r", READS, 1)), start(&two, &call("c", "r", READS, 1))];
    let [first, second] = tickets;
    settle(&one, first, json!("one"));
    one.flush().wait().unwrap();
    settle(&two, second, json!("two"));
    assert_eq!(log(&two, AuditFilter::default()), ["call-r completed"]);
    assert_eq!(state(&one, "c", "r"), r#"finished "one""#);
}

#[test]
fn a_clean_end_leaves_no_lock_behind() {
    let disk = Disk::new();
    drop(disk.open());
    let locks = std::fs::read_dir(disk.folder().join("store.db.instances")).unwrap();
    assert_eq!(locks.count(), 0);
}

#[test]
fn the_log_is_read_beside_the_writer() {
    let disk = Disk::new();
    let store = disk.open();
    run(&store, &call("c", "a", WRITES, 1));
    let beside = AuditLog::open(&disk.path()).unwrap();
    assert_eq!(beside.read(AuditFilter::default()).count(), 1);
    run(&store, &call("c", "b", WRITES, 1));
    let next = AuditFilter { from: 2, ..Default::default() };
    assert_eq!(beside.read(next).count(), 1);
    assert_eq!(beside.verify().unwrap().records, 2);
}

#[test]
fn the_newest_records_are_found_from_the_end() {
    let disk = Disk::new();
    let store = disk.open();
    let beside = AuditLog::open(&disk.path()).unwrap();
    assert_eq!(beside.end().unwrap(), 1);
    for key in 0..9 {
        refuse(
            &store,
            &call("c", &key.to_string(), READS, key),
            ["loops", "mode"][key as usize % 2],
        );
    }
    store.flush().wait().unwrap();
    let newest = |filter: AuditFilter, end| {
        let records = beside.newest(&filter, end).unwrap();
        records.iter().map(|record| record.seq).collect::<Vec<_>>()
    };
    let all = AuditFilter::default;
    let end = beside.end().unwrap();
    assert_eq!(newest(AuditFilter { limit: Some(3), ..all() }, end), [7, 8, 9]);
    assert_eq!(newest(AuditFilter { limit: Some(3), ..all() }, 3), [1, 2]);
    assert_eq!(newest(AuditFilter { from: 8, ..all() }, end), [8, 9]);
    assert_eq!(newest(AuditFilter { limit: Some(0), ..all() }, end), [0; 0]);
    let mode = AuditFilter { outcome: Some("refused:mode".into()), limit: Some(2), ..all() };
    assert_eq!(newest(mode, end), [6, 8]);
    store.prune_audit(1000).wait().unwrap();
    assert_eq!((newest(all(), end), beside.end().unwrap()), (vec![], 10));
}

#[test]
fn a_rare_record_is_found_far_from_the_end() {
    let disk = Disk::new();
    let store = disk.open();
    refuse(&store, &call("c", "first", READS, 1), "loops");
    for key in 0..17_000 {
        refuse(&store, &call("c", &key.to_string(), READS, 2), "mode");
    }
    store.flush().wait().unwrap();
    let log = AuditLog::open(&disk.path()).unwrap();
    let rare = AuditFilter { outcome: Some("refused:loops".into()), ..Default::default() };
    assert_eq!(log.newest(&rare, log.end().unwrap()).unwrap()[0].seq, 1);
}

fn tampered(sql: &str) -> String {
    let disk = Disk::new();
    let store = disk.open();
    for key in ["a", "b", "c", "d"] {
        refuse(&store, &call("c", key, READS, 1), "loops");
    }
    store.flush().wait().unwrap();
    let drop = "DROP TRIGGER audit_is_never_changed; DROP TRIGGER audit_is_only_pruned;";
    disk.sql().execute_batch(&format!("{drop} {sql}")).unwrap();
    store.verify_audit().unwrap_err().to_string()
}

#[test]
fn a_changed_record_is_named() {
    let error = tampered("UPDATE audit SET body = replace(body, 'flaps', 'slats') WHERE seq = 2");
    assert!(error.starts_with("audit record 2 is broken: its content hashes to "), "{error}");
}

#[test]
fn a_removed_record_is_named() {
    let error = tampered("DELETE FROM audit WHERE seq = 3");
    assert_eq!(error, "audit record 3 is broken: expected it here, found record 4");
}

#[test]
fn a_log_that_was_cut_off_is_noticed() {
    let error = tampered("DELETE FROM audit WHERE seq > 2");
    assert_eq!(error, "audit record 3 is broken: the log ends before it, but had 4 records");
}

#[test]
fn a_record_hidden_from_its_filters_is_named() {
    let error = tampered("UPDATE audit SET conversation = 'x' WHERE seq = 4");
    let expected = "audit record 4 is broken: the columns it is found by do not say what it says";
    assert_eq!(error, expected);
}
