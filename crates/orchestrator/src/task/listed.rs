//! The tasks as the person and the operator see them, without the values that their tools hide.

use std::sync::Arc;

use aileron_contract::redact::redacted;
use aileron_contract::{CallId, ConversationId, TaskStatus, ToolResponse, UserId};
use aileron_store::{StoreError, StoredTask, TaskCursor, TaskFilter};
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

/// The tasks that match, the newest first, after a position.
pub(crate) async fn list(
    services: &Services,
    filter: &TaskFilter,
    after: Option<&TaskCursor>,
    limit: usize,
) -> Result<Vec<ListedTask>, StoreError> {
    let stored = services.store.tasks(filter, after, limit).await?;
    Ok(stored.into_iter().filter_map(|task| listed(services, task)).collect())
}

/// A task by its id.
pub(crate) async fn show(services: &Services, id: &str) -> Result<Option<ListedTask>, StoreError> {
    let stored = services.store.task(id).await?;
    Ok(stored.and_then(|task| listed(services, task)))
}

fn listed(services: &Services, task: StoredTask) -> Option<ListedTask> {
    let record: TaskRecord = serde_json::from_value((*task.body).clone()).ok()?;
    let running = services.tasks.find(&task.id);
    let progress = running.and_then(|running| running.progress()).or(task.progress);
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
        progress,
        cancel_requested: task.cancel_requested,
        ended: task.end.map(|end| ListedEnd {
            at: end.at,
            result: shown(&end.answer, &record.redact),
            told: end.told,
        }),
    })
}
