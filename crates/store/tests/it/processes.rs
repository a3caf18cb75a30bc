//! Two processes, one database.

use std::collections::HashMap;
use std::sync::Arc;

use aileron_store::{
    AuditFilter, BeginResult, CountResult, Counter, PendingConfirmation, Store, TakeRecord,
    TakeResult, Ticket,
};
use serde_json::json;

use crate::child::{self, Process};
use crate::sample::{READS, WRITES, call, conversation, scope, user};
use crate::subject::{Disk, begin, log, run, settle, state, word};

/// The other process: executes commands, line by line.
#[test]
fn remote() {
    let Some(folder) = child::folder() else { return };
    let store =
        aileron_store::SqliteStore::open(folder.join("store.db"), Default::default()).unwrap();
    let mut tickets = HashMap::new();
    child::say("ready");
    for line in std::io::stdin().lines().map_while(Result::ok) {
        let words: Vec<_> = line.split(' ').collect();
        child::say(&obey(&store, &mut tickets, &words));
    }
}

fn obey(store: &dyn Store, tickets: &mut HashMap<String, Ticket>, words: &[&str]) -> String {
    match *words {
        ["begin", kind, key] => {
            let effects = if kind == "write" { WRITES } else { READS };
            match begin(store, &call("c", key, effects, 1)) {
                BeginResult::Started(ticket) => {
                    tickets.insert(key.to_owned(), ticket);
                    "started".to_owned()
                }
                BeginResult::Known(known) => word(&known),
            }
        }
        ["settle", key] => {
            settle(store, tickets.remove(key).unwrap(), json!("theirs"));
            "settled".to_owned()
        }
        ["flush"] => format!("{:?}", store.flush().wait()),
        ["state", key] => state(store, "c", key),
        ["block", id, until] => {
            store.block(&user(id), until.parse().unwrap()).wait().unwrap();
            "blocked".to_owned()
        }
        ["take", count] => {
            (0..count.parse().unwrap()).map(|index: usize| take(store, index)).collect()
        }
        ["count", times] => (0..times.parse().unwrap()).map(|_: usize| count(store)).collect(),
        _ => panic!("{words:?} is not understood"),
    }
}

fn take(store: &dyn Store, index: usize) -> char {
    match store
        .take_confirmation(&format!("t{index}"), 1, &scope("c"), TakeRecord::Withdrawn)
        .wait()
        .unwrap()
    {
        TakeResult::Pending(_) => 'y',
        TakeResult::Expired(_) => 'e',
        TakeResult::Unknown => 'n',
    }
}

fn count(store: &dyn Store) -> char {
    let counter = Counter { name: "a".to_owned(), calls: 50, window_ms: 100 };
    match store.count_call(&counter, 1).wait().unwrap() {
        CountResult::Within => 'y',
        CountResult::Full { .. } => 'n',
    }
}

fn other(disk: &Disk) -> Process {
    let mut other = Process::start("processes::remote", disk.folder());
    assert_eq!(other.line().as_deref(), Some("ready"));
    other
}

#[test]
fn a_write_of_a_living_process_is_elsewhere_and_of_a_killed_one_abandoned_at_once() {
    let disk = Disk::new();
    let store = disk.open();
    let mut other = other(&disk);
    assert_eq!(other.ask("begin write w"), "started");
    assert_eq!(state(&store, "c", "w"), "elsewhere");
    let BeginResult::Known(known) = begin(&store, &call("c", "w", WRITES, 1)) else {
        panic!("expected it to be known");
    };
    assert_eq!(word(&known), "elsewhere");
    assert_eq!(store.recover().wait().unwrap(), []);

    other.kill();
    assert_eq!(state(&store, "c", "w"), "abandoned write");
    let BeginResult::Known(known) = begin(&store, &call("c", "w", WRITES, 1)) else {
        panic!("expected it to be known");
    };
    assert_eq!(word(&known), "abandoned write");
    assert_eq!(store.recover().wait().unwrap().len(), 1);
    assert_eq!(store.recover().wait().unwrap(), []);
    assert_eq!(log(&store, AuditFilter::default()), ["call-w process_died"]);
}

