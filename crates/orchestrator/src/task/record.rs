//! A task as the store keeps it: everything that is needed to run it again and to show it.

use std::sync::Arc;

use aileron_contract::{CallId, ContentHash, ConversationId, Mode, UserId};
use aileron_store::{CallStart, StoredTask};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use tokio_util::sync::CancellationToken;

use crate::call_identity::CallIdentity;
use crate::conversation_info::ConversationInfo;
use crate::invocation::Invocation;
use crate::person::Person;

/// How many hex digits of the hash a task's id has.
const ID_DIGITS: usize = 24;

/// The id of the task that a call becomes. The same call has the same id, also in another process.
pub(super) fn task_id(conversation: &ConversationId, key: &str) -> String {
    let hash = ContentHash::of_parts([conversation.as_str(), "\n", key]);
    format!("task_{}", hash.as_str().get(..ID_DIGITS).unwrap_or_default())
}

/// Why a call became a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum TaskCause {
    /// Its tool runs in the background.
    Background,
    /// The person interrupted it, and its tool detaches.
    Detached,
}

/// The caller's part of a stored task.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct TaskRecord {
    pub(super) cause: TaskCause,
    /// The id under which the call runs and is recorded.
    pub(super) call_id: CallId,
    pub(super) tool_id: String,
    pub(super) tool_version: Option<String>,
    pub(super) registry_version: String,
    pub(super) writes: bool,
    pub(super) mode: Mode,
    pub(super) turn: u64,
    pub(super) args: Value,
    pub(super) given: Option<ContentHash>,
    /// JSON Pointers that nobody is shown.
    pub(super) redact: Vec<String>,
    pub(super) person: TaskPerson,
}

/// The person of a task, who may not be there when it runs again.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct TaskPerson {
    id: Option<UserId>,
    scopes: Vec<String>,
    claims: Map<String, Value>,
    blocked_as: Option<UserId>,
}

impl TaskPerson {
    fn of(person: &Person) -> Self {
        let Person { id, scopes, claims, blocked_as } = person.clone();
        Self { id, scopes, claims, blocked_as }
    }

    pub(super) fn person(&self) -> Person {
        let Self { id, scopes, claims, blocked_as } = self.clone();
        Person { id, scopes, claims, blocked_as }
    }
}

/// A call that may become a task, with everything that its record needs.
#[derive(Debug)]
pub(crate) struct TaskSeed {
    pub(super) call: CallIdentity,
    model_id: Option<CallId>,
    start: Arc<CallStart>,
    redact: Vec<String>,
    pub(super) cancel: CancellationToken,
}

impl TaskSeed {
    pub(crate) fn new(
        invocation: &Invocation,
        start: Arc<CallStart>,
        cancel: CancellationToken,
    ) -> Self {
        let redact = invocation.entry.spec().redact.clone();
        let (call, model_id) = (invocation.call.clone(), invocation.model_id.clone());
        Self { call, model_id, start, redact, cancel }
    }

    pub(super) fn id(&self) -> String {
        task_id(self.start.conversation(), &self.start.key)
    }

    pub(super) fn writes(&self) -> bool {
        self.start.writes()
    }

    /// The task to store, which began at a time and is started for the n-th time.
    pub(super) fn stored(
        &self,
        info: &ConversationInfo,
        cause: TaskCause,
        (began, runs): (u64, u32),
    ) -> StoredTask {
        let start = &self.start;
        let record = TaskRecord {
            cause,
            call_id: start.call_id.clone(),
            tool_id: start.tool.id.clone(),
            tool_version: start.tool.version.clone(),
            registry_version: start.scope.registry_version.clone(),
            writes: start.writes(),
            mode: start.scope.mode,
            turn: start.turn,
            args: (*start.args).clone(),
            given: start.given.clone(),
            redact: self.redact.clone(),
            person: TaskPerson::of(&info.person),
        };
        StoredTask {
            id: self.id(),
            conversation: info.id.clone(),
            user: info.person.id.clone(),
            call_id: self.model_id.clone().unwrap_or_else(|| start.call_id.clone()),
            key: start.key.to_string(),
            tool: start.tool.id.clone(),
            began,
            runs,
            body: Arc::new(serde_json::to_value(record).unwrap_or(Value::Null)),
            progress: None,
            cancel_requested: false,
            end: None,
        }
    }
}
