//! Tasks: calls that continue after their first answer. The store keeps a task from that answer until
//! long after its end, so that its result can be told and the person can look it up. Whether it still
//! runs, and in which process, is known by the ledger entry of its call.

use std::sync::Arc;

use aileron_contract::{CallId, ConversationId, ToolResponse, UserId};
use serde_json::Value;

use crate::document::OwnerFilter;
use crate::error::StoreError;
use crate::pending_write::PendingWrite;

/// The part of the store that keeps tasks.
pub trait TaskStore {
    /// Stores a task, in place of one with the same id.
    fn put_task(&self, task: StoredTask) -> PendingWrite<()>;

    /// Changes a task; returns `false` if there is none of this id or it has ended.
    fn change_task(&self, id: &str, change: TaskChange) -> PendingWrite<bool>;

    /// Marks the results of these tasks as told, if they have ended.
    fn mark_told(&self, ids: &[String]) -> PendingWrite<()>;

    /// A task by its id.
    fn task(&self, id: &str) -> PendingWrite<Option<StoredTask>>;

    /// The tasks that match, the newest first, after a position.
    fn tasks(
        &self,
        filter: &TaskFilter,
        after: Option<&TaskCursor>,
        limit: usize,
    ) -> PendingWrite<Vec<StoredTask>>;

    /// How many tasks of a conversation and of a person have not ended; a short blocking read.
    fn count_tasks(
        &self,
        conversation: &ConversationId,
        user: Option<&UserId>,
    ) -> Result<TaskCounts, StoreError>;
}

/// A task as it is stored.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredTask {
    pub id: String,
    pub conversation: ConversationId,
    pub user: Option<UserId>,
    /// The call that became the task.
    pub call_id: CallId,
    /// The key of that call in the ledger.
    pub key: String,
    pub tool: String,
    /// When it first began, in milliseconds since the Unix epoch, by the caller's clock.
    pub began: u64,
    /// How often it was started.
    pub runs: u32,
    /// Everything that is needed to start it again, in the caller's format.
    pub body: Arc<Value>,
    /// The latest progress.
    pub progress: Option<Arc<Value>>,
    pub cancel_requested: bool,
    /// `None` while it has not ended.
    pub end: Option<TaskEnd>,
}

/// The end of a task.
#[derive(Debug, Clone, PartialEq)]
pub struct TaskEnd {
    pub at: u64,
    pub answer: Arc<ToolResponse>,
    /// Whether the model has the result.
    pub told: bool,
}

/// A change of a task that has not ended.
#[derive(Debug, Clone, PartialEq)]
pub enum TaskChange {
    Progress(Arc<Value>),
    /// It is to be cancelled by the process that runs it.
    RequestCancel,
    /// It ended at this time, with this answer, which nobody was told yet.
    End {
        at: u64,
        answer: Arc<ToolResponse>,
    },
}

/// The tasks to list. Every condition that is set must hold.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TaskFilter {
    pub owner: OwnerFilter,
    pub conversation: Option<ConversationId>,
    pub state: TaskState,
}

/// The tasks to list, by state.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum TaskState {
    #[default]
    Any,
    /// Not ended.
    Running,
    Ended,
    /// Ended, and the model does not have the result.
    Untold,
}

impl TaskFilter {
    /// Whether a task is listed.
    pub fn includes(&self, task: &StoredTask) -> bool {
        let told = task.end.as_ref().map(|end| end.told);
        let state = match self.state {
            TaskState::Any => true,
            TaskState::Running => told.is_none(),
            TaskState::Ended => told.is_some(),
            TaskState::Untold => told == Some(false),
        };
        state
            && self.owner.includes(task.user.as_ref())
            && self.conversation.as_ref().is_none_or(|id| *id == task.conversation)
    }
}

/// The position of a task in a list that begins with the newest.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct TaskCursor {
    pub began: u64,
    pub id: String,
}

/// How many tasks have not ended.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TaskCounts {
    /// Of the conversation.
    pub conversation: usize,
    /// Of the person, in all their conversations; 0 for a person without an id.
    pub user: usize,
}
