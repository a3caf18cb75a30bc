//! A store that has lost a part of its data reports that when it is opened.

use std::fs;

use aileron_store::{SqliteOptions, SqliteStore, Store, StoreError};

use crate::sample::{WRITES, call};
use crate::subject::{Disk, run, state};

fn open(disk: &Disk) -> Result<SqliteStore, StoreError> {
    SqliteStore::open(disk.path(), SqliteOptions::default())
}

fn beside(disk: &Disk, ending: &str) -> std::path::PathBuf {
    let mut name = disk.path().into_os_string();
    name.push(ending);
    name.into()
}

/// A store with a call, as a killed process leaves it: its write-ahead log is not folded in.
fn killed(disk: &Disk) -> SqliteStore {
    let store = open(disk).unwrap();
    run(&store, &call("c", "w", WRITES, 1));
    store
}

fn is_rewound(opened: Result<SqliteStore, StoreError>) -> String {
    match opened {
        Err(error @ StoreError::Rewound { .. }) => error.to_string(),
        other => panic!("expected a part of it to be gone, found {other:?}"),
    }
}

/// A copy of the files in a separate folder while the store is open.
fn copied(disk: &Disk, files: &[&str]) -> Disk {
    let copy = Disk::new();
    for ending in files {
        fs::copy(beside(disk, ending), beside(&copy, ending)).unwrap();
    }
    copy
}

#[test]
fn a_store_without_its_log_is_refused() {
    let disk = Disk::new();
    let _running = killed(&disk);
    let whole = copied(&disk, &["", "-wal", ".commits"]);
    assert_eq!(state(&open(&whole).unwrap(), "c", "w"), "finished \"w\"");
    let without = copied(&disk, &["", ".commits"]);
    let why = is_rewound(open(&without));
    assert!(why.contains("its -wal file was removed"), "{why}");
    assert!(why.contains("store.db.commits to go on with what is left"), "{why}");
    fs::remove_file(beside(&without, ".commits")).unwrap();
    assert_eq!(state(&open(&without).unwrap(), "c", "w"), "unknown");
}

#[test]
fn an_emptied_file_is_refused_and_left_alone() {
    let disk = Disk::new();
    drop(killed(&disk));
    fs::write(disk.path(), "").unwrap();
    is_rewound(open(&disk));
    assert_eq!(fs::read(disk.path()).unwrap(), b"");
    fs::remove_file(disk.path()).unwrap();
    is_rewound(open(&disk));
}

#[test]
fn an_older_copy_is_refused() {
    let disk = Disk::new();
    drop(killed(&disk));
    let old = fs::read(disk.path()).unwrap();
    let store = open(&disk).unwrap();
    run(&store, &call("c", "later", WRITES, 2));
    drop(store);
    fs::write(disk.path(), old).unwrap();
    is_rewound(open(&disk));
}

#[test]
fn several_processes_do_not_take_each_other_for_a_loss() {
    let disk = Disk::new();
    let stores = [open(&disk).unwrap(), open(&disk).unwrap()];
    for turn in 0..20 {
        let store = &stores[turn % 2];
        run(store, &call("c", &turn.to_string(), WRITES, 1));
        drop(open(&disk).unwrap());
    }
    stores.iter().for_each(|store| store.flush().wait().unwrap());
}
