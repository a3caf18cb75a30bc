//! A process that is killed again and again loses nothing it acknowledged,
//! repeats no side effect, and leaves one record per call.
//!
//! 20 kills by default; `AILERON_CRASH_KILLS=500 cargo test -p aileron-store crash` for a long run.

use std::collections::{HashMap, HashSet};
use std::fs::{self, OpenOptions};
use std::hash::{BuildHasher, RandomState};
use std::io::Write;
use std::path::Path;
use std::thread;

use aileron_contract::{ConversationId, Outcome, ToolResponse};
use aileron_store::{AuditFilter, BeginResult, CallStatus, SqliteStore, Store};
use serde_json::json;

use crate::child::{self, Process};
use crate::sample::{self, READS, WRITES, call};
use crate::subject::{Disk, records, run};

const THREADS: usize = 4;

/// More than a victim lives to make.
const CALLS: usize = 1_000_000;

/// The process that is killed: runs its calls in order, those it has not run before.
#[test]
fn victim() {
    let Some(folder) = child::folder() else { return };
    let store = SqliteStore::open(folder.join("store.db"), Default::default()).unwrap();
    thread::scope(|scope| {
        for index in 0..THREADS {
            let (store, folder) = (&store, &folder);
            scope.spawn(move || (0..CALLS).for_each(|step| act(store, folder, index, step)));
        }
    });
}

fn act(store: &SqliteStore, folder: &Path, thread: usize, step: usize) {
    let (conversation, key) = (format!("c{thread}"), format!("{thread}-{step}"));
    if step % 3 == 2 {
        let read = call(&conversation, &key, READS, 1);
        if !matches!(lookup(store, &conversation, &key), Some(CallStatus::Finished(_))) {
            run(store, &read);
        }
        return;
    }
    match lookup(store, &conversation, &key) {
        None => write(store, folder, &conversation, &key),
        Some(CallStatus::Finished(_) | CallStatus::Abandoned { writes: true }) => {}
        Some(other) => panic!("{key} cannot be {other:?}"),
    }
}

/// Reports the number of the effect to the parent, once it is durable.
fn write(store: &SqliteStore, folder: &Path, conversation: &str, key: &str) {
    let call = call(conversation, key, WRITES, 1);
    let BeginResult::Started(ticket) = store.begin(call.clone()).wait().unwrap() else {
        panic!("{key} was begun twice");
    };
    let number = format!("{:x}", RandomState::new().hash_one(key));
    let effects = OpenOptions::new().create(true).append(true).open(folder.join("effects"));
    effects.unwrap().write_all(format!("{key} {number}\n").as_bytes()).unwrap();
    let answer = sample::success(&call, json!(number));
    store.settle(ticket, Outcome::Completed, answer).wait().unwrap();
    child::say(&format!("{key} {number}"));
}

fn lookup(store: &SqliteStore, conversation: &str, key: &str) -> Option<CallStatus> {
    store.lookup(&ConversationId::new(conversation).unwrap(), key).unwrap()
}

fn kills() -> usize {
    let asked = std::env::var("AILERON_CRASH_KILLS").ok();
    asked.map_or(20, |kills| kills.parse().expect("a number of kills"))
}

#[test]
fn nothing_acknowledged_is_lost_and_nothing_runs_twice() {
    if child::folder().is_some() {
        return;
    }
    let disk = Disk::new();
    let mut acknowledged = HashMap::new();
    for kill in 0..kills() {
        let mut victim = Process::start("crash::victim", disk.folder());
        // After a random number of answers, so that the kill interrupts the threads at any point.
        let answers = 1 + RandomState::new().hash_one(kill) % 60;
        let mut said: Vec<_> = (0..answers).map_while(|_| victim.line()).collect();
        assert_eq!(said.len() as u64, answers, "the victim died by itself");
        said.extend(victim.kill());
        acknowledged.extend(said.iter().filter_map(|line| parse(line)));
        check(&disk, &acknowledged);
    }
}

fn parse(line: &str) -> Option<(String, String)> {
    // The last line may have been cut off by the kill.
    let (key, number) = line.split_once(' ')?;
    (number.len() > 8).then(|| (key.to_owned(), number.to_owned()))
}

fn check(disk: &Disk, acknowledged: &HashMap<String, String>) {
    let store = disk.open();
    let effects = fs::read_to_string(disk.folder().join("effects")).unwrap();
    let effects: Vec<_> = effects.lines().map(|line| line.split_once(' ').unwrap()).collect();
    let keys: HashSet<_> = effects.iter().map(|(key, _)| *key).collect();
    assert_eq!(keys.len(), effects.len(), "an effect happened twice");
    let numbers: HashMap<_, _> = effects.into_iter().collect();
    for (key, number) in acknowledged {
        assert_eq!(answer(&store, key).as_ref(), Some(number), "{key} was acknowledged");
    }
    for (key, number) in numbers {
        if let Some(found) = answer(&store, key) {
            assert_eq!(found, number);
        }
    }
    check_records(&store, &keys);
}

/// The answer to a call with an effect, `None` if it was abandoned; nothing else is allowed.
fn answer(store: &SqliteStore, key: &str) -> Option<String> {
    let conversation = format!("c{}", key.split_once('-').unwrap().0);
    match lookup(store, &conversation, key) {
        Some(CallStatus::Finished(answer)) => match &*answer {
            ToolResponse::Success { data, .. } => data.as_str().map(str::to_owned),
            ToolResponse::Failure { .. } => panic!("{key} did not fail"),
        },
        Some(CallStatus::Abandoned { writes: true }) => None,
        other => panic!("{key} had its effect and is {other:?}"),
    }
}

fn check_records(store: &SqliteStore, effects: &HashSet<&str>) {
    store.verify_audit().unwrap();
    let mut recorded = HashSet::new();
    for record in records(store, AuditFilter::default()) {
        let key = record.entry.call_id.as_str().replace("call-", "");
        let died = record.entry.outcome == Outcome::ProcessDied;
        let is_write = record.entry.tool_id == "tool_writes";
        if died && !is_write {
            // It runs again, and that run has a separate record.
            continue;
        }
        assert!(recorded.insert(key.clone()), "{key} has two records");
        if is_write {
            assert_eq!(answer(store, &key).is_none(), died, "{key}");
        }
    }
    let missing: Vec<_> = effects.iter().filter(|key| !recorded.contains(**key)).collect();
    assert!(missing.is_empty(), "no record of {missing:?}");
}
