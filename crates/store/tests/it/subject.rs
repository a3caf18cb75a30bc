//! A store to test, and shorthands for what tests do with one.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use aileron_contract::{AuditRecord, Outcome};
use aileron_store::{
    AuditFilter, BeginResult, CallStart, CallStatus, MemoryStore, SqliteOptions, SqliteStore,
    Store, StoreError, Ticket,
};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::sample;

/// A folder with a database that may be opened again and again.
pub(crate) struct Disk(TempDir);

impl Disk {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub(crate) fn folder(&self) -> &Path {
        self.0.path()
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.0.path().join("store.db")
    }

    pub(crate) fn open(&self) -> SqliteStore {
        SqliteStore::open(self.path(), SqliteOptions::default()).unwrap()
    }

    /// A direct connection to the tables.
    pub(crate) fn sql(&self) -> rusqlite::Connection {
        rusqlite::Connection::open(self.path()).unwrap()
    }
}

pub(crate) fn memory(test: impl FnOnce(&dyn Store)) {
    test(&MemoryStore::new());
}

pub(crate) fn sqlite(test: impl FnOnce(&dyn Store)) {
    test(&Disk::new().open());
}

/// Runs each of these functions as a test over both stores.
#[macro_export]
macro_rules! conformance {
    ($($name:ident),* $(,)?) => {
        mod memory {
            $(#[test] fn $name() { $crate::subject::memory(super::$name); })*
        }
        mod sqlite {
            $(#[test] fn $name() { $crate::subject::sqlite(super::$name); })*
        }
    };
}

pub(crate) fn begin(store: &dyn Store, call: &Arc<CallStart>) -> BeginResult {
    store.begin(call.clone()).wait().unwrap()
}

pub(crate) fn start(store: &dyn Store, call: &Arc<CallStart>) -> Ticket {
    match begin(store, call) {
        BeginResult::Started(ticket) => ticket,
        BeginResult::Known(known) => panic!("expected it to start, it is {known:?}"),
    }
}

pub(crate) fn settle(store: &dyn Store, ticket: Ticket, data: Value) {
    let answer = sample::success(ticket.call(), data);
    store.settle(ticket, Outcome::Completed, answer).wait().unwrap();
}

/// Begins and settles a call whose answer is its key.
pub(crate) fn run(store: &dyn Store, call: &Arc<CallStart>) {
    let ticket = start(store, call);
    settle(store, ticket, json!(*call.key));
}

pub(crate) fn refuse(store: &dyn Store, call: &Arc<CallStart>, policy: &'static str) {
    let answer = sample::failure(call, aileron_contract::ErrorType::LoopDetected, "again");
    store.record_refusal(call.clone(), Outcome::refused_by(policy), answer).wait().unwrap();
}

/// The status of a call as one word.
pub(crate) fn state(store: &dyn Store, conversation: &str, key: &str) -> String {
    let known = store.lookup(&sample::conversation(conversation), key).unwrap();
    known.map_or("unknown".to_owned(), |known| word(&known))
}

pub(crate) fn word(known: &CallStatus) -> String {
    match known {
        CallStatus::Running(_) => "running".to_owned(),
        CallStatus::RunningElsewhere => "elsewhere".to_owned(),
        CallStatus::Abandoned { writes: true } => "abandoned write".to_owned(),
        CallStatus::Abandoned { writes: false } => "abandoned read".to_owned(),
        CallStatus::Finished(answer) => match &**answer {
            aileron_contract::ToolResponse::Success { data, .. } => format!("finished {data}"),
            aileron_contract::ToolResponse::Failure { error, .. } => {
                format!("failed {}", error.kind)
            }
        },
    }
}

pub(crate) fn records(store: &dyn Store, filter: AuditFilter) -> Vec<AuditRecord> {
    store.flush().wait().unwrap();
    store.audit(filter).collect::<Result<_, StoreError>>().unwrap()
}

/// `call-id outcome` of every record.
pub(crate) fn log(store: &dyn Store, filter: AuditFilter) -> Vec<String> {
    let line = |record: AuditRecord| format!("{} {}", record.entry.call_id, record.entry.outcome);
    records(store, filter).into_iter().map(line).collect()
}
