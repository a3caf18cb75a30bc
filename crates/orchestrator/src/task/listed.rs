//! The tasks as the person and the operator see them, without the values that their tools hide.

use std::sync::Arc;

use aileron_contract::redact::redacted;
use aileron_contract::{CallId, ConversationId, TaskStatus, ToolResponse, UserId};
use aileron_store::{Store, StoreError, StoredTask, TaskCursor, TaskFilter};
use serde_json::Value;

use super::record::{TaskCause, TaskRecord};
use crate::conversation_info::shown;
use crate::services::Services;

/// A task. Fields that its tool hides are removed.
#[derive(Debug, Clone, PartialEq)]
pub struct ListedTask {
    pub id: String,
    pub conversation: ConversationId,
    pub user: Option<UserId>,
    /// The id that the model gave its call.
    pub call_id: CallId,
    /// The id under which the call is recorded and its events are published.
    pub runs_as: CallId,
    pub tool_id: String,
    pub registry_version: String,
    pub turn: u64,
    pub args: Value,
    pub writes: bool,
    /// Whether the person interrupted a call that then became the task.
    pub detached: bool,
    pub status: TaskStatus,
    /// Milliseconds since the Unix epoch.
    pub began: u64,
    /// How often it was started: more than once if its process died.
    pub runs: u32,
    pub progress: Option<Arc<Value>>,
    pub cancel_requested: bool,
    pub ended: Option<ListedEnd>,
}

/// The end of a task.
#[derive(Debug, Clone, PartialEq)]
pub struct ListedEnd {
    /// Milliseconds since the Unix epoch.
    pub at: u64,
    pub result: ToolResponse,
    /// Whether the model has the result.
    pub told: bool,
}

/// The tasks of a store that match, the newest first, after a position. Progress is the stored one, which
/// may be a second old.
pub async fn stored_tasks(
    store: &dyn Store,
    filter: &TaskFilter,
    after: Option<&TaskCursor>,
    limit: usize,
) -> Result<Vec<ListedTask>, StoreError> {
    let stored = store.tasks(filter, after, limit).await?;
    Ok(stored.into_iter().filter_map(listed).collect())
}

/// A task of a store by its id.
pub async fn stored_task(store: &dyn Store, id: &str) -> Result<Option<ListedTask>, StoreError> {
    Ok(store.task(id).await?.and_then(listed))
}

/// The tasks that match, with the latest progress of those that run here.
pub(crate) async fn list(
    services: &Services,
    filter: &TaskFilter,
    after: Option<&TaskCursor>,
    limit: usize,
) -> Result<Vec<ListedTask>, StoreError> {
    let listed = stored_tasks(&*services.store, filter, after, limit).await?;
    Ok(listed.into_iter().map(|task| with_progress(services, task)).collect())
}

/// A task by its id, with its latest progress.
pub(crate) async fn show(services: &Services, id: &str) -> Result<Option<ListedTask>, StoreError> {
    let found = stored_task(&*services.store, id).await?;
    Ok(found.map(|task| with_progress(services, task)))
}

fn with_progress(services: &Services, task: ListedTask) -> ListedTask {
    let latest = services.tasks.find(&task.id).and_then(|running| running.progress());
    ListedTask { progress: latest.or(task.progress), ..task }
}

fn listed(task: StoredTask) -> Option<ListedTask> {
    let record: TaskRecord = serde_json::from_value((*task.body).clone()).ok()?;
    let status = task.end.as_ref().map_or(TaskStatus::Running, |end| TaskStatus::of(&end.answer));
    Some(ListedTask {
        id: task.id,
        conversation: task.conversation,
        user: task.user,
        call_id: task.call_id,
        runs_as: record.call_id,
        tool_id: record.tool_id,
        registry_version: record.registry_version,
        turn: record.turn,
        args: redacted(&record.args, &record.redact).into_owned(),
        writes: record.writes,
        detached: record.cause == TaskCause::Detached,
        status,
        began: task.began,
        runs: task.runs,
        progress: task.progress,
        cancel_requested: task.cancel_requested,
        ended: task.end.map(|end| ListedEnd {
            at: end.at,
            result: shown(&end.answer, &record.redact),
            told: end.told,
        }),
    })
}

/// The effect of cancelling a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CancelledTask {
    /// It is being stopped.
    Requested,
    /// It had ended, or there is none of this id.
    Ended,
}
