//! Full disks, held locks, foreign files: clear errors, working reads, and nothing lost once the
//! fault is gone.

use std::fs;
use std::time::Duration;

use aileron_contract::Outcome;
use aileron_store::{
    AuditFilter, AuditLog, CountResult, Counter, SqliteOptions, SqliteStore, Store, StoreError,
};
use serde_json::json;

use crate::sample::{self, READS, WRITES, call, conversation, user};
use crate::subject::{Disk, log, run, settle, start, state};

fn impatient() -> SqliteOptions {
    SqliteOptions {
        busy_timeout: Duration::from_millis(5),
        tick: Duration::from_millis(5),
        ..Default::default()
    }
}

fn unwritable<T: std::fmt::Debug>(result: Result<T, StoreError>) -> String {
    match result {
        Err(StoreError::Unwritable { why }) => why,
        other => panic!("expected it to be unwritable, found {other:?}"),
    }
}

/// Runs one test while another connection holds the write lock, then one after it is released.
fn locked(during: impl FnOnce(&SqliteStore), after: impl FnOnce(&SqliteStore)) {
    let disk = Disk::new();
    let store = SqliteStore::open(disk.path(), impatient()).unwrap();
    let other = disk.sql();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    during(&store);
    other.execute_batch("ROLLBACK").unwrap();
    // The writer tries again at every tick; a flush may still meet the last failure.
    while store.flush().wait().is_err() {}
    after(&store);
    store.verify_audit().unwrap();
}

#[test]
fn a_held_lock_refuses_writes_and_says_why() {
    locked(
        |store| {
            let why = unwritable(store.begin(call("c", "w", WRITES, 1)).wait());
            assert!(why.starts_with("another process held the write lock for too long"), "{why}");
            assert_eq!(state(store, "c", "w"), "unknown");
        },
        |store| run(store, &call("c", "w", WRITES, 1)),
    );
}

#[cfg(unix)]
#[test]
fn a_file_that_is_removed_while_it_is_open_takes_no_more_writes() {
    let disk = Disk::new();
    let store = SqliteStore::open(disk.path(), impatient()).unwrap();
    let aside = disk.path().with_extension("aside");
    fs::rename(disk.path(), &aside).unwrap();
    let why = unwritable(store.begin(call("c", "w", WRITES, 1)).wait());
    assert!(why.contains("was removed or replaced"), "{why}");
    assert!(unwritable(store.probe().wait()).contains("put it back"));
    fs::rename(aside, disk.path()).unwrap();
    while store.flush().wait().is_err() {}
    run(&store, &call("c", "w", WRITES, 1));
}

#[test]
fn a_block_that_cannot_be_written_holds_and_is_written_later() {
    let (disk, ada) = (Disk::new(), user("ada"));
    let store = SqliteStore::open(disk.path(), impatient()).unwrap();
    let other = disk.sql();
    other.execute_batch("BEGIN IMMEDIATE; DELETE FROM blocks").unwrap();
    unwritable(store.block(&ada, 5).wait());
    assert_eq!(store.blocked_until(&ada), Some(5));
    // A commit of another connection makes the store read the disk again.
    other.execute_batch("INSERT INTO blocks VALUES ('jon', 7); COMMIT").unwrap();
    while store.flush().wait().is_err() {}
    let blocks = |store: &SqliteStore| ["ada", "jon"].map(|id| store.blocked_until(&user(id)));
    assert_eq!(blocks(&store), [Some(5), Some(7)]);
    drop(store);
    let again = SqliteStore::open(disk.path(), impatient()).unwrap();
    assert_eq!(blocks(&again), [Some(5), Some(7)]);
    assert!(again.unblock(&ada).wait().unwrap());
    assert_eq!(blocks(&again), [None, Some(7)]);
}