#[test]
fn a_begin_catches_what_memory_has_not_heard_of() {
    let disk = Disk::new();
    let store = disk.open();
    run(&store, &call("c", "mine", READS, 1));
    let mut other = other(&disk);
    assert_eq!(other.ask("begin write w"), "started");
    // Memory may still say that the key is free; the disk decides.
    let BeginResult::Known(known) = begin(&store, &call("c", "w", WRITES, 1)) else {
        panic!("a write was begun twice");
    };
    assert_eq!(word(&known), "elsewhere");
    assert_eq!(other.ask("settle w"), "settled");
    assert_eq!(state(&store, "c", "w"), r#"finished "theirs""#);
}

#[test]
fn a_call_finished_by_another_process_is_replayed_here() {
    let disk = Disk::new();
    let store = disk.open();
    run(&store, &call("c", "mine", READS, 1));
    let mut other = other(&disk);
    assert_eq!(other.ask("begin read r"), "started");
    assert_eq!(other.ask("settle r"), "settled");
    assert_eq!(other.ask("flush"), "Ok(())");
    // A task for the writer makes it read the changes of other processes.
    store.flush().wait().unwrap();
    assert_eq!(state(&store, "c", "r"), r#"finished "theirs""#);
    assert_eq!(other.ask("flush"), "Ok(())");
    assert_eq!(other.ask("state mine"), r#"finished "mine""#);
}

#[test]
fn a_read_of_a_killed_process_runs_again() {
    let disk = Disk::new();
    let store = disk.open();
    let mut other = other(&disk);
    assert_eq!(other.ask("begin read r"), "started");
    assert_eq!(other.ask("flush"), "Ok(())");
    assert_eq!(state(&store, "c", "r"), "elsewhere");
    other.kill();
    assert_eq!(state(&store, "c", "r"), "abandoned read");
    run(&store, &call("c", "r", READS, 1));
    let both = ["call-r process_died", "call-r completed"];
    assert_eq!(log(&store, AuditFilter::default()), both);
}

#[test]
fn a_block_reaches_the_other_process() {
    let disk = Disk::new();
    let store = disk.open();
    let mut other = other(&disk);
    assert_eq!(other.ask("block ada 500"), "blocked");
    store.flush().wait().unwrap();
    assert_eq!(store.blocked_until(&user("ada")), Some(500));
    // Without a task, the writer reads them at every tick.
    assert_eq!(other.ask("block bob 600"), "blocked");
    while store.blocked_until(&user("bob")).is_none() {
        std::thread::yield_now();
    }
}

#[test]
fn a_confirmation_is_taken_by_one_process() {
    const COUNT: usize = 100;
    let disk = Disk::new();
    let store = disk.open();
    let mut other = other(&disk);
    for index in 0..COUNT {
        let (conversation, body) = (conversation("c"), Arc::new(json!(1)));
        let token = format!("t{index}");
        let pending = PendingConfirmation { token, conversation, user: None, expires: 9, body };
        drop(store.put_confirmation(pending));
    }
    store.flush().wait().unwrap();
    let (mine, theirs): (String, String) = std::thread::scope(|scope| {
        let theirs = scope.spawn(|| other.ask(&format!("take {COUNT}")));
        ((0..COUNT).map(|index| take(&store, index)).collect(), theirs.join().unwrap())
    });
    for (mine, theirs) in mine.chars().zip(theirs.chars()) {
        assert!(matches!((mine, theirs), ('y', 'n') | ('n', 'y')), "{mine}{theirs}");
    }
}

#[test]
fn two_processes_share_a_counter() {
    const COUNT: usize = 40;
    let disk = Disk::new();
    let store = disk.open();
    let mut other = other(&disk);
    let (mine, theirs): (String, String) = std::thread::scope(|scope| {
        let theirs = scope.spawn(|| other.ask(&format!("count {COUNT}")));
        ((0..COUNT).map(|_| count(&store)).collect(), theirs.join().unwrap())
    });
    assert_eq!(mine.chars().chain(theirs.chars()).filter(|counted| *counted == 'y').count(), 50);
    // Calls from before a restart count as well.
    drop(store);
    assert_eq!(count(&disk.open()), 'n');
}

#[test]
fn two_processes_write_one_chain() {
    let disk = Disk::new();
    let store = disk.open();
    let mut other = other(&disk);
    for index in 0..20 {
        run(&store, &call("c", &format!("mine{index}"), WRITES, 1));
        assert_eq!(other.ask(&format!("begin write theirs{index}")), "started");
        assert_eq!(other.ask(&format!("settle theirs{index}")), "settled");
    }
    assert_eq!(store.verify_audit().unwrap().records, 40);
}
