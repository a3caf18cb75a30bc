//! Tasks: lists the calls that run in the background or did, shows one, cancels one.

use aileron_contract::{ConversationId, TaskStatus};
use aileron_orchestrator::{CancelledTask, ListedTask, Person};
use aileron_store::{OwnerFilter, TaskCursor, TaskFilter, TaskState};
use axum::extract::State;
use axum::http::StatusCode;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::request::{self, Path, Query};
use super::schema;
use crate::app::App;
use crate::error::{ApiError, ApiErrorCode};
use crate::request_checks::Caller;
use crate::role::Role;

/// Maximum number of tasks on a page.
pub(super) const MAX_PAGE: usize = 100;

const NOT_THERE: &str = "there is no such task; GET /v1/tasks lists those you may see";
const ENDED: &str = "the task has ended, so that there is nothing to cancel";

/// Which tasks.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TasksQuery {
    state: Option<WantedState>,
    conversation: Option<String>,
    /// Everybody's, for operators and viewers.
    #[serde(default)]
    all: bool,
    after: Option<String>,
    limit: Option<usize>,
}

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "camelCase")]
enum WantedState {
    Running,
    Ended,
}

/// A page of tasks, the newest first.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct TaskList {
    tasks: Vec<TaskView>,
    /// Give this as `after` to get the next page; absent on the last page.
    #[serde(skip_serializing_if = "Option::is_none")]
    after: Option<String>,
}

/// A task. Fields that its tool redacts are removed.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct TaskView {
    id: String,
    conversation_id: String,
    /// The person of the conversation; `null` where people do not sign in.
    user: Option<String>,
    /// The id that the model gave its call.
    call_id: String,
    /// The id in events and in the audit log. It differs from `callId` if the person approved the call.
    runs_as: String,
    tool_id: String,
    registry_version: String,
    turn: u64,
    #[schemars(schema_with = "schema::anything")]
    args: Value,
    /// Whether the tool writes.
    writes: bool,
    /// Whether the call became a task because the person interrupted it.
    detached: bool,
    #[schemars(schema_with = "schema::task_status")]
    status: TaskStatus,
    /// Milliseconds since the Unix epoch.
    began_at: u64,
    /// How often it was started: more than once if its process died.
    runs: u32,
    /// The latest progress that the handler reported.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(default, schema_with = "schema::anything")]
    progress: Option<Value>,
    /// Whether it is being cancelled.
    cancel_requested: bool,
    /// Milliseconds since the Unix epoch.
    #[serde(skip_serializing_if = "Option::is_none")]
    ended_at: Option<u64>,
    /// The result, when it has ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(default, schema_with = "schema::envelope")]
    result: Option<Value>,
    /// Whether the model has the result.
    told: bool,
}

impl From<ListedTask> for TaskView {
    fn from(task: ListedTask) -> Self {
        let ended = task.ended.as_ref();
        Self {
            id: task.id,
            conversation_id: task.conversation.to_string(),
            user: task.user.map(|user| user.to_string()),
            call_id: task.call_id.to_string(),
            runs_as: task.runs_as.to_string(),
            tool_id: task.tool_id,
            registry_version: task.registry_version,
            turn: task.turn,
            args: task.args,
            writes: task.writes,
            detached: task.detached,
            status: task.status,
            began_at: task.began,
            runs: task.runs,
            progress: task.progress.map(|progress| (*progress).clone()),
            cancel_requested: task.cancel_requested,
            ended_at: ended.map(|end| end.at),
            result: ended.and_then(|end| serde_json::to_value(&end.result).ok()),
            told: ended.is_some_and(|end| end.told),
        }
    }
}

pub(super) async fn list(
    State(app): State<App>,
    Caller(person): Caller,
    Query(query): Query<TasksQuery>,
) -> Result<axum::Json<TaskList>, ApiError> {
    let limit = request::page_size(query.limit, MAX_PAGE, MAX_PAGE)?;
    let owner = match query.all {
        true => {
            Role::of(&app, &person).require_all()?;
            OwnerFilter::Everybody
        }
        false => OwnerFilter::Of(person.id.clone()),
    };
    let conversation = query.conversation.map(ConversationId::new).transpose();
    let conversation = conversation.map_err(|error| ApiError::invalid(error.to_string()))?;
    let state = match query.state {
        None => TaskState::Any,
        Some(WantedState::Running) => TaskState::Running,
        Some(WantedState::Ended) => TaskState::Ended,
    };
    let after = query.after.as_deref().map(cursor).transpose()?;
    let filter = TaskFilter { owner, conversation, state };
    let tasks = app.orchestrator().tasks(&filter, after.as_ref(), limit).await?;
    let last = tasks.last().filter(|_| tasks.len() == limit);
    let after = last.map(|task| format!("{}.{}", task.began, task.id));
    Ok(axum::Json(TaskList { tasks: tasks.into_iter().map(TaskView::from).collect(), after }))
}

fn cursor(text: &str) -> Result<TaskCursor, ApiError> {
    let read = |text: &str| {
        let (began, id) = text.split_once('.')?;
        let began = began.parse().ok().filter(|began| *began <= request::MAX_EXACT)?;
        Some(TaskCursor { began, id: id.to_owned() })
    };
    let wrong =
        || ApiError::invalid(format!("`after`: expected one that a page gave, found {text:?}"));
    read(text).ok_or_else(wrong)
}

pub(super) async fn show(
    State(app): State<App>,
    Caller(person): Caller,
    Path(id): Path<String>,
) -> Result<axum::Json<TaskView>, ApiError> {
    Ok(axum::Json(visible(&app, &person, &id).await?.into()))
}

pub(super) async fn cancel(
    State(app): State<App>,
    Caller(person): Caller,
    Path(id): Path<String>,
) -> Result<(StatusCode, axum::Json<TaskView>), ApiError> {
    let task = visible(&app, &person, &id).await?;
    Role::of(&app, &person).require_acting()?;
    match app.orchestrator().cancel_task(&task.id).await? {
        CancelledTask::Ended => Err(ApiError::new(ApiErrorCode::TaskEnded, ENDED)),
        CancelledTask::Requested => {
            let task = ListedTask { cancel_requested: true, ..task };
            Ok((StatusCode::ACCEPTED, axum::Json(task.into())))
        }
    }
}

/// A task that the caller may see: their own, or anybody's for operators and viewers.
async fn visible(app: &App, person: &Person, id: &str) -> Result<ListedTask, ApiError> {
    let owners = Role::of(app, person).visible(person);
    let found = app.orchestrator().task(id).await?;
    let found = found.filter(|task| owners.includes(task.user.as_ref()));
    found.ok_or_else(|| ApiError::not_found(NOT_THERE))
}