#[test]
fn reads_go_on_while_the_lock_is_held() {
    locked(
        |store| {
            run(store, &call("c", "r", READS, 1));
            assert_eq!(state(store, "c", "r"), r#"finished "r""#);
            assert_eq!(store.load_conversation(&conversation("c")).wait().unwrap(), None);
            assert_eq!(store.audit(AuditFilter::default()).count(), 0);
            store.verify_audit().unwrap();
        },
        |store| assert_eq!(log(store, AuditFilter::default()), ["call-r completed"]),
    );
}

#[test]
fn a_call_that_could_not_be_counted_takes_no_place() {
    let one = Counter { name: "a".to_owned(), calls: 1, window_ms: 100 };
    let wait = |store: &SqliteStore| store.wait_to_count(&one, 0, 1).unwrap();
    locked(
        |store| {
            assert_eq!(wait(store), None);
            unwritable(store.count_call(&one, 1).wait());
            assert_eq!(wait(store), None);
        },
        |store| {
            assert_eq!(store.count_call(&one, 1).wait().unwrap(), CountResult::Within);
            assert_eq!(wait(store), Some(100));
        },
    );
}

#[test]
fn a_write_that_could_not_be_settled_is_settled_later() {
    let disk = Disk::new();
    let store = SqliteStore::open(disk.path(), impatient()).unwrap();
    let ticket = start(&store, &call("c", "w", WRITES, 1));
    let other = disk.sql();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let answer = sample::success(ticket.call(), json!("late"));
    unwritable(store.settle(ticket, Outcome::Completed, answer).wait());
    assert_eq!(state(&store, "c", "w"), "abandoned write");
    other.execute_batch("ROLLBACK").unwrap();
    while store.flush().wait().is_err() {}
    assert_eq!(state(&store, "c", "w"), r#"finished "late""#);
    assert_eq!(log(&store, AuditFilter::default()), ["call-w completed"]);
}

#[test]
fn what_waits_for_the_disk_is_bounded_and_nothing_of_it_is_lost() {
    let disk = Disk::new();
    let options = SqliteOptions { queue: 16, ..impatient() };
    let store = SqliteStore::open(disk.path(), options).unwrap();
    let other = disk.sql();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let mut ran = 0;
    let refusal = loop {
        match store.begin(call("c", &format!("k{ran}"), READS, 1)).wait() {
            Ok(aileron_store::BeginResult::Started(ticket)) => {
                let answer = sample::success(ticket.call(), json!(ran));
                // The answer may go out although its record has to wait.
                let _ = store.settle(ticket, Outcome::Completed, answer).wait();
                ran += 1;
            }
            other => break other,
        }
        assert!(ran < 1000, "the queue grows without bound");
    };
    unwritable(refusal);
    other.execute_batch("ROLLBACK").unwrap();
    while store.flush().wait().is_err() {}
    assert_eq!(log(&store, AuditFilter::default()).len(), ran);
    run(&store, &call("c", "after", READS, 1));
}

#[test]
fn a_full_disk_refuses_writes_keeps_reading_and_recovers_by_making_room() {
    let disk = Disk::new();
    let options = SqliteOptions { max_bytes: Some(408_600), ..impatient() };
    let store = SqliteStore::open(disk.path(), options).unwrap();
    let large = json!("x".repeat(20_000));
    let mut ran = 0;
    let why = loop {
        let ticket = match store.begin(call("c", &format!("k{ran}"), WRITES, ran)).wait() {
            Ok(aileron_store::BeginResult::Started(ticket)) => ticket,
            other => break unwritable(other),
        };
        let answer = sample::success(ticket.call(), large.clone());
        if let Err(error) = store.settle(ticket, Outcome::Completed, answer).wait() {
            break unwritable::<()>(Err(error));
        }
        ran += 1;
        assert!(ran < 1000, "the disk does not fill");
    };
    assert!(why.starts_with("the disk, or the size the store may have, is full"), "{why}");
    assert!(state(&store, "c", "k0").starts_with("finished"));
    assert_eq!(store.audit(AuditFilter::default()).count() as u64, ran);

    assert!(store.expire(10_000, 0).wait().unwrap().calls > 0);
    while store.flush().wait().is_err() {}
    run(&store, &call("d", "after", WRITES, 1));
    let settled = log(&store, AuditFilter::default());
    assert_eq!(settled.len() as u64, ran + 2, "{settled:?}");
    store.verify_audit().unwrap();
}

#[test]
fn a_store_that_cannot_write_still_closes() {
    let disk = Disk::new();
    let store = SqliteStore::open(disk.path(), impatient()).unwrap();
    let other = disk.sql();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    run(&store, &call("c", "r", READS, 1));
    unwritable(store.flush().wait());
    drop(store);
    other.execute_batch("ROLLBACK").unwrap();
    assert_eq!(state(&disk.open(), "c", "r"), "unknown");
}

#[cfg(unix)]
#[test]
fn only_the_owner_may_read_a_store() {
    use std::os::unix::fs::PermissionsExt;
    let disk = Disk::new();
    let store = disk.open();
    run(&store, &call("c", "w", WRITES, 1));
    for file in ["store.db", "store.db-wal", "store.db-shm"] {
        let mode = fs::metadata(disk.folder().join(file)).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{file}");
    }
}

fn refused(content: &[u8]) -> String {
    let disk = Disk::new();
    fs::write(disk.path(), content).unwrap();
    let error = SqliteStore::open(disk.path(), SqliteOptions::default()).unwrap_err();
    assert_eq!(fs::read(disk.path()).unwrap(), content, "the file must stay as it was");
    error.to_string().replace(&disk.path().display().to_string(), "FILE")
}

#[test]
fn a_file_that_is_no_database_is_left_alone() {
    let expected = "FILE is not an Aileron store: expected an SQLite database, found something else; \
                    name another file";
    assert_eq!(refused(&b"tools: kb_search\n".repeat(100)), expected);
}

#[test]
fn another_programs_database_is_left_alone() {
    let theirs = Disk::new();
    theirs.sql().execute_batch("CREATE TABLE t (x)").unwrap();
    let error = refused(&fs::read(theirs.path()).unwrap());
    assert!(error.contains("found another program's database"), "{error}");
}

#[test]
fn a_newer_store_is_refused() {
    let disk = Disk::new();
    drop(disk.open());
    disk.sql().pragma_update(None, "user_version", 99).unwrap();
    let error = SqliteStore::open(disk.path(), SqliteOptions::default()).unwrap_err();
    assert!(matches!(error, StoreError::Newer { found: 99, known: 8, .. }), "{error:?}");
}

#[test]
fn a_missing_folder_is_named() {
    let disk = Disk::new();
    let path = disk.folder().join("missing").join("store.db");
    let error = SqliteStore::open(&path, SqliteOptions::default()).unwrap_err().to_string();
    assert!(error.contains("check that its folder is there"), "{error}");
    assert_eq!(AuditLog::open(&path).unwrap_err(), StoreError::Missing { path });
}

#[test]
fn a_folder_is_no_store() {
    let disk = Disk::new();
    let error = AuditLog::open(disk.folder()).unwrap_err().to_string();
    assert!(error.contains("expected a file, found a folder"), "{error}");
}

#[test]
fn a_damaged_store_gives_errors_and_no_panic() {
    let disk = Disk::new();
    let store = disk.open();
    for index in 0..200 {
        let ticket = start(&store, &call("c", &format!("k{index}"), READS, 1));
        settle(&store, ticket, json!("x".repeat(2000)));
    }
    drop(store);
    let mut bytes = fs::read(disk.path()).unwrap();
    let length = bytes.len();
    bytes[8192..length - 4096].fill(0xa5);
    fs::write(disk.path(), bytes).unwrap();
    let Err(error) = (|| {
        let store = SqliteStore::open(disk.path(), SqliteOptions::default())?;
        store.lookup(&conversation("c"), "k1")?;
        store.verify_audit()
    })() else {
        panic!("expected an error");
    };
    assert!(error.to_string().starts_with("the store is damaged: "), "{error}");
}
