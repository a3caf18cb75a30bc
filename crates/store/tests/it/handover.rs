//! A conversation moves from one process to another: no decision is lost, and the former owner
//! decides nothing more.

use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use aileron_contract::Outcome;
use aileron_store::{
    AcquireResult, AuditFilter, CallScope, CallStart, Lease, SqliteOptions, SqliteStore, Store,
    StoreError,
};
use serde_json::json;

use crate::child::{self, Process};
use crate::sample::{self, READS, WRITES, call, conversation};
use crate::subject::{Disk, log, settle, start};

fn begin(store: &dyn Store) -> Lease {
    let body = Arc::new(json!({"turn": 0}));
    store.begin_conversation(&conversation("c"), None, body, 1).wait().unwrap().unwrap()
}

fn acquire(store: &dyn Store) -> Lease {
    match store.acquire(&conversation("c")).wait().unwrap() {
        AcquireResult::Owner(lease, _) => lease,
        other => panic!("expected to be the owner, found {other:?}"),
    }
}

fn under(lease: &Lease, key: &str, effects: aileron_contract::spec::SideEffects) -> Arc<CallStart> {
    let call = call("c", key, effects, 1);
    let scope = CallScope { lease: lease.clone(), ..(*call.scope).clone() };
    Arc::new(CallStart { scope: Arc::new(scope), ..(*call).clone() })
}

#[test]
fn the_next_owner_finds_what_the_one_before_has_just_answered() {
    let disk = Disk::new();
    let (first, second) = (disk.open(), disk.open());
    let mut lease = begin(&first);
    for round in 0..10 {
        let (now, next) = if round % 2 == 0 { (&first, &second) } else { (&second, &first) };
        // A read whose entry on disk is not awaited, and another that still runs.
        let answered = start(now, &under(&lease, &format!("r{round}"), READS));
        settle(now, answered, json!(1));
        let running = start(now, &under(&lease, &format!("s{round}"), READS));
        let taken = acquire(next);
        assert!(!lease.is_held() && taken.is_held());
        let records = log_of(next);
        assert!(records.contains(&format!("call-r{round} completed")), "{records:?}");
        let unfinished = next.unfinished_calls(&conversation("c")).unwrap();
        assert!(unfinished.iter().any(|one| one.call_id.as_str() == format!("call-s{round}")));
        // For the former owner: its running call is settled, and no other starts.
        settle(now, running, json!(2));
        for effects in [READS, WRITES] {
            let refused = now.begin(under(&lease, "late", effects)).wait();
            assert!(matches!(refused, Err(StoreError::NotOwner { .. })), "{refused:?}");
        }
        now.flush().wait().unwrap();
        lease = taken;
    }
}

/// A store that checks often for requests of other processes, for many rounds.
fn open_eager(disk: &Disk) -> SqliteStore {
    let options = SqliteOptions { tick: Duration::from_millis(2), ..SqliteOptions::default() };
    SqliteStore::open(disk.path(), options).unwrap()
}

/// The owner takes its own lease again, like a second copy within it, while another process asks
/// for the conversation.
#[test]
fn two_that_take_a_conversation_at_once_are_not_both_its_owner() {
    let disk = Disk::new();
    let (first, second) = (open_eager(&disk), open_eager(&disk));
    drop(begin(&first));
    for round in 0..100 {
        let (mine, theirs) = thread::scope(|scope| {
            let theirs = scope.spawn(|| acquire(&second));
            (acquire(&first), theirs.join().unwrap())
        });
        // Requests that came while the two waited are done by then.
        first.flush().wait().unwrap();
        second.flush().wait().unwrap();
        assert!(!(mine.is_held() && theirs.is_held()), "both are the owner in round {round}");
    }
}

