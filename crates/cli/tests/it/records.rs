//! A store with calls in it, made as an agent would make it.

use std::path::PathBuf;
use std::sync::Arc;

use aileron_contract::envelope::{Meta, RESPONSE_SCHEMA_VERSION};
use aileron_contract::spec::{Category, SideEffects};
use aileron_contract::{
    CallId, ConversationId, ErrorType, Failure, Mode, Outcome, ToolResponse, UserId,
};
use aileron_store::{
    BeginResult, CallScope, CallStart, SqliteOptions, SqliteStore, Store, ToolStamp,
};
use serde_json::{Value, json};

use crate::workspace::Workspace;

/// 2027-01-15T08:00:00Z.
pub(crate) const START: u64 = 1_800_000_000_000;

/// Where the store of a workspace is.
pub(crate) fn path(workspace: &Workspace) -> PathBuf {
    workspace.path(".aileron/aileron.db")
}

pub(crate) fn open(workspace: &Workspace) -> SqliteStore {
    std::fs::create_dir_all(workspace.path(".aileron")).unwrap();
    SqliteStore::open(path(workspace), SqliteOptions::default()).unwrap()
}

/// A direct connection to the database.
pub(crate) fn sql(workspace: &Workspace) -> rusqlite::Connection {
    rusqlite::Connection::open(path(workspace)).unwrap()
}

/// A call that begins so many seconds after the start.
pub(crate) fn call(tool: &str, second: u64) -> CallStart {
    let scope = CallScope {
        conversation: ConversationId::new("morning").unwrap(),
        user: Some(UserId::new("ada").unwrap()),
        mode: Mode::Text,
        registry_version: "1.0.3f9a1c22".to_owned(),
        lease: aileron_store::Lease::unowned(),
    };
    let tool = ToolStamp {
        id: tool.to_owned(),
        version: Some("1.2.3".to_owned()),
        category: Some(Category::Retrieval),
        side_effects: SideEffects::ReadOnly,
        redact: Vec::new(),
    };
    CallStart {
        scope: Arc::new(scope),
        tool: Arc::new(tool),
        turn: 1,
        call_id: CallId::new(format!("call-{second}")).unwrap(),
        key: format!("key-{second}").into(),
        args: Arc::new(json!({"query": "flaps"})),
        given: None,
        time: START + second * 1000,
        trail: Vec::new(),
    }
}

/// The same call in the evening, by voice, of an anonymous person.
pub(crate) fn evening(call: CallStart) -> CallStart {
    let scope = CallScope {
        conversation: ConversationId::new("evening").unwrap(),
        user: None,
        mode: Mode::Voice,
        ..(*call.scope).clone()
    };
    CallStart { scope: Arc::new(scope), turn: 12, ..call }
}

/// The same call of a tool that no registry has.
pub(crate) fn unknown(call: CallStart) -> CallStart {
    let tool = ToolStamp { version: None, ..(*call.tool).clone() };
    CallStart { tool: Arc::new(tool), ..call }
}

fn meta(call: &CallStart, duration: u64) -> Meta {
    Meta {
        tool_id: call.tool.id.clone(),
        tool_version: call.tool.version.clone(),
        registry_version: call.scope.registry_version.clone(),
        response_schema_version: RESPONSE_SCHEMA_VERSION.to_owned(),
        call_id: call.call_id.clone(),
        duration,
        attempts: 1,
        replayed: false,
        clamped: Vec::new(),
        over_budget: false,
        truncated: false,
        warnings: Vec::new(),
        task: None,
    }
}

fn failure(call: &CallStart, duration: u64, kind: ErrorType) -> Arc<ToolResponse> {
    let error = Failure::new(kind, "not this time");
    Arc::new(ToolResponse::Failure { error, meta: meta(call, duration) })
}

fn settle(store: &SqliteStore, call: CallStart, outcome: Outcome, answer: Arc<ToolResponse>) {
    let begun = store.begin(Arc::new(call)).wait().unwrap();
    let BeginResult::Started(ticket) = begun else {
        panic!("expected it to start, found {begun:?}")
    };
    store.settle(ticket, outcome, answer).wait().unwrap();
}

pub(crate) fn complete(store: &SqliteStore, call: CallStart, duration: u64, data: Value) {
    let meta = meta(&call, duration);
    let answer = ToolResponse::Success { data, intents: Vec::new(), meta };
    settle(store, call, Outcome::Completed, Arc::new(answer));
}

pub(crate) fn fail(store: &SqliteStore, call: CallStart, duration: u64, outcome: Outcome) {
    let answer = failure(&call, duration, ErrorType::Transient);
    settle(store, call, outcome, answer);
}

pub(crate) fn refuse(store: &SqliteStore, call: CallStart, policy: &'static str, kind: ErrorType) {
    let answer = failure(&call, 0, kind);
    store.record_refusal(Arc::new(call), Outcome::refused_by(policy), answer).wait().unwrap();
}

/// A workspace whose store has six records.
pub(crate) fn filled() -> Workspace {
    let workspace = Workspace::new();
    let store = open(&workspace);
    complete(&store, call("kb_search", 1), 12, json!({"results": ["slats", "flaps"]}));
    fail(&store, call("kb_search", 2), 31, Outcome::Completed);
    refuse(&store, call("kb_search", 3), "loops", ErrorType::LoopDetected);
    complete(&store, evening(call("kb_get", 4)), 1205, json!("x".repeat(5000)));
    fail(&store, evening(call("kb_get", 5)), 4000, Outcome::TimedOut);
    let escape = unknown(call("kb_\u{1b}[31mfind", 6));
    refuse(&store, escape, "known-tool", ErrorType::NotFound);
    drop(store);
    workspace
}