/// A process that was asked for a conversation and needs it again waits until the other has had it.
/// If the machine stalls for the maximum wait, it may get it first.
#[test]
fn a_process_that_was_asked_for_a_conversation_gives_way() {
    let disk = Disk::new();
    let (first, second) = (disk.open(), disk.open());
    drop(begin(&first));
    let gives_way = |_| {
        // Another process has asked, and this one has seen it.
        disk.sql().execute("UPDATE conversations SET wanted = 1", []).unwrap();
        first.flush().wait().unwrap();
        let again = first.acquire(&conversation("c"));
        let asked = acquire(&second);
        let AcquireResult::Owner(again, _) = again.wait().unwrap() else {
            panic!("it is not the owner")
        };
        asked.epoch() < again.epoch()
    };
    assert!((0..5).any(gives_way));
}

#[test]
fn the_next_owner_knows_of_a_call_that_began_as_it_took_over() {
    let disk = Disk::new();
    let (first, second) = (open_eager(&disk), open_eager(&disk));
    let mut lease = begin(&first);
    for round in 0..100 {
        let key = format!("w{round}");
        // The next owner has read the conversation before, and remembers its keys.
        assert!(second.lookup(&conversation("c"), &key).unwrap().is_none());
        let began = thread::scope(|scope| {
            let began = scope.spawn(|| first.begin(under(&lease, &key, WRITES)).wait());
            acquire(&second);
            began.join().unwrap()
        });
        let known = second.lookup(&conversation("c"), &key).unwrap();
        assert_eq!(known.is_some(), began.is_ok(), "round {round}: {began:?}");
        drop(began);
        lease = acquire(&first);
    }
}

/// The records on disk, without a flush.
fn log_of(store: &dyn Store) -> Vec<String> {
    let records = store.audit(AuditFilter::default()).map(Result::unwrap);
    records.map(|record| format!("{} {}", record.entry.call_id, record.entry.outcome)).collect()
}

/// Another process that begins a conversation, answers a read and waits.
#[test]
fn owner() {
    let Some(folder) = child::folder() else { return };
    let store = SqliteStore::open(folder.join("store.db"), Default::default());
    let store = store.unwrap();
    let lease = begin(&store);
    let _running = start(&store, &under(&lease, "w", WRITES));
    child::say("ready");
    let _ = std::io::stdin().lines().next();
}

#[test]
fn nobody_waits_for_an_owner_that_was_killed() {
    let disk = Disk::new();
    let mut other = Process::start("handover::owner", disk.folder());
    assert_eq!(other.line().as_deref(), Some("ready"));
    let store = disk.open();
    other.kill();
    let began = Instant::now();
    let lease = acquire(&store);
    assert!(began.elapsed().as_secs() < 4, "it was waited for");
    assert_eq!(lease.epoch(), 2);
    // Its calls are recorded by then.
    assert_eq!(log(&store, AuditFilter::default()), ["call-w process_died"]);
}

#[test]
fn an_owner_that_is_alive_lets_go() {
    let disk = Disk::new();
    let mut other = Process::start("handover::owner", disk.folder());
    assert_eq!(other.line().as_deref(), Some("ready"));
    let store = disk.open();
    let lease = acquire(&store);
    assert_eq!(lease.epoch(), 2);
    assert_eq!(store.unfinished_calls(&conversation("c")).unwrap().len(), 1);
    assert_eq!(log(&store, AuditFilter::default()), [""; 0]);
}

#[test]
fn a_write_that_waits_for_its_turn_has_not_begun() {
    let disk = Disk::new();
    let store = disk.open();
    let waiting = store.begin(call("c", "w", WRITES, 1));
    assert!(store.lookup(&conversation("c"), "w").unwrap().is_some());
    store.flush().wait().unwrap();
    assert!(store.unfinished_calls(&conversation("c")).unwrap().is_empty());
    drop(waiting);
    assert!(store.lookup(&conversation("c"), "w").unwrap().is_none());
    let ticket = start(&store, &call("c", "w", WRITES, 1));
    assert_eq!(store.unfinished_calls(&conversation("c")).unwrap().len(), 1);
    let answer = sample::success(ticket.call(), json!(1));
    store.settle(ticket, Outcome::Completed, answer).wait().unwrap();
}
